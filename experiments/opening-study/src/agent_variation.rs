//! Variation between agents in the same test.

use serde::{Deserialize, Serialize};

use chase_statistics::Interval;
use chase_statistics::Verdict;
use chase_statistics::{Heterogeneity, deviation};

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
    /// The variation between agents without that of their games; `None` where standard errors by games are unknown, as
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
