//! The place where a run's games are played.
//!
//! The loop offers groups of games of fixed composition and seeds, and collects the games of each: the same ones
//! whichever thread or machine plays them. Only the loop writes to the run's directory.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_models::inference::InferenceError;
use tch::Device;

use crate::game_record::{GroupOrigin, Purpose};
use crate::kinds::{Kind, KindSettings};
use crate::replay::shard::ShardError;
use crate::selfplay::{Carried, Counters, Group, GroupGames, SelfplayError};
use crate::store::RunSettings;
use crate::store::serialised::json;

/// Groups of games to be played, and everything that the games depend on.
#[derive(Debug)]
pub struct Offer<'a, K: Kind> {
    /// Directory of the run.
    pub run: &'a Path,
    /// Its settings.
    pub settings: &'a K::Settings,
    /// The purpose of the games.
    pub purpose: Purpose,
    /// Their generation.
    pub generation: u64,
    /// The groups to be played.
    pub groups: &'a [Group],
    /// Unfinished games that these groups continue, if they leave others to the next generation; `None` if they play
    /// each of their games from its beginning to its end.
    pub carried: Option<&'a Carried<K::Game>>,
    /// Folder of the checkpoint whose network plays.
    pub checkpoint: &'a Path,
    /// The name, in files, of what plays.
    pub model: &'a str,
    /// The network of the checkpoint.
    pub player: K::Player<'a>,
    /// The device of this process.
    pub device: Device,
    /// The counters to add to.
    pub counters: &'a Counters,
    /// Set to ask for an early end.
    pub stop: &'a AtomicBool,
}

impl<K: Kind> Offer<'_, K> {
    /// The origin, for a shard, of the games of a group.
    pub fn origin(&self, group: &Group) -> GroupOrigin {
        GroupOrigin {
            game: self.settings.game().0,
            generation: self.generation,
            purpose: self.purpose,
            group: group.number,
            model: self.model.to_owned(),
            run_seed: self.settings.seed(),
            rules: json(self.settings.sections().rules),
            encoding: K::encoding(self.player),
            config_sha256: self.settings.games_sha256(self.purpose),
        }
    }
}

/// Receives the games of each group once, in any order.
pub type Finished<'a, G> = dyn FnMut(&Group, GroupGames<G>) -> Result<(), ShardError> + 'a;

/// Called several times a second, with a warning if there is one.
pub type Tick<'a> = dyn FnMut(Option<String>) + 'a;

/// Plays the games of a run.
pub trait Venue<K: Kind>: fmt::Debug {
    /// Returns when `finished` has received the games of every group, or soon after [`Offer::stop`] was set.
    ///
    /// # Errors
    /// If games cannot be played at all, or `finished` fails.
    fn play(
        &mut self,
        offer: &Offer<'_, K>,
        finished: &mut Finished<'_, K::Game>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError>;

    /// Called when the run has come to its end: it offers nothing more. Returns a warning if there is one.
    fn close(&mut self, run: &Path) -> Option<String> {
        _ = run;
        None
    }
}

/// Error returned when games cannot be played.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum VenueError {
    #[error(transparent)]
    Selfplay(#[from] SelfplayError),
    #[error(transparent)]
    Inference(#[from] InferenceError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// They are played elsewhere, and that failed.
    #[error(transparent)]
    Elsewhere(Box<dyn Error + Send + Sync>),
}

/// Plays all games in this process.
#[derive(Debug)]
pub struct Here;

impl<K: Kind> Venue<K> for Here {
    fn play(
        &mut self,
        offer: &Offer<'_, K>,
        finished: &mut Finished<'_, K::Game>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError> {
        K::play(offer, finished, tick)
    }
}
