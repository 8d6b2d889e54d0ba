//! What alpha-beta judges positions by, as an evaluator of leaves: the policy is what the values of the next positions say.

use chase_engine::alpha_beta::{self, logistic};
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf};
use chase_engine::{Game, Outcome, Wdl};

/// Logit of an action that ends the game at once.
const CERTAIN: f64 = 10.0;

/// A leaf's value, and for each action the value of the position after it. Its cost grows with the number of actions, which
/// an evaluator that updates itself from position to position bears; equal priors would make every simulation go elsewhere.
pub(crate) struct ByValue<E> {
    evaluator: E,
}

impl<E> ByValue<E> {
    pub const fn new(evaluator: E) -> Self {
        Self { evaluator }
    }
}

impl<G: Game, E: alpha_beta::Evaluator<G>> Evaluator<G> for ByValue<E> {
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut Evaluations) -> Result<(), EvaluationError> {
        let evaluator = &mut self.evaluator;
        for Leaf { game, actions } in leaves {
            evaluator.begin(game);
            let value = evaluator.value(game);
            let score = logistic(evaluator.logit(game, value)) as f32;
            let mover = game.to_move();
            let logits = actions.iter().map(|&action| {
                let mut next = (*game).clone();
                next.apply(action);
                let logit = match next.outcome() {
                    Some(Outcome::Win(winner)) => match winner == mover {
                        true => CERTAIN,
                        false => -CERTAIN,
                    },
                    Some(Outcome::Draw | Outcome::Truncated) => 0.0,
                    None => {
                        evaluator.push(&next);
                        let value = evaluator.value(&next);
                        evaluator.pop();
                        let logit = evaluator.logit(&next, value).clamp(-CERTAIN, CERTAIN);
                        if next.to_move() == mover { logit } else { -logit }
                    }
                };
                logit as f32
            });
            evaluations.push(Wdl::new(score, 0.0, 1.0 - score), logits);
        }
        Ok(())
    }
}
