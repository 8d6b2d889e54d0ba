//! What judges positions, as each kind of search asks: leaves of a tree at a time, or the games of a line of play.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use chase_engine::alpha_beta::{self, ByHeuristic, logistic};
use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf, RolloutEvaluator, UniformEvaluator};
use chase_engine::{Game, Outcome, Playable, Wdl};
use chase_models::Precision;
use chase_statistics::generator;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::contestant::{Place, need_heuristic};
use super::networks;
use super::spec::{EvaluatorSpec, SearchSpec};

/// A function that returns new evaluators of leaves, for one agent each.
pub type MakeEvaluator<G> = Arc<dyn Fn() -> Result<Box<dyn Evaluator<G> + Send>, String> + Send + Sync>;

/// Where residual networks come from.
pub trait Networks<G: Game> {
    /// Evaluators with the network of a checkpoint. Those that are `cached` may remember their evaluations, so that the
    /// last digits of one depend on those before.
    ///
    /// # Errors
    /// If it cannot be loaded or used.
    fn evaluators(&self, checkpoint: &Path, precision: Precision, cached: bool) -> anyhow::Result<MakeEvaluator<G>>;
}

/// No residual networks: where players have none.
#[derive(Clone, Copy, Debug)]
pub struct NoNetworks;

impl<G: Game> Networks<G> for NoNetworks {
    fn evaluators(&self, checkpoint: &Path, _: Precision, _: bool) -> anyhow::Result<MakeEvaluator<G>> {
        unreachable!("{} is a player without residual networks here", checkpoint.display())
    }
}

/// The evaluators of a player's leaves.
pub(super) fn of_leaves<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeEvaluator<G>> {
    Ok(match &spec.evaluator {
        EvaluatorSpec::Network(network) => networks::leaves(network, spec, place)?,
        EvaluatorSpec::Heuristic => {
            need_heuristic::<G>()?;
            Arc::new(|| Ok(Box::new(ByValue::new(ByHeuristic))))
        }
        EvaluatorSpec::Rollouts { games } => {
            let games = *games;
            Arc::new(move || Ok(Box::new(Rollouts { games })))
        }
        EvaluatorSpec::Uniform => Arc::new(|| Ok(Box::new(UniformEvaluator))),
    })
}

/// Largest logit of a score: that of a network which is certain is far from the value of a proven win.
const MOST_LOGIT: f64 = 20.0;

/// An evaluator of leaves as what alpha-beta judges positions by: one evaluation for each position at the horizon. It gains
/// nothing from the positions before.
pub(crate) struct ByLeaf<G: Game> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    evaluations: Evaluations,
    actions: Vec<G::Action>,
    failure: Arc<OnceLock<String>>,
}

impl<G: Game> ByLeaf<G> {
    /// `failure` is set once the evaluator has failed; values are then 0.
    pub fn new(evaluator: Box<dyn Evaluator<G> + Send>, failure: Arc<OnceLock<String>>) -> Self {
        Self {
            evaluator,
            evaluations: Evaluations::new(),
            actions: Vec::new(),
            failure,
        }
    }
}

impl<G: Game> alpha_beta::Evaluator<G> for ByLeaf<G> {
    // A node takes as long as hundreds of others.
    fn nodes_a_look(&self) -> u64 {
        1
    }

    fn value(&mut self, game: &G) -> i32 {
        game.legal_actions(&mut self.actions);
        // The length limit alone has ended the game, and no network sees what would follow.
        if self.actions.is_empty() {
            return 0;
        }
        let leaf = Leaf {
            game,
            actions: &self.actions,
        };
        if let Err(error) = self.evaluations.fill(&mut *self.evaluator, &[leaf]) {
            _ = self.failure.set(error.to_string());
            return 0;
        }
        let evaluation = self.evaluations.iter().next().expect("one leaf has one evaluation");
        // From both sides: where a network is certain, 1 minus the score may be rounded below 0.
        let (own, other) = (evaluation.wdl.score(), (-evaluation.wdl).score());
        let logit = (own / other).ln().clamp(-MOST_LOGIT, MOST_LOGIT);
        (1000.0 * logit).round() as i32
    }
}

/// Logit of an action that ends the game at once.
const CERTAIN: f64 = 10.0;

/// What alpha-beta judges positions by, as an evaluator of leaves: a leaf's value, and for each action the value of the
/// position after it as its policy. Its cost grows with the number of actions, which an evaluator that updates itself from
/// position to position bears. Equal priors would make every simulation go elsewhere.
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

/// Plies after which a random game is cut off and scored as half a win. Random games of Chase are rarely this long.
const ROLLOUT_PLIES: u32 = 1000;

/// Random games from each leaf, with a generator derived from the leaf itself: results depend neither on the other
/// leaves of a batch nor on earlier ones.
struct Rollouts {
    games: u32,
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Chase;
    use chase_engine::alpha_beta::Evaluator as _;

    use super::*;

    /// Certain of the same result everywhere, as a softmax in single precision is.
    struct Certain(Wdl);

    impl Evaluator<Chase> for Certain {
        fn evaluate(&mut self, leaves: &[Leaf<'_, Chase>], found: &mut Evaluations) -> Result<(), EvaluationError> {
            for leaf in leaves {
                found.push(self.0, leaf.actions.iter().map(|_| 0.0));
            }
            Ok(())
        }
    }

    #[test]
    fn certain_results_have_the_largest_logits() {
        let game = Chase::new(&Default::default());
        for (wdl, expected) in [
            (Wdl::new(1.0, 1e-9, 1e-12), 20_000),
            (Wdl::new(1e-12, 1e-9, 1.0), -20_000),
            (Wdl::new(1.0, 0.0, 0.0), 20_000),
            (Wdl::new(0.25, 0.5, 0.25), 0),
        ] {
            let mut judge = ByLeaf::<Chase>::new(Box::new(Certain(wdl)), Arc::default());
            assert_eq!(judge.value(&game), expected, "{wdl:?}");
        }
    }
}
