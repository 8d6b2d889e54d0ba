//! Searches all branches with all agents and budgets, and stores the results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use chase_engine::Player;
use chase_engine::chase::{Action, Rules};
use chase_training::store::files::FileError;
use chase_training::store::gather::{Gather, Receive, gather};

use super::branch::{Branch, BranchOrigin, BranchRecord};
use super::evidence::{AgentEvidence, SearchEvidence};
use super::remote::SearchFile;
use super::search_branch::search_branch;
use super::searcher::Searcher;
use crate::evidence::elsewhere::{self, Elsewhere};
use crate::evidence::error::EvidenceError;
use crate::evidence::games::{away_openings, four_openings};

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

/// Progress report while branches are searched. Reports about different branches come in any order.
#[derive(Clone, Copy, Debug)]
pub struct BranchFinished<'a> {
    /// Name of the agent.
    pub agent: &'a str,
    /// Simulations of every search of the branch.
    pub budget: u32,
    /// True if it was already stored.
    pub resumed: bool,
    /// Simulations done, including stored ones.
    pub simulations_done: u64,
    /// Planned simulations, as far as known.
    pub simulations_planned: u64,
}

impl SearchPlan {
    /// Searches the first moves, the replies to the first moves whose replies the article names, and the replies to
    /// each agent's best first move, on all threads of the current pool. A thread needs about 100 kB for each
    /// simulation of a search.
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
        searchers: &[Searcher],
        elsewhere: Option<&Elsewhere<'_>>,
        stop: &AtomicBool,
        on_event: &(dyn Fn(BranchFinished<'_>) + Sync),
    ) -> Result<SearchEvidence, EvidenceError> {
        self.check(searchers)?;
        let mut prefixes: Vec<Vec<Action>> = vec![Vec::new()];
        let answered = away_openings().into_iter().chain(four_openings());
        prefixes.extend(answered.map(|answered| vec![answered.first.action()]));
        let first: Vec<Branch> = prefixes
            .iter()
            .map(|prefix| Branch::after(prefix, &self.rules))
            .collect();
        let progress = Progress {
            done: AtomicU64::new(0),
            // One more branch for each agent, of about the same size.
            planned: self.simulations(&first) * searchers.len() as u64 * (first.len() as u64 + 1) / first.len() as u64,
            elsewhere,
            stop,
            on_event,
        };
        let mut agents = Vec::with_capacity(searchers.len());
        for (place, searcher) in searchers.iter().enumerate() {
            let mut records = self.search(folder, (place, searcher), &first, &progress)?;
            let best = best_first_move(&first[0], &records);
            if let Some(best) = best.filter(|&best| !prefixes.contains(&vec![best])) {
                let replies = Branch::after(&[best], &self.rules);
                records.extend(self.search(folder, (place, searcher), &[replies], &progress)?);
            }
            agents.push(AgentEvidence {
                agent: searcher.name.clone(),
                run: searcher.run.clone(),
                weights: searcher.weights.clone(),
                records,
            });
        }
        Ok(SearchEvidence {
            budgets: self.budgets.clone(),
            agents,
        })
    }

    fn check(&self, searchers: &[Searcher]) -> Result<(), EvidenceError> {
        let wrong = |what: String| Err(EvidenceError::Searches(what));
        if self.budgets.is_empty() || !self.budgets.is_sorted_by(|a, b| a < b) || self.budgets[0] == 0 {
            return wrong(format!(
                "budgets are {:?}, expected rising numbers from 1",
                self.budgets
            ));
        }
        for (index, searcher) in searchers.iter().enumerate() {
            let folder = folder_name(&searcher.name);
            if searchers[..index]
                .iter()
                .any(|other| folder_name(&other.name) == folder)
            {
                return wrong(format!(
                    "there are two agents `{}`, expected different ones",
                    searcher.name
                ));
            }
        }
        Ok(())
    }

    fn simulations(&self, branches: &[Branch]) -> u64 {
        let searches: u64 = branches
            .iter()
            .map(|branch| 1 + branch.continuations.len() as u64)
            .sum();
        searches * self.budgets.iter().map(|&budget| u64::from(budget)).sum::<u64>()
    }

    /// Searches branches with all budgets, the largest first: they take longest.
    fn search(
        &self,
        folder: &Path,
        (place, searcher): (usize, &Searcher),
        branches: &[Branch],
        progress: &Progress<'_>,
    ) -> Result<Vec<BranchRecord>, EvidenceError> {
        let folder = folder.join(folder_name(&searcher.name));
        fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        let largest_first = self.budgets.iter().rev();
        let units: Vec<Unit<'_>> = largest_first
            .flat_map(|&budget| {
                branches.iter().map(move |branch| Unit {
                    origin: self.origin(searcher, budget, branch),
                    branch,
                })
            })
            .collect();
        let work = Searching {
            folder,
            place,
            searcher,
            progress,
        };
        gather(&work, &units)?.ok_or(EvidenceError::Stopped)
    }

    fn origin(&self, searcher: &Searcher, budget: u32, branch: &Branch) -> BranchOrigin {
        BranchOrigin {
            agent: searcher.name.clone(),
            weights: searcher.weights.clone(),
            simulations: budget,
            search: searcher.strategy.into(),
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
    searcher: &'a Searcher,
    progress: &'a Progress<'a>,
}

impl<'a> Gather for Searching<'a> {
    type Unit = Unit<'a>;
    type Content = BranchRecord;
    type Kept = BranchRecord;
    type Bench = ();
    type Error = EvidenceError;

    fn stop(&self) -> &AtomicBool {
        self.progress.stop
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
        let searched = search_branch(self.searcher, unit.branch, unit.origin.clone(), self.progress.stop);
        searched.map_err(|error| EvidenceError::Evaluation {
            player: self.searcher.name.clone(),
            error,
        })
    }

    fn keep(&self, unit: &Unit<'a>, record: BranchRecord, stored: bool) -> Result<BranchRecord, EvidenceError> {
        self.progress.add(self.searcher, unit, stored);
        Ok(record)
    }

    fn elsewhere(&self, missing: &[&Unit<'a>], receive: &mut Receive<'_, Self>) -> Result<(), EvidenceError> {
        elsewhere::make(self.progress.elsewhere, missing, receive, |unit| {
            let (budget, after) = (unit.origin.simulations, unit.origin.prefix.join(" "));
            let title = format!(
                "searches of {budget} simulations after `{after}`: {}",
                self.searcher.name
            );
            let (searcher, origin) = (self.place, unit.origin.clone());
            (SearchFile { searcher, origin }, title, 0)
        })
    }
}

struct Progress<'a> {
    done: AtomicU64,
    planned: u64,
    elsewhere: Option<&'a Elsewhere<'a>>,
    stop: &'a AtomicBool,
    on_event: &'a (dyn Fn(BranchFinished<'_>) + Sync),
}

impl Progress<'_> {
    fn add(&self, searcher: &Searcher, unit: &Unit<'_>, resumed: bool) {
        let budget = unit.origin.simulations;
        let simulations = (1 + unit.branch.continuations.len() as u64) * u64::from(budget);
        (self.on_event)(BranchFinished {
            agent: &searcher.name,
            budget,
            resumed,
            simulations_done: simulations + self.done.fetch_add(simulations, Ordering::Relaxed),
            simulations_planned: self.planned,
        });
    }
}

fn best_first_move(start: &Branch, records: &[BranchRecord]) -> Option<Action> {
    // The records with the largest budget come first.
    let record = records.iter().find(|record| record.origin.prefix.is_empty())?;
    let best = record.best_for(Player::White)?;
    let mut continuations = start.continuations.iter().map(|continuation| continuation.actions[0]);
    continuations.find(|action| action.to_string() == best.action)
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
