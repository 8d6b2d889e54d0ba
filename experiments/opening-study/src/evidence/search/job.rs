//! Searches of a branch, as a kind of work that other machines can do.

use chase_cluster::{Job, Task};
use chase_engine::chase::Action;
use chase_training::store::gather::FileContent;
use serde::{Deserialize, Serialize};

use super::branch::{Branch, BranchOrigin, BranchRecord};
use crate::evidence::judge::Judge;
use crate::evidence::workers::Terms;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SearchFile {
    /// Index of the agent among those that search.
    pub searcher: usize,
    /// Everything that the result depends on.
    pub origin: BranchOrigin,
}

impl Job for SearchFile {
    const KIND: &'static str = "study-searches";
    type Terms = Terms;
    type Output = BranchRecord;

    fn run(&self, terms: &Terms, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let (player, _folder) = terms.player(terms.design.players.len() + self.searcher, task)?;
        let judge = Judge::of(&player, task.device()).map_err(|error| error.to_string())?;
        let judge = judge.ok_or("it has searches of an agent without a network")?;
        let prefix: Result<Vec<Action>, _> = self.origin.prefix.iter().map(|text| text.parse()).collect();
        let prefix = prefix.map_err(|error| format!("its line of actions: {error}"))?;
        let branch = Branch::playable(&prefix, &terms.design.rules()).ok_or("its line of actions is not legal")?;
        let record = BranchRecord::of(&judge, &branch, self.origin.clone(), task.give_up());
        let record = record.map_err(|error| error.to_string())?;
        Ok(record.map(|record| record.text().into_bytes()))
    }

    fn check(&self, _: &Terms, content: Vec<u8>) -> Result<BranchRecord, String> {
        let record = BranchRecord::parse(&content)?;
        record.is_of(&self.origin).map(|()| record)
    }
}
