//! Trees of pages' analyses, kept for the next position: a page mostly continues from its last one.

use std::any::Any;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chase_arena::NnueSpec;
use chase_arena::analysis::{Analysis, AnalysisLimits, AnalysisReport, Analyst, LineAnalyst, ReportOptions};
use chase_engine::Game;
use chase_engine::alpha_beta::Limits;

use super::client::Client;
use super::evaluators::{Evaluators, ServedCheckpoint};
use super::replay::{Replay, Served};

/// Number of pages whose last tree is kept.
const MOST: usize = 4;
/// Most bytes of a tree, about 150,000 simulations.
const MEMORY: usize = 128 << 20;

/// The last tree of each page, for the pages that analysed most recently.
#[derive(Debug, Default)]
pub struct Trees(Mutex<Vec<(Client, Slot)>>);

/// The tree of a page. A search holds its lock: a newer search of the page, which ends the older one, waits for the
/// tree.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<Mutex<Kept>>);

/// A [`Tree`] of any game.
pub type Kept = Option<Box<dyn Any + Send>>;

/// An analysis with everything that it depends on.
#[derive(Debug)]
struct Tree<G: Game> {
    judge: TreeJudge,
    /// The first position as text.
    start: String,
    rules: G::Rules,
    moves: Vec<G::Action>,
    analysis: Analysis<G>,
}

/// A search to be done, without the position.
#[derive(Debug)]
pub struct SearchTask {
    pub judge: TreeJudge,
    /// Simulations, or nodes of an alpha-beta search.
    pub count: u64,
    pub time: Duration,
    pub options: ReportOptions,
    pub evaluators: Arc<Evaluators>,
    /// Ends an alpha-beta search when set.
    pub stop: Arc<AtomicBool>,
}

/// Sees an analysis after each step, by a function that makes its report, and may break it off.
pub type TreeWatch<'a> = dyn FnMut(&dyn Fn() -> AnalysisReport) -> ControlFlow<()> + 'a;

/// The evaluator of a tree, or the network of an alpha-beta search, which keeps no tree.
#[derive(Clone, Debug, PartialEq)]
pub enum TreeJudge {
    Network(ServedCheckpoint),
    Rollouts,
    Nnue(NnueSpec),
}

impl Trees {
    /// The slot for the tree of a page.
    pub fn slot(&self, client: &Client) -> Slot {
        let mut slots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = slots.iter().position(|(known, _)| known == client);
        let slot = known.map_or_else(Slot::default, |place| slots.remove(place).1);
        slots.push((client.clone(), slot.clone()));
        if slots.len() > MOST {
            slots.remove(0);
        }
        slot
    }
}

impl Slot {
    pub fn hold(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches the position of a game and returns the last report. The tree of `kept` is used if it is of this or an
/// earlier position of the same game, and replaced; after a failure there is none.
///
/// # Errors
/// If the network cannot be used.
pub fn search<G: Served>(
    replay: &Replay<G>,
    task: SearchTask,
    kept: &mut Kept,
    watch: &mut TreeWatch<'_>,
) -> Result<AnalysisReport, String> {
    let SearchTask {
        judge,
        count,
        time,
        options,
        evaluators,
        stop,
    } = task;
    let limits = AnalysisLimits {
        simulations: Some(u32::try_from(count).unwrap_or(u32::MAX)),
        time: Some(time),
    };
    let of_tree = judge.clone();
    let mut analyst: Analyst<G> = match judge {
        TreeJudge::Network(checkpoint) => {
            let precision = checkpoint.precision(evaluators.device());
            let lent = evaluators
                .lend::<G>(checkpoint, precision)
                .map_err(|refusal| refusal.to_string())?;
            Analyst::with_evaluator("network", Box::new(lent))
        }
        TreeJudge::Rollouts => Analyst::with_rollouts(1),
        TreeJudge::Nnue(spec) => {
            let mut analyst = LineAnalyst::new(&spec, replay.name.name()).map_err(|error| error.to_string())?;
            let limits = Limits {
                nodes: Some(count),
                time: Some(time),
                ..Limits::default()
            };
            let mut watch = |report: AnalysisReport| {
                if watch(&|| report.clone()).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            };
            return Ok(analyst.analyse(&replay.game, &limits, &options, &stop, &mut watch));
        }
    };
    let mut tree = Tree::of(kept.take(), of_tree, replay, limits);
    let ran = analyst.run(&mut tree.analysis, |analysis| watch(&|| analysis.report(&options)));
    ran.map_err(|error| error.to_string())?;
    let last = tree.analysis.report(&options);
    *kept = Some(Box::new(tree));
    Ok(last)
}

impl<G: Served> Tree<G> {
    /// The analysis of a game's position: reuses the tree of this or an earlier position of the same game, or else
    /// starts a new one.
    fn of(kept: Kept, judge: TreeJudge, replay: &Replay<G>, limits: AnalysisLimits) -> Self {
        let (moves, start) = (replay.played(), replay.start.position_text());
        let known = kept.and_then(|kept| kept.downcast::<Self>().ok()).filter(|tree| {
            let same = (&tree.judge, &tree.start, &tree.rules) == (&judge, &start, &replay.rules);
            same && moves.starts_with(&tree.moves)
        });
        if let Some(mut tree) = known {
            let news = &moves[tree.moves.len()..];
            if news.is_empty() {
                tree.analysis.go_on(limits);
            }
            if news.iter().all(|&action| tree.analysis.play(action, limits)) {
                tree.moves = moves;
                return *tree;
            }
        }
        Self {
            judge,
            start,
            rules: replay.rules.clone(),
            moves,
            analysis: Analysis::with_memory_limit(replay.game.clone(), limits, MEMORY),
        }
    }
}
