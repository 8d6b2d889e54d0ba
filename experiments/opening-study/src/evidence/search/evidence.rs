//! Results of the searches of all agents.

use chase_engine::chase::Action;
use serde::{Deserialize, Serialize};

use super::branch::BranchRecord;
use crate::first_moves;

/// Results of the searches of all agents.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchEvidence {
    /// Simulations per search, in ascending order.
    pub budgets: Vec<u32>,
    /// The agents, in the given order.
    pub agents: Vec<AgentEvidence>,
}

/// Results of the searches of one agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentEvidence {
    /// Its name.
    pub agent: String,
    /// The training run that it comes from.
    pub run: String,
    /// SHA-256 of its weights; `None` without a network.
    pub weights: Option<String>,
    /// One record for each branch and budget.
    pub records: Vec<BranchRecord>,
}

impl AgentEvidence {
    /// The record of the branch after these actions, with this budget.
    pub fn branch(&self, budget: u32, prefix: &[Action]) -> Option<&BranchRecord> {
        let prefix: Vec<_> = prefix.iter().map(Action::to_string).collect();
        let mut records = self.records.iter();
        records.find(|record| record.origin.simulations == budget && record.origin.prefix == prefix)
    }

    /// White's score after each first move, in the order of [`first_moves`]; `None` if any is missing.
    pub fn first_scores(&self, budget: u32) -> Option<Vec<f64>> {
        let record = self.branch(budget, &[])?;
        let moves = first_moves();
        moves.iter().map(|first| record.line(first.action())?.score).collect()
    }
}

impl SearchEvidence {
    /// The agents that are independent of each other: the last one of each training run.
    pub fn independent(&self) -> Vec<&AgentEvidence> {
        let later = |index: usize| self.agents[index + 1..].iter();
        let agents = self.agents.iter().enumerate();
        let last = agents.filter(|&(index, agent)| later(index).all(|other| other.run != agent.run));
        last.map(|(_, agent)| agent).collect()
    }

    /// The largest budget.
    pub fn largest_budget(&self) -> u32 {
        self.budgets.last().copied().unwrap_or_default()
    }
}
