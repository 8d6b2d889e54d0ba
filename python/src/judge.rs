//! What alpha-beta search judges positions by.

use std::any::{Any, TypeId};
use std::path::Path;
use std::sync::Arc;

use chase_engine::alpha_beta::{ByHeuristic, Evaluator, Settings};
use chase_engine::{Chase, Game, Heuristic};
use chase_nnue::{Kernel, LineEvaluator, Network, StoredNetwork};

/// A judgement, of which each thread makes an evaluator.
#[derive(Clone, Debug)]
pub enum Judge {
    /// The hand-written heuristic of the game.
    Heuristic,
    /// An efficiently updatable network, which is for Chase.
    Updatable(Arc<Network>),
}

/// The evaluator of a judgement.
#[derive(Debug)]
pub enum Judging {
    Heuristic(ByHeuristic),
    Updatable(LineEvaluator<'static>),
}

impl Judge {
    /// The network in a file, or in the folder with it; a built-in one by its name.
    ///
    /// # Errors
    /// If there is none.
    pub fn read(path: &Path) -> Result<Self, String> {
        let stored = StoredNetwork::read(path).map_err(|error| error.to_string())?;
        let network = Network::quantise(&stored.weights).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Self::Updatable(Arc::new(network)))
    }

    /// The settings of a search, which are those of the program's players.
    pub const fn settings(&self) -> Settings {
        match self {
            Self::Heuristic => Settings::PLAIN,
            Self::Updatable(_) => Settings::STRONG,
        }
    }

    /// True if it can judge games of this type.
    pub fn judges<G: Heuristic>(&self) -> bool {
        match self {
            Self::Heuristic => G::HAS_HEURISTIC,
            Self::Updatable(_) => TypeId::of::<G>() == TypeId::of::<Chase>(),
        }
    }

    /// A new evaluator.
    pub fn evaluator(&self) -> Judging {
        match self {
            Self::Heuristic => Judging::Heuristic(ByHeuristic),
            Self::Updatable(network) => Judging::Updatable(LineEvaluator::shared(Arc::clone(network), Kernel::best())),
        }
    }
}

/// The game as one of Chase.
fn chase<G: Game>(game: &G) -> &Chase {
    let game: Option<&Chase> = (game as &dyn Any).downcast_ref();
    game.expect("networks judge Chase only: `Judge::judges`")
}

impl<G: Heuristic> Evaluator<G> for Judging {
    fn begin(&mut self, game: &G) {
        match self {
            Self::Heuristic(heuristic) => Evaluator::begin(heuristic, game),
            Self::Updatable(network) => Evaluator::begin(network, chase(game)),
        }
    }

    fn push(&mut self, game: &G) {
        match self {
            Self::Heuristic(heuristic) => Evaluator::push(heuristic, game),
            Self::Updatable(network) => Evaluator::push(network, chase(game)),
        }
    }

    fn pop(&mut self) {
        match self {
            Self::Heuristic(heuristic) => Evaluator::<G>::pop(heuristic),
            Self::Updatable(network) => Evaluator::<Chase>::pop(network),
        }
    }

    fn value(&mut self, game: &G) -> i32 {
        match self {
            Self::Heuristic(heuristic) => Evaluator::value(heuristic, game),
            Self::Updatable(network) => Evaluator::value(network, chase(game)),
        }
    }
}
