//! The place where a run's games are played.
//!
//! The loop offers groups of games of fixed composition and seeds, and collects the games of each: the same ones
//! whichever thread or machine plays them. Only the loop writes to the run's directory.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_models::inference::InferenceError;
use chase_models::shared_network::for_threads;
use chase_models::{Network, Precision};
use tch::Device;

use crate::config::Config;
use crate::game_record::{GroupOrigin, Purpose};
use crate::replay::shard::ShardError;
use crate::selfplay::{self, Carried, Counters, Group, GroupGames, NetworkEvaluator, SelfplayError, Settings};
use crate::store::serialised::json;
use crate::trainable::Trainable;

/// Groups of games to be played, and everything that the games depend on.
#[derive(Debug)]
pub struct Offer<'a, G: Trainable> {
    /// Directory of the run.
    pub run: &'a Path,
    /// Its configuration.
    pub config: &'a Config,
    /// The purpose of the games.
    pub purpose: Purpose,
    /// Their generation.
    pub generation: u64,
    /// The groups.
    pub groups: &'a [Group],
    /// Unfinished games that these groups go on with, if they leave others to the next generation; `None` if they play
    /// each of their games from its beginning to its end.
    pub carried: Option<&'a Carried<G>>,
    /// Folder of the checkpoint whose network plays.
    pub checkpoint: &'a Path,
    /// This network.
    pub network: &'a Network,
    /// The encoding of its input.
    pub encoding: &'a G::Encoding,
    /// The device of this process.
    pub device: Device,
    /// The arithmetic of inference.
    pub precision: Precision,
    /// The counters to add to.
    pub counters: &'a Counters,
    /// Set to ask for an early end.
    pub stop: &'a AtomicBool,
}

impl<G: Trainable> Offer<'_, G> {
    /// The origin, for a shard, of the games of a group, which the checkpoint of this name plays.
    pub fn origin(&self, group: &Group, model: &str) -> GroupOrigin {
        GroupOrigin {
            game: self.config.game.name(),
            generation: self.generation,
            purpose: self.purpose,
            group: group.number,
            model: model.to_owned(),
            run_seed: self.config.seed,
            rules: json(&self.config.rules),
            encoding: json(self.encoding),
            config_sha256: self.config.games_sha256(self.purpose),
        }
    }
}

/// Receives the games of each group once, in any order.
pub type Finished<'a, G> = dyn FnMut(&Group, GroupGames<G>) -> Result<(), ShardError> + 'a;

/// Called several times a second, with a warning if there is one.
pub type Tick<'a> = dyn FnMut(Option<String>) + 'a;

/// Plays the games of a run.
pub trait Venue<G: Trainable>: fmt::Debug {
    /// Returns when `finished` has received the games of every group, or soon after [`Offer::stop`] was set.
    ///
    /// # Errors
    /// If games cannot be played at all, or `finished` fails.
    fn play(
        &mut self,
        offer: &Offer<'_, G>,
        finished: &mut Finished<'_, G>,
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

impl<G: Trainable> Venue<G> for Here {
    fn play(
        &mut self,
        offer: &Offer<'_, G>,
        finished: &mut Finished<'_, G>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError> {
        let settings = Settings::<G>::new(offer.config, offer.purpose, offer.generation);
        let threads = offer.groups.len().min(offer.config.thread_count());
        let observe = |_| offer.counters.add_shared_batch();
        for_threads(
            offer.network,
            offer.device,
            offer.precision,
            threads,
            observe,
            |networks| {
                let evaluator = |network| NetworkEvaluator::<G, _>::new(network, offer.encoding.clone());
                let mut evaluators: Vec<_> = networks.into_iter().map(evaluator).collect();
                selfplay::play_on(
                    &mut evaluators,
                    offer.groups,
                    offer.carried,
                    &settings,
                    offer.stop,
                    offer.counters,
                    |group, games| Ok(finished(group, games)?),
                    || tick(None),
                )
            },
        )?
    }
}
