//! Random games.

use chase_engine::Game;
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf, RolloutEvaluator};
use chase_statistics::generator;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// Plies after which a random game is cut off and scored as half a win. Random games of Chase are rarely this long.
const ROLLOUT_PLIES: u32 = 1000;

/// Random games from each leaf, with a generator derived from the leaf itself: results depend neither on the other
/// leaves of a batch nor on earlier ones.
pub(super) struct Rollouts {
    pub games: u32,
}

impl<G: Game> Evaluator<G> for Rollouts {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        for leaf in leaves {
            let key = leaf.game.key();
            let rng = generator(key as u64, &[(key >> 64) as u64]);
            let mut evaluator = RolloutEvaluator::new(self.games, ROLLOUT_PLIES, rng);
            evaluator.evaluate(std::slice::from_ref(leaf), evaluations)?;
        }
        Ok(())
    }
}

/// So many random games from each leaf of one decision, whose generator they draw from: games of a player differ.
pub(crate) fn seeded<G: Game>(games: u32, rng: &mut Xoshiro256PlusPlus) -> RolloutEvaluator<G> {
    RolloutEvaluator::new(games, ROLLOUT_PLIES, Xoshiro256PlusPlus::from_rng(rng))
}
