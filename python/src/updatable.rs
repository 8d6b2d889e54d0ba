//! Efficiently updatable networks, which alpha-beta search judges positions by.

use std::path::Path;
use std::sync::Arc;

use chase_engine::instructions::Instructions;
use chase_engine::{Encode, GameName};
use chase_nnue::{LineEvaluator, Network, StoredNetwork};

/// A network of a game, shared by all searches with it.
#[derive(Clone, Debug)]
pub struct Updatable {
    pub game: GameName,
    network: Arc<Network>,
}

impl Updatable {
    /// The network in a file, or in the folder with it; a built-in one by its name.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let stored = StoredNetwork::read(path).map_err(|error| error.to_string())?;
        let network = Network::quantise(&stored.weights).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self {
            game: stored.game,
            network: Arc::new(network),
        })
    }

    /// Succeeds if it judges positions of the game of this name.
    ///
    /// # Errors
    /// The game that it is for.
    pub fn check_game(&self, name: &str) -> Result<(), String> {
        match self.game.name() == name {
            true => Ok(()),
            false => Err(format!("this network of alpha-beta search is for {} alone", self.game)),
        }
    }

    /// A new evaluator.
    ///
    /// # Panics
    /// If the network is for another game.
    pub fn evaluator<G: Encode>(&self) -> LineEvaluator<Arc<Network>, G> {
        LineEvaluator::new(Arc::clone(&self.network), Instructions::best())
    }
}
