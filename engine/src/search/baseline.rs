//! Evaluators that use the rules alone: baselines for networks, and for measuring the search itself.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::{EvaluationError, Evaluations, Evaluator, Leaf};
use crate::{Game, Outcome, Wdl};

/// No opinion: all results and all actions are equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformEvaluator;

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        const THIRD: f32 = 1.0 / 3.0;
        for leaf in leaves {
            evaluations.push(Wdl::new(THIRD, THIRD, THIRD), leaf.actions.iter().map(|_| 0.0));
        }
        Ok(())
    }
}

/// Plays random games from the leaf and reports their results; all actions are equally likely.
#[derive(Clone, Debug)]
pub struct RolloutEvaluator<G: Game> {
    rollouts: u32,
    max_plies: u32,
    rng: Xoshiro256PlusPlus,
    game: Option<G>,
    actions: Vec<G::Action>,
}

impl<G: Game> RolloutEvaluator<G> {
    /// Creates an evaluator that plays `rollouts` games (at least one) from a leaf, each of at most `max_plies` plies.
    ///
    /// A game without a result, truncated or cut off at `max_plies`, counts as half a win and half a loss.
    pub fn new(rollouts: u32, max_plies: u32, rng: Xoshiro256PlusPlus) -> Self {
        Self {
            rollouts: rollouts.max(1),
            max_plies,
            rng,
            game: None,
            actions: Vec::new(),
        }
    }

    fn roll_out(&mut self, start: &G) -> Option<Outcome> {
        let game = match &mut self.game {
            Some(game) => {
                game.clone_from(start);
                game
            }
            empty => empty.insert(start.clone()),
        };
        for _ in 0..self.max_plies {
            if let Some(outcome) = game.outcome() {
                return Some(outcome);
            }
            game.legal_actions(&mut self.actions);
            game.apply(self.actions[self.rng.random_range(0..self.actions.len())]);
        }
        game.outcome()
    }
}

impl<G: Game> Evaluator<G> for RolloutEvaluator<G> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        for leaf in leaves {
            // Half results, counted in integers, so that the order of the games cannot matter.
            let (mut wins, mut draws, mut losses) = (0u64, 0u64, 0u64);
            for _ in 0..self.rollouts {
                match self.roll_out(leaf.game) {
                    Some(Outcome::Win(winner)) if winner == leaf.game.to_move() => wins += 2,
                    Some(Outcome::Win(_)) => losses += 2,
                    Some(Outcome::Draw) => draws += 2,
                    Some(Outcome::Truncated) | None => {
                        wins += 1;
                        losses += 1;
                    }
                }
            }
            let share = |halves: u64| (halves as f64 / (2.0 * f64::from(self.rollouts))) as f32;
            let wdl = Wdl::new(share(wins), share(draws), share(losses));
            evaluations.push(wdl, leaf.actions.iter().map(|_| 0.0));
        }
        Ok(())
    }
}
