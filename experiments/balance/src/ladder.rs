//! The strength of an agent's checkpoints: how many classes lie between random play and the end of training.

use chase_statistics::interval::Z;
use chase_statistics::{BradleyTerry, CrossTable, RatingError, Standing};
use serde::{Deserialize, Serialize};

/// Score that a player of one class has against one of the next class below.
const CLASS: f64 = 0.75;
/// Name of random play, the zero of ratings.
pub(crate) const RANDOM: &str = "random";

/// The joint ratings of random play and an agent's checkpoints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LadderReport {
    /// The bare policy of the final network at each temperature, which lies between random play and search; then the
    /// checkpoints that search, the earliest first; the last is the final agent.
    pub rungs: Vec<Rung>,
    /// Rating difference of one class: at which the stronger player scores 75 %.
    pub class_elo: f64,
    /// Number of classes between random play and the final agent.
    pub classes: Classes,
}

/// A player of the ladder: a checkpoint that searches, or its bare policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// The player.
    #[serde(flatten)]
    pub step: Step,
    /// Its rating above random play.
    pub rating: Standing,
}

/// A place on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The generation of the checkpoint.
    pub generation: u64,
    /// Temperature of the bare policy; `None` for a player that searches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
}

impl Step {
    /// Its name in the games of the ladder.
    pub(crate) fn name(self) -> String {
        match self.temperature {
            None => format!("generation-{}", self.generation),
            Some(temperature) => format!("policy-{temperature}"),
        }
    }
}

/// A number of classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Classes {
    /// The number, or a lower bound; `None` if neither is known.
    pub value: Option<f64>,
    /// Its standard error by games; `None` for a bound.
    pub error: Option<f64>,
    /// True if the number is only a lower bound: no chain of games leads from random play to the final agent in which
    /// each took a point from the next.
    pub at_least: bool,
}

/// The generations of the rungs: the last one, and those at half, a quarter, … of it.
fn generations(last: u64, rungs: u32) -> Vec<u64> {
    let halves = (0..rungs.min(63)).map(|halvings| last.div_ceil(1 << halvings));
    let mut generations: Vec<u64> = halves.filter(|&generation| generation > 0).collect();
    generations.sort_unstable();
    generations.dedup();
    generations
}

/// The steps of a ladder, from the bottom.
pub(crate) fn steps(last: u64, rungs: u32, temperatures: &[f32]) -> Vec<Step> {
    let policies = temperatures.iter().map(|&temperature| Step {
        generation: last,
        temperature: Some(temperature),
    });
    let searching = generations(last, rungs).into_iter().map(|generation| Step {
        generation,
        temperature: None,
    });
    policies.chain(searching).collect()
}

/// The ladder from the results of its games.
///
/// # Errors
/// If there are no ratings.
pub(crate) fn report(table: &CrossTable, steps: &[Step]) -> Result<LadderReport, RatingError> {
    let ratings = BradleyTerry::fit(table, RANDOM)?;
    let standing = |step: &Step| ratings.standing(&step.name()).copied().unwrap_or(Standing::Unknown);
    let class_elo = ratings.difference_for(CLASS).ok_or(RatingError::Diverges)?;
    let last = steps.last().map_or(Standing::Unknown, standing);
    let classes = match last {
        Standing::Rated(rating) => Classes {
            value: Some(rating.elo / class_elo),
            error: Some((rating.high - rating.low) / (2.0 * Z * class_elo)),
            at_least: false,
        },
        Standing::AtLeast { elo } => Classes {
            value: Some(elo / class_elo),
            error: None,
            at_least: true,
        },
        Standing::AtMost { .. } | Standing::Unknown => Classes {
            value: None,
            error: None,
            at_least: false,
        },
    };
    let rung = |&step: &Step| Rung {
        step,
        rating: standing(&step),
    };
    Ok(LadderReport {
        rungs: steps.iter().map(rung).collect(),
        class_elo,
        classes,
    })
}

#[cfg(test)]
mod tests {
    use chase_statistics::WinDrawLoss;

    use super::*;

    #[test]
    fn rungs_are_at_halves() {
        assert_eq!(generations(20, 4), [3, 5, 10, 20]);
        assert_eq!(generations(2, 4), [1, 2]);
        assert_eq!(generations(1, 1), [1]);
        assert!(generations(0, 3).is_empty());
        let names: Vec<String> = steps(4, 2, &[2.0, 0.5]).into_iter().map(Step::name).collect();
        assert_eq!(names, ["policy-2", "policy-0.5", "generation-2", "generation-4"]);
    }

    fn name(generation: u64) -> String {
        let step = Step {
            generation,
            temperature: None,
        };
        step.name()
    }

    fn games(wins: u32, losses: u32) -> WinDrawLoss {
        WinDrawLoss {
            wins,
            losses,
            ..WinDrawLoss::default()
        }
    }

    /// Each player of a chain scores 75 % against the one below.
    #[test]
    fn players_who_score_three_quarters_are_a_class_apart() {
        let mut table = CrossTable::default();
        for [stronger, weaker] in [[name(1), RANDOM.into()], [name(2), name(1)], [name(4), name(2)]] {
            table.add(&stronger, &weaker, games(300, 100));
            table.add(&weaker, &stronger, games(100, 300));
        }
        let found = report(&table, &steps(4, 3, &[])).expect("ratings");
        assert!(
            found.classes.value.is_some_and(|value| (value - 3.0).abs() < 0.05),
            "{found:?}"
        );
        assert!(
            (found.class_elo - 191.0).abs() < 10.0 && !found.classes.at_least,
            "{found:?}"
        );
        assert!(
            found.classes.error.is_some_and(|error| (0.1..0.3).contains(&error)),
            "{found:?}"
        );
    }

    #[test]
    fn an_agent_that_never_loses_a_point_has_a_bound_and_one_that_never_takes_one_has_nothing() {
        let classes = |wins, losses| {
            let mut table = CrossTable::default();
            table.add(&name(1), RANDOM, games(wins, losses));
            table.add(RANDOM, &name(1), games(losses, wins));
            report(&table, &steps(1, 1, &[])).expect("ratings").classes
        };
        let found = classes(20, 0);
        assert!(
            found.at_least && found.value > Some(1.0) && found.error.is_none(),
            "{found:?}"
        );
        let found = classes(0, 20);
        assert!(!found.at_least && found.value.is_none(), "{found:?}");
    }
}
