//! Tests by searches.
//!
//! A search's value has no sampling error, but is one agent's opinion: another agent, or a deeper search, may disagree.
//! So a statement is supported if it holds, by the stated margin, for the last agent of every training run with each of
//! its two largest budgets, refuted if the opposite does, and open otherwise; and it decides a claim only if there are
//! [`LEAST_RUNS`] independently trained agents. Earlier agents of a run are in the evidence. Differences below the
//! margin, or below those between mirror images, count as none.

use serde::Serialize;
use serde_json::json;

use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::search::{AgentEvidence, SearchEvidence};
use crate::{AgentFinding, AgentVariation, Finding};
use chase_statistics::Verdict;

/// Smallest difference in score that counts: one game in fifty.
pub const MARGIN: f64 = 0.02;

/// Smallest number of independently trained agents with which searches decide.
pub const LEAST_RUNS: usize = 3;

/// Smallest number of distinct moves that counts as several: more than one move and its mirror image.
pub const SEVERAL: usize = 3;

/// The opinion of one agent's searches with one budget on a statement.
#[derive(Serialize)]
pub struct Opinion {
    agent: String,
    simulations: u32,
    /// `Some(true)` if it holds by the margin, `Some(false)` if the opposite does.
    agrees: Option<bool>,
    effect: f64,
}

impl Opinion {
    pub fn of(agent: &AgentEvidence, simulations: u32, agrees: Option<bool>, effect: f64) -> Self {
        Self {
            agent: agent.agent.clone(),
            simulations,
            agrees,
            effect,
        }
    }

    fn of_agent(&self) -> AgentFinding {
        AgentFinding {
            agent: self.agent.clone(),
            verdict: self.agrees.map_or(Verdict::Inconclusive, Verdict::of),
            value: Some(self.effect),
            error: None,
            interval: None,
            n: 1,
        }
    }
}

impl SearchEvidence {
    /// The opinions of every agent with its two largest budgets; unavailable opinions are left out.
    pub(crate) fn ask(&self, opinion: impl Fn(&AgentEvidence, u32) -> Option<Opinion>) -> Vec<Opinion> {
        let largest = self.budgets.iter().rev().take(2).rev();
        let asked = largest.flat_map(|&budget| self.agents.iter().map(move |agent| (agent, budget)));
        asked.filter_map(|(agent, budget)| opinion(agent, budget)).collect()
    }

    /// A finding from opinions; only those of independent agents count.
    pub(crate) fn finding(&self, test: ClaimTest, opinions: &[Opinion]) -> Finding {
        let independent: Vec<&str> = self.independent().iter().map(|agent| agent.agent.as_str()).collect();
        let counted: Vec<&Opinion> = opinions
            .iter()
            .filter(|opinion| independent.contains(&opinion.agent.as_str()))
            .collect();
        let agreeing = |agrees| counted.iter().filter(|opinion| opinion.agrees == Some(agrees)).count();
        let verdict = match (counted.len(), agreeing(true), agreeing(false)) {
            (1.., agree, _) if agree == counted.len() => Verdict::Supported,
            (1.., _, oppose) if oppose == counted.len() => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        };
        let deepest = || {
            counted
                .iter()
                .filter(|opinion| opinion.simulations == self.largest_budget())
        };
        let runs = independent.len();
        let mean = Estimate {
            value: deepest().map(|opinion| opinion.effect).sum::<f64>() / deepest().count() as f64,
            interval: None,
            level: 0.0,
            error: None,
            n: runs as u64,
        };
        let test = test.measuring_agents().by(&format!(
            "every move is followed by a search of its own; supported if the last agent of every training run agrees with each of \
             its two largest budgets, refuted if all contradict; {runs} independently trained, and from {LEAST_RUNS} on they \
             decide; no interval: a search has no sampling error, and agents are too few"
        ));
        let finding = test.estimated((deepest().count() > 0).then_some(mean), None).saying(format!(
            "The mean of agents with {} simulations; of {} searches by independent agents with the two largest budgets {} agree \
             with the claim, {} contradict it.",
            self.largest_budget(),
            counted.len(),
            agreeing(true),
            agreeing(false),
        ));
        let finding = Finding {
            verdict,
            n: runs as u64,
            ..finding
        }
        .with_evidence(json!({ "opinions": opinions }));
        let finding = match independent[..] {
            [] => finding,
            [agent] => finding.with_agent(agent),
            _ => finding.with_agents(AgentVariation::of(
                deepest().map(|opinion| opinion.of_agent()).collect(),
            )),
        };
        if runs < LEAST_RUNS {
            finding.as_context()
        } else {
            finding
        }
    }
}
