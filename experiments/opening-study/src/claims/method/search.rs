//! Tests by searches.
//!
//! A search's value has no sampling error, but is one agent's opinion: another agent, or a deeper search, may disagree.
//! So a statement is supported if it holds, by the stated margin, for the last agent of every training run with each of
//! its two largest budgets, refuted if the opposite does, and open otherwise; and it decides a claim only if there are
//! [`LEAST_RUNS`] independently trained agents. Earlier agents of a run are in the evidence. Differences below the
//! margin, or below those between mirror images, count as none.

use serde_json::json;

use crate::evidence::search::{AgentEvidence, SearchEvidence};
use crate::{AgentFinding, AgentVariation, ClaimId, Effect, EffectUnit, Finding};
use chase_statistics::Verdict;

/// Smallest difference in score that counts: one game in fifty.
pub const MARGIN: f64 = 0.02;

/// Smallest number of independently trained agents with which searches decide.
pub const LEAST_RUNS: usize = 3;

/// Smallest number of distinct moves that counts as several: more than one move and its mirror image.
pub const SEVERAL: usize = 3;

/// The opinion of one agent's searches with one budget on a statement.
pub struct Opinion {
    pub agent: String,
    pub simulations: u32,
    /// `Some(true)` if it holds by the margin, `Some(false)` if the opposite does.
    pub holds: Option<bool>,
    pub effect: f64,
    pub details: serde_json::Value,
}

impl Opinion {
    fn of_agent(&self) -> AgentFinding {
        AgentFinding {
            agent: self.agent.clone(),
            verdict: self.holds.map_or(Verdict::Inconclusive, Verdict::of),
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
    pub(crate) fn finding(
        &self,
        claim: ClaimId,
        part: &str,
        opinions: &[Opinion],
        effect: (&str, EffectUnit),
        test: &str,
    ) -> Finding {
        let independent: Vec<&str> = self.independent().iter().map(|agent| agent.agent.as_str()).collect();
        let counts = |opinion: &&Opinion| independent.contains(&opinion.agent.as_str());
        let counted: Vec<&Opinion> = opinions.iter().filter(counts).collect();
        let agreeing = |holds| counted.iter().filter(|opinion| opinion.holds == Some(holds)).count();
        let verdict = match (counted.len(), agreeing(true), agreeing(false)) {
            (1.., agree, _) if agree == counted.len() => Verdict::Supported,
            (1.., _, oppose) if oppose == counted.len() => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        };
        let largest = counted
            .iter()
            .filter(|opinion| opinion.simulations == self.largest_budget());
        let effects: Vec<f64> = largest.map(|opinion| opinion.effect).collect();
        let effect = (!effects.is_empty()).then(|| Effect {
            name: effect.0.to_owned(),
            unit: effect.1,
            value: effects.iter().sum::<f64>() / effects.len() as f64,
            interval: None,
            level: None,
            error: None,
        });
        let summary = match &effect {
            None => "No agent searched it.".to_owned(),
            Some(effect) => format!(
                "The {} is {} with {} simulations{}; of {} searches by independent agents with the two largest budgets {} \
                 agree with the claim, {} contradict it.",
                effect.name,
                number(effect),
                self.largest_budget(),
                if effects.len() > 1 { ", on average" } else { "" },
                counted.len(),
                agreeing(true),
                agreeing(false),
            ),
        };
        let runs = independent.len();
        let test = format!(
            "{test}; every move is followed by a search of its own; supported if the last agent of every training run agrees \
             with each of its two largest budgets, refuted if all contradict; {runs} independently trained, and from \
             {LEAST_RUNS} on they decide; no interval: a search has no sampling error, and agents are too few"
        );
        let mut finding =
            Finding::empirical(claim, part, verdict, summary).with_test(runs as u64, "trained agents", test);
        finding.effect = effect;
        finding.evidence = json!(
            opinions
                .iter()
                .map(|opinion| json!({
                    "agent": opinion.agent, "simulations": opinion.simulations, "counts": counts(&opinion),
                    "agrees": opinion.holds, "effect": opinion.effect, "details": opinion.details,
                }))
                .collect::<Vec<_>>()
        );
        match independent[..] {
            [] => {}
            [agent] => finding.agent = Some(agent.to_owned()),
            _ => {
                let deepest = counted
                    .iter()
                    .filter(|opinion| opinion.simulations == self.largest_budget());
                let by_agent = deepest.map(|opinion| opinion.of_agent()).collect();
                finding = finding.with_agents(AgentVariation::of(by_agent));
            }
        }
        if runs < LEAST_RUNS {
            finding.as_context()
        } else {
            finding
        }
    }
}

/// The value of an effect: scores with three digits.
fn number(effect: &Effect) -> String {
    let digits = if effect.unit == EffectUnit::Score { 3 } else { 1 };
    format!("{:.digits$}", effect.value)
}
