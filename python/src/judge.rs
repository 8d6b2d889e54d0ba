//! What alpha-beta search judges positions by.

use std::path::Path;
use std::sync::Arc;

use chase_engine::alpha_beta::{ByHeuristic, Evaluator, Settings};
use chase_engine::instructions::Instructions;
use chase_engine::{Encode, GameName, Heuristic};
use chase_nnue::{LineEvaluator, Network, StoredNetwork};

/// A judgement, of which each thread makes an evaluator.
#[derive(Clone, Debug)]
pub enum Judge {
    /// The hand-written heuristic of the game.
    Heuristic,
    /// An efficiently updatable network of a game.
    Updatable(GameName, Arc<Network>),
}

/// The evaluator of a judgement.
#[derive(Debug)]
pub enum Judging<G: Encode> {
    Heuristic(ByHeuristic),
    Updatable(LineEvaluator<'static, G>),
}

impl Judge {
    /// The network in a file, or in the folder with it; a built-in one by its name.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let stored = StoredNetwork::read(path).map_err(|error| error.to_string())?;
        let network = Network::quantise(&stored.weights).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self::Updatable(stored.game, Arc::new(network)))
    }

    /// The settings of a search, which are those of the program's players.
    pub const fn settings(&self) -> Settings {
        match self {
            Self::Heuristic => Settings::PLAIN,
            Self::Updatable(..) => Settings::STRONG,
        }
    }

    /// Succeeds if it judges positions of the game of this name.
    ///
    /// # Errors
    /// The game that it is for.
    pub fn fits(&self, name: &str) -> Result<(), String> {
        match self {
            Self::Updatable(game, _) if game.name() != name => {
                Err(format!("this network of alpha-beta search is for {game} alone"))
            }
            _ => Ok(()),
        }
    }

    /// A new evaluator.
    pub fn evaluator<G: Encode>(&self) -> Judging<G> {
        match self {
            Self::Heuristic => Judging::Heuristic(ByHeuristic),
            Self::Updatable(_, network) => {
                Judging::Updatable(LineEvaluator::shared(Arc::clone(network), Instructions::best()))
            }
        }
    }
}

impl<G: Encode + Heuristic> Evaluator<G> for Judging<G> {
    fn begin(&mut self, game: &G) {
        match self {
            Self::Heuristic(heuristic) => heuristic.begin(game),
            Self::Updatable(network) => network.begin(game),
        }
    }

    fn push(&mut self, game: &G) {
        match self {
            Self::Heuristic(heuristic) => heuristic.push(game),
            Self::Updatable(network) => network.push(game),
        }
    }

    fn pop(&mut self) {
        match self {
            Self::Heuristic(heuristic) => Evaluator::<G>::pop(heuristic),
            Self::Updatable(network) => network.pop(),
        }
    }

    fn value(&mut self, game: &G) -> i32 {
        match self {
            Self::Heuristic(heuristic) => heuristic.value(game),
            Self::Updatable(network) => network.value(game),
        }
    }
}
