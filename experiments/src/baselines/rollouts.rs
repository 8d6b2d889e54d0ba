//! Tree search that judges positions by playing on at random, free of hand-made knowledge: what a search is worth without
//! a network.

use chase_engine::Game;
use chase_engine::search::{InvalidParams, PuctParams, RolloutEvaluator, Search, SearchParams, Strategy};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use crate::agent::{Agent, Decision, one_by_one};

/// Plies after which a random game is given up, half a win for either side. Random games of Chase rarely get so far.
const ROLLOUT_PLIES: u32 = 1000;

/// Monte Carlo tree search: PUCT with equal priors, each leaf valued by the results of random games.
#[derive(Debug)]
pub struct Rollouts<G: Game> {
    search: Search<G>,
    params: SearchParams,
    rollouts: u32,
}

impl<G: Game> Rollouts<G> {
    /// An agent that runs `simulations` simulations a decision, with `rollouts` random games (at least one) each.
    ///
    /// # Errors
    /// If `c_puct`, the weight of exploration, is not a number above 0.
    pub fn new(simulations: u32, rollouts: u32, c_puct: f32) -> Result<Self, InvalidParams> {
        let puct = PuctParams {
            c_puct,
            ..PuctParams::default()
        };
        let params = SearchParams {
            simulations,
            strategy: Strategy::Puct(puct),
            ..SearchParams::default()
        };
        params.validate()?;
        Ok(Self {
            search: Search::new(),
            params,
            rollouts,
        })
    }

    fn one(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> G::Action {
        let mut evaluator = RolloutEvaluator::new(self.rollouts, ROLLOUT_PLIES, Xoshiro256PlusPlus::from_rng(rng));
        self.search.clear();
        self.search.start(game, &self.params, rng).expect("validated when made");
        self.search.run(&mut evaluator).expect("rollouts give distributions");
        self.search.result().best_action().expect("the game is not over")
    }
}

impl<G: Game> Agent<G> for Rollouts<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Vec<G::Action> {
        one_by_one(decisions, |game, rng| self.one(game, rng))
    }
}
