//! Several agents in the same test: the mean of agents trained alike, and the variation between them.
//!
//! A claim about the game needs more than these agents: the verdict is on the mean of all agents that could be trained
//! alike, of which these are a sample (Hartung and Knapp).

use serde::{Deserialize, Serialize};

use super::claims::games::{Answer, Pool};
use super::finding::{Effect, Finding};
use chase_statistics::{Heterogeneity, Interval, RandomEffects, Verdict, deviation};

/// The finding of each agent, and the variation between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentVariation {
    /// Every agent, in the order of the study.
    pub by_agent: Vec<AgentFinding>,
    /// Smallest effect of an agent.
    pub least: Option<f64>,
    /// Largest effect of an agent.
    pub greatest: Option<f64>,
    /// Standard deviation between the agents' effects, from training and games together.
    pub deviation: Option<f64>,
    /// The variation between agents, without the variation of their games; `None` where standard errors by games are unknown, as
    /// for searches, or zero.
    pub apart: Option<Heterogeneity>,
}

/// The finding of one of several agents. Alone it decides nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentFinding {
    /// The agent, by its name in the provenance.
    pub agent: String,
    /// The verdict of its own games or searches, with an error probability shared by all agents.
    pub verdict: Verdict,
    /// Its effect, in the unit of the finding.
    pub value: Option<f64>,
    /// Standard error of its effect, by its games.
    pub error: Option<f64>,
    /// Interval of its effect; the intervals of all agents hold simultaneously.
    pub interval: Option<Interval>,
    /// The sample, in the unit of the finding.
    pub n: u64,
}

impl AgentVariation {
    /// Computes the variation from the findings of all agents.
    pub fn of(by_agent: Vec<AgentFinding>) -> Self {
        let effects: Vec<f64> = by_agent.iter().filter_map(|agent| agent.value).collect();
        let with_errors = by_agent.iter().map(|agent| Some((agent.value?, agent.error?)));
        let with_errors: Option<Vec<(f64, f64)>> = with_errors.collect();
        Self {
            least: effects.iter().copied().reduce(f64::min),
            greatest: effects.iter().copied().reduce(f64::max),
            deviation: deviation(&effects),
            apart: with_errors.and_then(|effects| Heterogeneity::of(&effects)),
            by_agent,
        }
    }
}

impl AgentFinding {
    /// An agent's own finding, in short form.
    fn of(agent: &str, finding: &Finding) -> Self {
        let effect = finding.effect.as_ref();
        Self {
            agent: agent.to_owned(),
            verdict: finding.verdict,
            value: effect.map(|effect| effect.value),
            error: effect.and_then(|effect| effect.error),
            interval: effect.and_then(|effect| effect.interval),
            n: finding.n,
        }
    }
}

/// The answers from the games of some players, with their verdicts: those of several agents on agents trained alike, of
/// which a verdict may use a part of its error, that of one agent on its own games. `ask` answers from the games of a pool.
pub(crate) fn judged(players: &[(usize, &str)], part_of_error: f64, ask: impl Fn(&Pool) -> Vec<Answer>) -> Vec<Answer> {
    let together = ask(&Pool::all(players.iter().map(|(player, _)| *player).collect())).into_iter();
    if let [] | [_] = players {
        let named = |answer: Answer| {
            let name = players.first().map(|(_, name)| (*name).to_owned());
            let agent = answer.finding.agent.clone().or(name);
            Answer {
                finding: Finding {
                    agent,
                    ..answer.finding
                },
                ..answer
            }
        };
        return together.map(named).collect();
    }
    let own = |&(player, name): &(usize, &str)| {
        let answers = ask(&Pool::alone(player, players.len())).into_iter();
        (name.to_owned(), answers.map(|answer| answer.finding).collect())
    };
    let by_agent: Vec<(String, Vec<Finding>)> = players.iter().map(own).collect();
    let over_agents = |answer: Answer| Answer {
        finding: over_agents(answer.finding, &by_agent, part_of_error),
        ..answer
    };
    together.map(over_agents).collect()
}

/// Gives a finding from the games of all agents the verdict on agents trained alike, which may use a part of its error,
/// and adds the finding of each agent. A finding that no agent has alone stays as it is.
fn over_agents(together: Finding, by_agent: &[(String, Vec<Finding>)], part_of_error: f64) -> Finding {
    let own = by_agent.iter().filter_map(|(agent, findings)| {
        let same = |own: &&Finding| (own.claim, &own.part) == (together.claim, &together.part);
        Some(AgentFinding::of(agent, findings.iter().find(same)?))
    });
    let own: Vec<AgentFinding> = own.collect();
    if own.is_empty() {
        return together;
    }
    let agents = AgentVariation::of(own);
    of_agents_trained_alike(together, agents, part_of_error)
}

/// Extends a finding to all agents that could be trained alike; the mean over these agents is kept too. With the numbers
/// of fewer than two agents it was not played.
fn of_agents_trained_alike(mut finding: Finding, agents: AgentVariation, part_of_error: f64) -> Finding {
    let effects: Vec<(f64, f64)> = agents
        .by_agent
        .iter()
        .filter_map(|agent| agent.value.zip(agent.error))
        .collect();
    finding.agents = Some(agents);
    let (Some(statement), Some(fixed)) = (finding.statement, finding.effect.clone()) else {
        return finding;
    };
    let Some(level) = fixed.level else { return finding };
    finding.verdict = Verdict::Inconclusive;
    let Some(random) = RandomEffects::of(&effects, 1.0 - part_of_error * (1.0 - level)) else {
        finding.n = 0;
        return finding.saying("Fewer than two agents have a number, so this was not played.");
    };
    let effect = Effect {
        value: random.mean,
        interval: Some(random.interval),
        level: Some(random.level),
        error: Some(random.error),
        ..fixed.clone()
    };
    finding.verdict = statement.verdict(&random.interval);
    finding.summary = format!(
        "Of agents trained alike, by {} of them. {effect}. Of these agents alone. {}",
        random.agents, finding.summary
    );
    finding.test += "; the verdict is on the mean of agents trained alike (Hartung and Knapp)";
    finding.effect = Some(effect);
    finding.these_agents = Some(fixed);
    finding
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::{Basis, ClaimId, ClaimedSide, EffectUnit, Statement};

    fn finding(value: f64, error: Option<f64>) -> Finding {
        let effect = Effect {
            name: "effect".to_owned(),
            unit: EffectUnit::score(),
            difference: false,
            value,
            interval: None,
            level: error.map(|_| 0.95),
            error,
        };
        Finding {
            effect: Some(effect),
            ..Finding::new(ClaimId::new('B', 9), "part", Basis::Empirical, Verdict::Inconclusive)
        }
    }

    fn stated(value: f64) -> Finding {
        let claimed = ClaimedSide::Above;
        Finding {
            statement: Some(Statement {
                claimed,
                threshold: 0.1,
            }),
            ..finding(value, Some(0.01))
        }
    }

    fn agents(values: &[f64], error: Option<f64>) -> Vec<(String, Vec<Finding>)> {
        let own = |(place, &value): (usize, &f64)| (place.to_string(), vec![finding(value, error)]);
        values.iter().enumerate().map(own).collect()
    }

    #[test]
    fn the_verdict_is_on_agents_trained_alike() {
        use Verdict::{Inconclusive, Refuted, Supported};
        for (values, expected) in [
            ([0.19, 0.2, 0.21], Supported),
            ([0.0, 0.01, -0.01], Refuted),
            ([0.5, 0.2, -0.1], Inconclusive),
        ] {
            let found = over_agents(stated(0.2), &agents(&values, Some(0.01)), 1.0);
            assert_eq!(found.verdict, expected, "{values:?}");
            assert!(found.summary.contains("trained alike"));
            assert_eq!(found.these_agents.unwrap().value, 0.2);
        }
        // A part of the error widens the interval.
        let close = [0.115, 0.12, 0.125];
        let verdict = |part| over_agents(stated(0.2), &agents(&close, Some(0.002)), part).verdict;
        assert_eq!([verdict(1.0), verdict(0.01)], [Supported, Inconclusive]);
        // One agent is no sample of agents.
        let found = over_agents(stated(0.2), &agents(&[0.2], Some(0.01)), 1.0);
        assert_eq!((found.verdict, found.n), (Inconclusive, 0));
    }

    #[test]
    fn agents_vary_apart_from_their_games() {
        let together = || finding(0.2, Some(0.07));
        let found = over_agents(together(), &agents(&[0.1, 0.3], Some(0.1)), 1.0);
        let agents_of = found.agents.unwrap();
        assert_eq!((agents_of.least, agents_of.greatest), (Some(0.1), Some(0.3)));
        assert!((agents_of.deviation.unwrap() - 0.02_f64.sqrt()).abs() < 1e-12);
        assert!((agents_of.apart.unwrap().tau - 0.1).abs() < 1e-9);
        // Without errors there is only the standard deviation.
        let found = over_agents(together(), &agents(&[0.1, 0.3], None), 1.0);
        let agents_of = found.agents.unwrap();
        assert!(agents_of.apart.is_none() && agents_of.deviation.is_some());
    }
}
