//! Tree search that judges positions by playing on at random, free of hand-made knowledge: what a search is worth
//! without a network.

use chase_engine::Game;
use chase_engine::search::{
    EvaluationError, InvalidParams, PuctParams, RolloutEvaluator, Search, SearchParams, Strategy,
};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Plies after which a random game is given up, half a win for either side. Random games of Chase rarely get so far.
const ROLLOUT_PLIES: u32 = 1000;

/// Result of a search by rollouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched<A> {
    /// The action to play.
    pub action: A,
    /// Plies of the line that the search expects.
    pub line: usize,
    /// Simulations that were run.
    pub simulations: u32,
}

/// Error returned for a search by rollouts that cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RolloutError {
    /// A parameter of the search is out of its range.
    #[error(transparent)]
    Params(#[from] InvalidParams),
    /// The search refused an evaluation.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The game is over.
    #[error("there is nothing to choose in a game that is over")]
    GameOver,
}

/// Monte Carlo tree search: PUCT with equal priors, each leaf valued by the results of random games.
#[derive(Debug)]
pub struct Rollouts<G: Game> {
    search: Search<G>,
    params: SearchParams,
    rollouts: u32,
}

impl<G: Game> Rollouts<G> {
    /// A player that runs `simulations` simulations a decision, with `rollouts` random games (at least one) each.
    ///
    /// Its searches fail if `c_puct`, the weight of exploration, is not a number above 0.
    pub fn new(simulations: u32, rollouts: u32, c_puct: f32) -> Self {
        let puct = PuctParams {
            c_puct,
            ..PuctParams::default()
        };
        Self {
            search: Search::new(),
            params: SearchParams {
                simulations,
                strategy: Strategy::Puct(puct),
                ..SearchParams::default()
            },
            rollouts,
        }
    }

    /// The choice in a game that is not over, and the size of the search that led to it.
    ///
    /// # Errors
    /// If the parameters are out of their ranges, or the game is over.
    pub fn search(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> Result<Searched<G::Action>, RolloutError> {
        let mut evaluator = RolloutEvaluator::new(self.rollouts, ROLLOUT_PLIES, Xoshiro256PlusPlus::from_rng(rng));
        self.search.clear();
        self.search.start(game, &self.params, rng)?;
        self.search.run(&mut evaluator)?;
        let result = self.search.result();
        Ok(Searched {
            action: result.best_action().ok_or(RolloutError::GameOver)?,
            line: result.principal_variation().len(),
            simulations: self.search.simulations(),
        })
    }
}
