//! Branches that the workers of a cluster search.

use std::sync::atomic::AtomicBool;

use chase_engine::chase::{Action, Rules};
use serde::{Deserialize, Serialize};

use super::branch::{Branch, BranchOrigin, BranchRecord, LineRecord, action_text};
use super::search_branch::search_branch;
use super::searcher::Searcher;
use crate::evidence::strategy::StoredStrategy;

/// Purpose of these units.
pub(crate) const PURPOSE: &str = "searches";

/// A file of searches, as it is asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchFile {
    /// Index of the agent among those that search.
    pub searcher: usize,
    /// Everything that the result depends on.
    pub origin: BranchOrigin,
}

impl SearchFile {
    /// Searches the branch. The content of the file; `None` if it was stopped.
    ///
    /// # Errors
    /// The reason that it cannot be searched.
    pub fn play(&self, searcher: &Searcher, stop: &AtomicBool) -> Result<Option<Vec<u8>>, String> {
        let Self { origin, .. } = self;
        if searcher.weights != origin.weights || StoredStrategy::from(searcher.strategy) != origin.search {
            return Err("its agent is another one than the study has".into());
        }
        let rules: Rules = origin
            .rules
            .parse()
            .map_err(|_| "its conventions are none".to_owned())?;
        let prefix = origin.prefix.iter().map(|text| text.parse::<Action>());
        let prefix: Vec<Action> = prefix
            .collect::<Result<_, _>>()
            .map_err(|error| format!("its line of actions: {error}"))?;
        let branch = Branch::playable(&prefix, &rules).ok_or("its line of actions is not legal")?;
        let record = search_branch(searcher, &branch, origin.clone(), stop);
        let record = record.map_err(|error| error.to_string())?;
        Ok(record.map(|record| record.text().into_bytes()))
    }
}

impl BranchRecord {
    /// The record of a branch, from the content of its file, which comes from another machine.
    ///
    /// # Errors
    /// The reason that it cannot be the one that was asked for.
    pub(super) fn parse(content: &[u8], branch: &Branch, origin: &BranchOrigin) -> Result<Self, String> {
        let record: Self = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        if &record.origin != origin {
            return Err("it is the record of another branch, agent or budget".into());
        }
        if record.lines.len() != branch.continuations.len() {
            let (found, expected) = (record.lines.len(), branch.continuations.len());
            return Err(format!("it has {found} continuations, expected {expected}"));
        }
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let are_shares = |line: &LineRecord| {
            // Priors of several actions are added, and rounded.
            let mut shares = [line.score, line.draw, line.opinion, line.root_score]
                .into_iter()
                .flatten();
            shares.all(is_share) && (0.0..=1.001).contains(&line.prior)
        };
        for (continuation, line) in branch.continuations.iter().zip(&record.lines) {
            let texts: Vec<String> = continuation.actions.iter().map(Action::to_string).collect();
            let named = std::iter::once(&line.action).chain(&line.same);
            let is_right = named.eq(&texts)
                && line.text == action_text(branch.game.position(), continuation.actions[0])
                && are_shares(line)
                && line.visits <= origin.simulations
                && line
                    .proven
                    .as_deref()
                    .is_none_or(|proven| ["white", "black", "draw"].contains(&proven));
            if !is_right {
                return Err(format!("what it says of {} cannot be", line.action));
            }
        }
        if record.score.is_some_and(|score| !is_share(score)) {
            return Err("its score is none".into());
        }
        Ok(record)
    }
}
