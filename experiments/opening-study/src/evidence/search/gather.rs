//! Searches all branches with all agents and budgets, and stores the results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use chase_engine::chase::{Action, Rules};
use chase_training::store::files::FileError;
use chase_training::store::gather::{Gather, Receive, gather};

use super::branch::{Branch, BranchOrigin, BranchRecord};
use super::evidence::{AgentEvidence, SearchEvidence};
use super::job::SearchFile;
use crate::evidence::error::EvidenceError;
use crate::evidence::games::answered_openings;
use crate::evidence::judge::Judge;
use crate::evidence::workers::{self, Elsewhere};
use crate::evidence::{Counter, Finished};

/// The searches to do.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchPlan {
    /// Numbers of simulations, in ascending order; each branch is searched with each.
    pub budgets: Vec<u32>,
    /// The conventions of the game.
    pub rules: Rules,
    /// Seed of all randomness in the searches.
    pub seed: u64,
}

impl SearchPlan {
    /// Searches the first moves, and the replies to the first moves whose replies the article names, on all threads of the
    /// current pool, by each of the judges, given with its training run. A thread needs about 100 kB for each simulation of
    /// a search.
    ///
    /// Finished branches are stored in `folder`, one file each, and are not searched again: repeat an interrupted call
    /// with the same arguments. The result does not depend on the number of threads. The workers `elsewhere` search, or
    /// this process.
    ///
    /// # Errors
    /// If the plan is empty or agents share a name, a file is damaged or belongs to another plan, a search fails, or
    /// `stop` was set.
    pub fn gather(
        &self,
        folder: &Path,
        judges: &[(Judge, String)],
        elsewhere: Option<&Elsewhere<'_>>,
        stop: &AtomicBool,
        on_event: &(dyn Fn(Finished) + Sync),
    ) -> Result<SearchEvidence, EvidenceError> {
        self.check(judges)?;
        let replies = answered_openings().into_iter();
        let replies = replies.map(|answered| vec![answered.first.action()]);
        let branch = |prefix: Vec<Action>| Branch::playable(&prefix, &self.rules).expect("first moves are legal");
        let branches: Vec<Branch> = std::iter::once(Vec::new()).chain(replies).map(branch).collect();
        let counter = Counter::new(self.simulations(&branches) * judges.len() as u64, on_event);
        let mut agents = Vec::with_capacity(judges.len());
        for (place, (judge, run)) in judges.iter().enumerate() {
            agents.push(AgentEvidence {
                agent: judge.name.clone(),
                run: run.clone(),
                weights: judge.weights.clone(),
                records: self.search(
                    &branches,
                    Searching {
                        folder: folder.join(folder_name(&judge.name)),
                        place,
                        judge,
                        elsewhere,
                        stop,
                        counter: &counter,
                    },
                )?,
            });
        }
        Ok(SearchEvidence {
            budgets: self.budgets.clone(),
            agents,
        })
    }

    fn check(&self, judges: &[(Judge, String)]) -> Result<(), EvidenceError> {
        let wrong = |what: String| Err(EvidenceError::Searches(what));
        if self.budgets.is_empty() || !self.budgets.is_sorted_by(|a, b| a < b) || self.budgets[0] == 0 {
            return wrong(format!(
                "budgets are {:?}, expected rising numbers from 1",
                self.budgets
            ));
        }
        let folders: Vec<String> = judges.iter().map(|(judge, _)| folder_name(&judge.name)).collect();
        for (index, (judge, _)) in judges.iter().enumerate() {
            if folders[..index].contains(&folders[index]) {
                return wrong(format!(
                    "there are two agents `{}`, expected different ones",
                    judge.name
                ));
            }
        }
        Ok(())
    }

    fn simulations(&self, branches: &[Branch]) -> u64 {
        let searches: u64 = branches.iter().map(|branch| branch.continuations.len() as u64).sum();
        searches * self.budgets.iter().map(|&budget| u64::from(budget)).sum::<u64>()
    }

    /// Searches branches with all budgets, the largest first: they take longest.
    fn search(&self, branches: &[Branch], work: Searching<'_>) -> Result<Vec<BranchRecord>, EvidenceError> {
        fs::create_dir_all(&work.folder).map_err(FileError::of("create", &work.folder))?;
        let largest_first = self.budgets.iter().rev();
        let unit = |budget: u32, branch| Unit {
            origin: self.origin(work.judge, budget, branch),
            branch,
        };
        let units = largest_first.flat_map(|&budget| branches.iter().map(move |branch| unit(budget, branch)));
        gather(&work, &units.collect::<Vec<_>>())?.ok_or(EvidenceError::Stopped)
    }

    fn origin(&self, judge: &Judge, budget: u32, branch: &Branch) -> BranchOrigin {
        let settings = judge.settings.iter();
        BranchOrigin {
            agent: judge.name.clone(),
            weights: judge.weights.clone(),
            simulations: budget,
            settings: settings
                .map(|(key, value)| ((*key).to_owned(), value.clone()))
                .collect(),
            rules: self.rules.to_string(),
            seed: self.seed,
            prefix: branch.prefix_text(),
        }
    }
}

/// A branch to be searched.
struct Unit<'a> {
    origin: BranchOrigin,
    branch: &'a Branch,
}

/// The searches of one agent.
struct Searching<'a> {
    folder: PathBuf,
    /// The number of the agent.
    place: usize,
    judge: &'a Judge,
    /// Workers that search instead of this process.
    elsewhere: Option<&'a Elsewhere<'a>>,
    stop: &'a AtomicBool,
    counter: &'a Counter<'a>,
}

impl<'a> Gather for Searching<'a> {
    type Unit = Unit<'a>;
    type Content = BranchRecord;
    type Kept = BranchRecord;
    type Bench = ();
    type Error = EvidenceError;

    fn stop(&self) -> &AtomicBool {
        self.stop
    }

    fn file(&self, unit: &Unit<'a>) -> PathBuf {
        let name = match &unit.origin.prefix[..] {
            [] => "start".to_owned(),
            actions => actions.join("-"),
        };
        self.folder.join(format!("{name}-{}.json", unit.origin.simulations))
    }

    fn check(&self, unit: &Unit<'a>, record: &BranchRecord) -> Result<(), String> {
        record.is_of(&unit.origin)
    }

    fn make(&self, (): &mut (), unit: &Unit<'a>) -> Result<Option<BranchRecord>, EvidenceError> {
        let searched = BranchRecord::of(self.judge, unit.branch, unit.origin.clone(), self.stop);
        searched.map_err(|error| EvidenceError::Evaluation {
            player: self.judge.name.clone(),
            error,
        })
    }

    fn keep(&self, unit: &Unit<'a>, record: BranchRecord, stored: bool) -> Result<BranchRecord, EvidenceError> {
        let searches = unit.branch.continuations.len() as u64;
        self.counter.add(searches * u64::from(unit.origin.simulations), stored);
        Ok(record)
    }

    fn elsewhere(&self, missing: &[&Unit<'a>], receive: &mut Receive<'_, Self>) -> Result<(), EvidenceError> {
        workers::make(self.elsewhere, missing, receive, |unit| {
            let (budget, after) = (unit.origin.simulations, unit.origin.prefix.join(" "));
            let title = format!("searches of {budget} simulations after `{after}`: {}", self.judge.name);
            let (searcher, origin) = (self.place, unit.origin.clone());
            (SearchFile { searcher, origin }, title, 0)
        })
    }
}

/// A valid folder name on every system; names that differ in special characters only may share one, which is refused.
fn folder_name(agent: &str) -> String {
    let fold = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
    agent
        .chars()
        .map(fold)
        .collect::<String>()
        .trim_matches(['-', '.'])
        .to_owned()
}
