//! Stability of the ranking of the first moves, and noise of their values.

use serde::{Deserialize, Serialize};

use super::evidence::{AgentEvidence, SearchEvidence};
use crate::first_moves;
use chase_statistics::ranking::{kendall, spearman};

/// Stability of the ranking of the first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stability {
    /// For every agent: each budget against the next larger one.
    pub budgets: Vec<RankingAgreement>,
    /// Every pair of agents, with the largest budget.
    pub agents: Vec<RankingAgreement>,
    /// For every agent and budget: the values of the moves' own searches against their visits in the search of the
    /// initial position.
    pub visits: Vec<RankingAgreement>,
    /// For every agent and budget: the difference between first moves and their mirror images.
    pub mirror: Vec<MirrorDifference>,
}

/// Similarity of two rankings of the first moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RankingAgreement {
    /// Basis of the first ranking.
    pub first: String,
    /// Basis of the second ranking.
    pub second: String,
    /// First moves compared.
    pub moves: u64,
    /// Kendall's τ-b; `None` if all values of one side are equal.
    pub kendall: Option<f64>,
    /// Spearman's ρ.
    pub spearman: Option<f64>,
}

/// Difference in value between first moves and their mirror images. In the game they differ only in that the larger
/// half of a die leaves the Chamber on the left. So this is noise plus the game's chirality: an upper bound for the
/// noise.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MirrorDifference {
    /// Name of the agent.
    pub agent: String,
    /// Simulations of a search.
    pub simulations: u32,
    /// Root of the mean square difference of White's score between two mirror images.
    pub root_mean_square: f64,
    /// The largest difference.
    pub largest: f64,
    /// The move with the largest difference.
    pub largest_at: String,
}

impl Stability {
    /// Computes the stability from the results of searches. Incomplete rankings are left out.
    pub fn of(evidence: &SearchEvidence) -> Self {
        let at = |agent: &AgentEvidence, budget: u32| {
            let name = format!("{}, {budget} simulations", agent.agent);
            Some((name, agent.first_scores(budget)?))
        };
        let (mut budgets, mut visits, mut mirror) = (Vec::new(), Vec::new(), Vec::new());
        for agent in &evidence.agents {
            for pair in evidence.budgets.windows(2) {
                budgets.extend(agreement(at(agent, pair[0]), at(agent, pair[1])));
            }
            for &budget in &evidence.budgets {
                let own = at(agent, budget).map(|(name, scores)| (format!("{name}, value"), scores));
                let seen = root_visits(agent, budget).map(|visits| (format!("{}, visits", agent.agent), visits));
                visits.extend(agreement(own, seen));
                mirror.extend(mirror_difference(agent, budget));
            }
        }
        let largest = evidence.largest_budget();
        let mut agents = Vec::new();
        for (index, agent) in evidence.agents.iter().enumerate() {
            for other in &evidence.agents[..index] {
                agents.extend(agreement(at(other, largest), at(agent, largest)));
            }
        }
        Self {
            budgets,
            agents,
            visits,
            mirror,
        }
    }
}

fn agreement(first: Option<(String, Vec<f64>)>, second: Option<(String, Vec<f64>)>) -> Option<RankingAgreement> {
    let ((first, scores), (second, others)) = (first?, second?);
    Some(RankingAgreement {
        moves: scores.len() as u64,
        kendall: kendall(&scores, &others),
        spearman: spearman(&scores, &others),
        first,
        second,
    })
}

fn root_visits(agent: &AgentEvidence, budget: u32) -> Option<Vec<f64>> {
    let record = agent.branch(budget, &[])?;
    let moves = first_moves();
    moves
        .iter()
        .map(|first| Some(record.line(first.action())?.visits.into()))
        .collect()
}

/// The mirror difference of one agent with one budget; `None` if a value is missing.
pub fn mirror_difference(agent: &AgentEvidence, budget: u32) -> Option<MirrorDifference> {
    let (moves, scores) = (first_moves(), agent.first_scores(budget)?);
    let (mut squares, mut largest, mut largest_at) = (0.0, 0.0, String::new());
    for (index, first) in moves.iter().enumerate() {
        let mirror = moves.iter().position(|other| other.action() == first.mirror())?;
        let difference = (scores[index] - scores[mirror]).abs();
        squares += difference * difference;
        if difference > largest {
            (largest, largest_at) = (difference, first.text());
        }
    }
    Some(MirrorDifference {
        agent: agent.agent.clone(),
        simulations: budget,
        root_mean_square: (squares / moves.len() as f64).sqrt(),
        largest,
        largest_at,
    })
}
