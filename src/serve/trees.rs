//! Trees of pages' analyses, kept for the next position: a page mostly continues from its last one.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chase_arena::analysis::{Analysis, AnalysisLimits};
use chase_engine::Chase;
use chase_engine::chase::{Action, Position, Rules};

use super::client::Client;
use super::evaluators::Checkpoint;
use super::game::Replay;

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
pub struct Slot(Arc<Mutex<Option<Tree>>>);

/// An analysis with everything that it depends on.
#[derive(Debug)]
pub struct Tree {
    judge: Judge,
    start: Position,
    rules: Rules,
    moves: Vec<Action>,
    pub analysis: Analysis,
}

/// The evaluator of a tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judge {
    Network(Checkpoint),
    Rollouts,
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
    pub fn hold(&self) -> MutexGuard<'_, Option<Tree>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tree {
    /// The analysis of a game's position: reuses the tree of this or an earlier position of the same game, or else
    /// starts a new one.
    pub fn of(kept: Option<Self>, judge: Judge, replay: &Replay, limits: AnalysisLimits) -> Self {
        let moves = replay.played();
        let rules = *replay.game.rules();
        let known = kept.filter(|tree| {
            let same = (&tree.judge, tree.start, tree.rules) == (&judge, replay.start, rules);
            same && moves.starts_with(&tree.moves)
        });
        if let Some(mut tree) = known {
            let news = &moves[tree.moves.len()..];
            if news.is_empty() {
                tree.analysis.go_on(limits);
            }
            if news.iter().all(|&action| tree.analysis.play(action, limits)) {
                tree.moves = moves;
                return tree;
            }
        }
        let game: Chase = replay.game.clone();
        Self {
            judge,
            start: replay.start,
            rules,
            moves,
            analysis: Analysis::with_memory_limit(game, limits, MEMORY),
        }
    }
}
