//! Players that analyse for pages, kept with their trees for the next position: a page mostly continues from its last one.

use std::any::Any;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chase_arena::analysis::{AnalysisReport, ReportOptions};
use chase_arena::{Agent, Decision, Keep, PlayerSpec, SearchLimits, SearchTask, Usage};
use chase_engine::{Game, Playable};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::choice;
use super::client::Client;
use super::evaluators::{Evaluators, ServedCheckpoint};
use super::replay::Replay;

/// Number of pages whose last tree is kept.
const MOST: usize = 4;
/// Most bytes of a tree, about 150,000 simulations.
const MEMORY: usize = 128 << 20;

/// The player that searched last for each page, for the pages that analysed most recently.
#[derive(Debug, Default)]
pub struct Trees(Mutex<Vec<(Client, Slot)>>);

/// The player of a page. A search holds its lock: a newer search of the page, which ends the older one, waits for the
/// tree.
#[derive(Clone, Debug, Default)]
pub struct Slot(Arc<Mutex<Kept>>);

/// A [`Judge`] of any game.
pub type Kept = Option<Box<dyn Any + Send>>;

/// A player with the trees that it has grown.
struct Judge<G: Game> {
    player: PlayerSpec,
    /// Variants of a game may begin alike: their trees differ.
    rules: G::Rules,
    /// What its network was at the time.
    checkpoint: Option<ServedCheckpoint>,
    agent: Box<dyn Agent<G>>,
}

/// A search to be done, without the position.
#[derive(Debug)]
pub struct PageSearch {
    pub player: PlayerSpec,
    pub limits: SearchLimits,
    pub options: ReportOptions,
    pub every: std::time::Duration,
    pub evaluators: Arc<Evaluators>,
    /// Ends the search when set.
    pub stop: Arc<AtomicBool>,
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
pub fn search<G: Playable>(
    replay: &Replay<G>,
    search: &PageSearch,
    kept: &mut Kept,
    watch: &mut dyn FnMut(&AnalysisReport),
) -> Result<AnalysisReport, String> {
    let mut judge = Judge::<G>::of(kept.take(), replay, search)?;
    let actions = replay.played();
    let decision = Decision {
        game: &replay.game,
        start: &replay.start,
        actions: &actions,
        // Nothing is drawn in an analysis but what breaks ties.
        rng: &mut Xoshiro256PlusPlus::seed_from_u64(0),
    };
    let mut task = SearchTask {
        keep: Keep::OfGame,
        memory: MEMORY,
        every: Some(search.every),
        ..SearchTask::new(search.limits, search.options, &search.stop, watch)
    };
    let (_, report) = judge
        .agent
        .search(decision, &mut task)
        .map_err(|failure| failure.to_string())?;
    *kept = Some(Box::new(judge));
    Ok(report)
}

impl<G: Playable> Judge<G> {
    /// The player that is kept, if it is the one that is asked for, or a new one.
    fn of(kept: Kept, replay: &Replay<G>, search: &PageSearch) -> Result<Self, String> {
        let player = search.player.clone();
        let checkpoint = choice::checkpoint(replay.name, &player).map_err(|refusal| refusal.to_string())?;
        let known = kept.and_then(|kept| kept.downcast::<Self>().ok());
        let asked = (&player, &replay.rules, &checkpoint);
        let known = known.filter(|known| (&known.player, &known.rules, &known.checkpoint) == asked);
        if let Some(known) = known {
            return Ok(*known);
        }
        let agent = choice::agent::<G>(replay.name, &player, &search.evaluators, Usage::Analysis);
        Ok(Self {
            player,
            rules: replay.rules.clone(),
            checkpoint,
            agent: agent.map_err(|refusal| refusal.to_string())?,
        })
    }
}
