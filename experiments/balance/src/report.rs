//! The report of a study: everything that `balance.json` holds.

use chase_engine::GameName;
use chase_statistics::WinDrawLoss;
use chase_training::sources;
use chase_training::store::serialised::json_value;
use serde::Serialize;

use crate::agent::{AgentReport, BudgetReport};
use crate::config::{AgentEntry, BalanceConfig};
use crate::effects::{PropertyEffect, effects};
use crate::error::BalanceError;
use crate::ladder::Classes;
use crate::measured_number::Measured;
use crate::over_agents::OverAgents;
use crate::plan::Plan;
use crate::study::Study;
use crate::variants::Relative;

/// Version of the fields.
const FORMAT: u32 = 1;
/// Share of games without a result from which on a note says so.
const MANY_TRUNCATED: f64 = 0.02;
/// Share of repeated games from which on a note says so.
const MANY_REPEATED: f64 = 0.1;
/// Coverage of opening lines below which their entropy is only a lower bound.
// In simulations of 64 games and equally frequent lines, 95 % intervals of 5 agents held in 96 % for 8 bits (coverage 0.22), in 92 % for
// 10 (0.06), and never for 12 (0.02).
const LEAST_COVERAGE: f64 = 0.2;

/// The numbers of a study.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceReport {
    /// Version of the fields.
    pub format: u32,
    /// The programs and settings behind the numbers.
    pub provenance: BalanceProvenance,
    /// Finished agents.
    pub agents: u32,
    /// Agents of the whole study. Nothing should be concluded before all are finished.
    pub of: u32,
    /// The power of the study.
    pub plan: Plan,
    /// The games in the order of the configuration; those without a finished agent are missing.
    pub games: Vec<GameReport>,
    /// Comparisons between variants.
    pub effects: Vec<PropertyEffect>,
    /// Reservations about the numbers, as text.
    pub notes: Vec<String>,
}

/// The origin of a study.
#[derive(Clone, Debug, Serialize)]
pub struct BalanceProvenance {
    /// Version of the program that began the study.
    pub program_version: String,
    /// The commit that it was built from.
    pub git_hash: Option<String>,
    /// True if the sources differed from that commit.
    pub git_dirty: Option<bool>,
    /// The commit of the program that computed these numbers, with `+` if the sources differed.
    pub written_by: Option<String>,
    /// The configuration.
    pub config: BalanceConfig,
    /// SHA-256 of `config.toml`.
    pub config_sha256: String,
}

/// One game.
#[derive(Clone, Debug, Serialize)]
pub struct GameReport {
    /// Its name.
    pub game: String,
    /// The properties in which it differs from games of its family.
    pub properties: Relative,
    /// Its finished agents.
    pub agents: Vec<AgentReport>,
    /// The resolved training configuration of its first agent; the others differ in the seed.
    pub training: serde_json::Value,
    /// The agents' games against themselves, at the smaller budget and the larger one.
    pub budgets: [BudgetGames; 2],
    /// Good first moves.
    pub first_moves: Option<MovesReport>,
    /// Classes of strength between random play and the final agents; `None` if only bounds are known.
    pub classes: Option<OverAgents>,
    /// Agents for which only a lower bound of the classes is known; they are not in `classes`.
    pub classes_at_least: Vec<f64>,
}

/// Games at one budget, over agents.
#[derive(Clone, Debug, Serialize)]
pub struct BudgetGames {
    /// Simulations per move.
    pub simulations: u32,
    /// Games of all agents by the first player's result.
    pub games: WinDrawLoss,
    /// Games with the same actions as another one of the same agent.
    pub repeated: u32,
    /// The first player's score.
    pub score: Option<OverAgents>,
    /// Share of draws.
    pub draws: Option<OverAgents>,
    /// Share of games with a winner, among those with a result.
    pub decisive: Option<OverAgents>,
    /// Plies of a game.
    pub plies: Option<OverAgents>,
    /// Legal actions of a position.
    pub branching: Option<OverAgents>,
    /// Entropy of the opening lines, in bits; without an interval where it is only a lower bound.
    pub opening_bits: Option<OverAgents>,
    /// Mean over agents of the probability that a further game has a line that was seen: where it is small, the entropy
    /// is only a lower bound.
    pub opening_coverage: Option<f64>,
}

/// Good first moves of a game.
#[derive(Clone, Debug, Serialize)]
pub struct MovesReport {
    /// A move is good if its value is within this of the best.
    pub margin: f64,
    /// Initial positions that were searched.
    pub starts: usize,
    /// Legal first moves, mean over the positions.
    pub actions: f64,
    /// Good moves by the mean values over agents, mean over the positions.
    pub good: f64,
    /// Good moves by each agent's own values, mean over the positions.
    pub by_agent: OverAgents,
    /// Each move with its value, the best first, where all games begin alike.
    pub moves: Vec<MoveReport>,
}

/// A first move over agents.
#[derive(Clone, Debug, Serialize)]
pub struct MoveReport {
    /// The first move, as text.
    pub action: String,
    /// The first player's score that agents expect after it.
    pub value: OverAgents,
    /// True if its mean value is within the margin of the best mean value.
    pub good: bool,
}

impl BalanceReport {
    /// The report from the finished agents.
    ///
    /// # Errors
    /// If the training settings cannot be resolved.
    pub(crate) fn new(study: &Study, agents: &[(AgentEntry, AgentReport)]) -> Result<Self, BalanceError> {
        let config = study.began();
        let mut games = Vec::new();
        let mut compared = Vec::new();
        for &game in &config.games {
            let own = agents.iter().filter(|(entry, _)| entry.game == game);
            let own: Vec<AgentReport> = own.map(|(_, report)| report.clone()).collect();
            let of_measures = |budget: &BudgetReport| [budget.score, budget.draws, budget.plies];
            let measures: [Vec<Measured>; 3] = std::array::from_fn(|place| {
                let numbers = own.iter().filter_map(|agent| of_measures(&agent.budgets[1])[place]);
                numbers.collect()
            });
            compared.push((Relative::of(game), measures));
            if !own.is_empty() {
                games.push(GameReport::new(config, game, own)?);
            }
        }
        let meta = study.meta();
        let units = config.units().len();
        Ok(Self {
            format: FORMAT,
            provenance: BalanceProvenance {
                program_version: meta.program_version.clone(),
                git_hash: meta.git_hash.clone(),
                git_dirty: meta.git_dirty,
                written_by: sources::stated().map(ToString::to_string),
                config: config.clone(),
                config_sha256: study.config_sha256(),
            },
            agents: agents.len() as u32,
            of: units as u32,
            plan: Plan::new(config),
            effects: effects(&compared, &config.margins),
            notes: notes(config, agents.len(), units, &games),
            games,
        })
    }

    /// True if all agents are finished.
    pub const fn is_finished(&self) -> bool {
        self.agents == self.of
    }
}

impl GameReport {
    fn new(config: &BalanceConfig, game: GameName, agents: Vec<AgentReport>) -> Result<Self, BalanceError> {
        let training = config.training(AgentEntry { game, agent: 1 })?;
        let classes = |at_least: bool| {
            let all = agents.iter().map(|agent| agent.ladder.classes);
            all.filter(move |classes: &Classes| classes.at_least == at_least)
        };
        let measured = |classes: Classes| {
            Some(Measured {
                value: classes.value?,
                error: classes.error,
            })
        };
        Ok(Self {
            game: game.name().to_owned(),
            properties: Relative::of(game),
            training: json_value(&training),
            budgets: [0, 1].map(|place| BudgetGames::new(agents.iter().map(|agent| &agent.budgets[place]).collect())),
            first_moves: MovesReport::new(config.first_moves.margin, &agents),
            classes: OverAgents::of(classes(false).filter_map(measured).collect()),
            classes_at_least: classes(true).filter_map(|classes| classes.value).collect(),
            agents,
        })
    }
}

impl BudgetGames {
    fn new(agents: Vec<&BudgetReport>) -> Self {
        let mut games = WinDrawLoss::default();
        agents.iter().for_each(|agent| games += agent.games);
        let of = |number: fn(&BudgetReport) -> Option<Measured>| -> Vec<Measured> {
            agents.iter().filter_map(|agent| number(agent)).collect()
        };
        let draws = of(|agent| agent.draws);
        let decisive = draws.iter().map(|draws| Measured {
            value: 1.0 - draws.value,
            ..*draws
        });
        let openings: Vec<_> = agents.iter().filter_map(|agent| agent.openings).collect();
        let n = openings.len() as f64;
        let coverage = openings.iter().map(|openings| openings.coverage).sum::<f64>() / n;
        let bits = openings
            .iter()
            .map(|openings| openings.entropy / std::f64::consts::LN_2);
        let bits = OverAgents::exact(bits);
        Self {
            simulations: agents.first().map_or(0, |agent| agent.simulations),
            games,
            repeated: agents.iter().map(|agent| agent.repeated).sum(),
            score: OverAgents::share(of(|agent| agent.score)),
            decisive: OverAgents::share(decisive.collect()),
            draws: OverAgents::share(draws),
            plies: OverAgents::of(of(|agent| agent.plies)),
            branching: OverAgents::of(of(|agent| agent.branching)),
            opening_bits: bits.map(|bits| OverAgents {
                interval: bits.interval.filter(|_| coverage >= LEAST_COVERAGE),
                ..bits
            }),
            opening_coverage: (n > 0.0).then_some(coverage),
        }
    }

    /// True if the entropy of the opening lines is only a lower bound.
    pub fn are_bits_a_bound(&self) -> bool {
        self.opening_coverage.is_some_and(|coverage| coverage < LEAST_COVERAGE)
    }
}

/// Number of values within a margin of the greatest.
fn near_best(values: &[f64], margin: f64) -> f64 {
    let best = greatest(values);
    values.iter().filter(|&&value| value >= best - margin).count() as f64
}

fn greatest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = numbers.len() as f64;
    numbers.sum::<f64>() / n
}

impl MovesReport {
    /// `None` without agents, or if agents searched other positions, which a study never has.
    fn new(margin: f64, agents: &[AgentReport]) -> Option<Self> {
        let first = &agents.first()?.first_moves;
        let counts = |agent: &AgentReport| -> Vec<usize> {
            let starts = agent.first_moves.iter();
            starts.map(|start| start.actions.len()).collect()
        };
        if first.is_empty() || agents.iter().any(|agent| counts(agent) != counts(&agents[0])) {
            return None;
        }
        let value = |agent: &AgentReport, start: usize, action: usize| agent.first_moves[start].actions[action].value;
        let of_start = |start: usize, value: &dyn Fn(usize) -> f64| -> Vec<f64> {
            (0..first[start].actions.len()).map(value).collect()
        };
        let means = |start| {
            of_start(start, &|action| {
                mean(agents.iter().map(|agent| value(agent, start, action)))
            })
        };
        let means: Vec<Vec<f64>> = (0..first.len()).map(means).collect();
        let good_of = |agent: &AgentReport| {
            let good = |start| near_best(&of_start(start, &|action| value(agent, start, action)), margin);
            mean((0..first.len()).map(good))
        };
        let mut moves = Vec::new();
        if first[0].start.is_none() {
            for (place, action) in first[0].actions.iter().enumerate() {
                let measured = |agent| Measured {
                    value: value(agent, 0, place),
                    error: None,
                };
                let value = OverAgents::share(agents.iter().map(measured).collect())?;
                moves.push(MoveReport {
                    action: action.action.clone(),
                    good: value.mean >= greatest(&means[0]) - margin,
                    value,
                });
            }
            moves.sort_by(|a, b| b.value.mean.total_cmp(&a.value.mean));
        }
        Some(Self {
            margin,
            starts: first.len(),
            actions: mean(means.iter().map(|values| values.len() as f64)),
            good: mean(means.iter().map(|values| near_best(values, margin))),
            by_agent: OverAgents::exact(agents.iter().map(good_of))?,
            moves,
        })
    }
}

/// A warning about some games, and the games that it is for.
type Caution<'a> = (&'a str, &'a dyn Fn(&GameReport) -> bool);

fn notes(config: &BalanceConfig, agents: usize, units: usize, games: &[GameReport]) -> Vec<String> {
    let mut notes = Vec::new();
    if agents < units {
        notes.push(format!(
            "{agents} of {units} agents are finished: nothing should be concluded before the last one is."
        ));
    }
    if config.agents == 1 {
        notes.push("One agent per game is one opinion: there are no intervals and no comparisons.".to_owned());
    }
    let more = |part: u32, games: &WinDrawLoss, share| f64::from(part) > share * f64::from(games.played());
    let truncated = |budget: &BudgetGames| more(budget.games.truncated, &budget.games, MANY_TRUNCATED);
    let repeated = |budget: &BudgetGames| more(budget.repeated, &budget.games, MANY_REPEATED);
    let cautions: [Caution<'_>; 3] = [
        (
            "More than 2 % of games were cut off without a result and have no score",
            &|game| game.budgets.iter().any(truncated),
        ),
        (
            "More than a tenth of an agent's games repeat another one; they count, but say little new",
            &|game| game.budgets.iter().any(repeated),
        ),
        (
            "Of some agents at most a bound of the classes of strength is known; they are left out of the mean",
            &|game| game.agents.iter().any(|agent| agent.ladder.classes.error.is_none()),
        ),
    ];
    for (caution, concerns) in cautions {
        let games = games.iter().filter(|game| concerns(game));
        let names: Vec<&str> = games.map(|game| game.game.as_str()).collect();
        if !names.is_empty() {
            notes.push(format!("{caution}: {}.", names.join(", ")));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::first_moves::{FirstMove, StartMoves};

    fn agent(values: [&[f64]; 2]) -> AgentReport {
        let budget = BudgetReport {
            simulations: 1,
            games: WinDrawLoss::default(),
            repeated: 0,
            score: None,
            draws: None,
            plies: None,
            branching: None,
            openings: None,
        };
        let start = |values: &[f64]| StartMoves {
            start: Some("somewhere".into()),
            actions: values
                .iter()
                .map(|&value| FirstMove {
                    action: "a".into(),
                    value,
                })
                .collect(),
        };
        AgentReport {
            game: "checkers-num".into(),
            rules_version: 1,
            agent: 1,
            training: crate::TrainingFacts {
                seed: 1,
                generations: 1,
                games: 1,
                rows: 1,
                samples: 1,
                steps: 1,
                weights: String::new(),
            },
            budgets: [budget.clone(), budget],
            first_moves: values.map(start).into(),
            ladder: crate::LadderReport {
                rungs: Vec::new(),
                class_elo: 191.0,
                classes: Classes {
                    value: Some(1.0),
                    error: None,
                    at_least: true,
                },
            },
        }
    }

    #[test]
    fn good_moves_are_counted_by_agents_and_by_their_means() {
        let agents = [
            agent([&[0.5, 0.46, 0.3], &[0.2, 0.6]]),
            agent([&[0.5, 0.40, 0.5], &[0.2, 0.6]]),
        ];
        let found = MovesReport::new(0.05, &agents).expect("agents");
        // Means of the first position: 0.5, 0.43, 0.4: one is good; of the second one too.
        assert_eq!((found.starts, found.actions, found.good), (2, 2.5, 1.0));
        let by_agent: Vec<f64> = found.by_agent.by_agent.iter().map(|agent| agent.value).collect();
        assert_eq!(by_agent, [1.5, 1.5]);
        assert!(found.moves.is_empty(), "positions differ");
        assert!(MovesReport::new(0.05, &[]).is_none());
    }
}
