//! Evaluators of positions, and analyses that advance together in batches.

use std::fmt;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::search::{self, EvaluationError, Evaluations, Evaluator, Leaf, RolloutEvaluator, UniformEvaluator};
use chase_engine::{Chase, Game};
use chase_models::Precision;
use chase_models::device::Device;
use chase_training::store::run_dir::RunDirError;
use chase_training::trainable::Trainable;
use chase_training::training_loop::checkpoint_folder;

use super::{Analysis, AnalysisLimits, EvaluatorSpec};
use crate::players::network::fused_precision;
use crate::players::{LoadError, NetworkSpec, network_evaluator};
use chase_statistics::generator;

/// Plies after which a random game is cut off and scored as half a win. Random games of Chase are rarely this long.
const ROLLOUT_PLIES: u32 = 1000;

/// Error returned when there is no evaluator.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is the failure of the part it names")]
pub enum AnalystError {
    #[error(transparent)]
    Run(#[from] RunDirError),
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Advances any number of analyses step by step, with one evaluator.
pub struct Analyst<G: Game = Chase> {
    name: String,
    evaluator: Box<dyn Evaluator<G> + Send>,
    evaluations: Evaluations,
    /// Leaves of one tree that the evaluator needs at a time to be fast.
    leaves: u32,
}

/// The precision in which analyses evaluate the network of a checkpoint on a device of this machine: that of this program's
/// kernel where a single search does best with it, else the faster one of libtorch.
pub fn precision(checkpoint: &Path, device: Device) -> Precision {
    fused_precision(checkpoint, device).unwrap_or_else(|| Precision::fastest(device))
}

impl<G: Game> fmt::Debug for Analyst<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Analyst").field(&self.name).finish()
    }
}

impl<G: Trainable> Analyst<G> {
    /// Creates an analyst with the evaluator that a text describes, for the only game of type `G`. `device` matters
    /// only for a network.
    ///
    /// # Errors
    /// If the checkpoint cannot be loaded or used.
    pub fn new(spec: &EvaluatorSpec, device: Device) -> Result<Self, AnalystError> {
        Self::for_game(G::NAME, spec, device)
    }

    /// As [`Analyst::new`], for the game of type `G` with this [name](Game::name).
    ///
    /// # Errors
    /// Also if the network is for another game.
    pub fn for_game(game: &str, spec: &EvaluatorSpec, device: Device) -> Result<Self, AnalystError> {
        let (leaves, evaluator): (_, Box<dyn Evaluator<G> + Send>) = match spec {
            EvaluatorSpec::Network(path) => {
                let folder = checkpoint_folder(path)?;
                let precision = precision(&folder, device);
                let leaves = if precision.is_fused() { 1 } else { NetworkSpec::BATCH };
                (leaves, Box::new(network_evaluator(game, &folder, device, precision)?))
            }
            EvaluatorSpec::Rollouts(games) => (1, Box::new(Rollouts { games: *games })),
            EvaluatorSpec::Uniform => (1, Box::new(UniformEvaluator)),
        };
        Ok(Self {
            leaves,
            ..Self::with_evaluator(spec.to_string(), evaluator)
        })
    }
}

impl<G: Game> Analyst<G> {
    /// Creates an analyst with an evaluator of this name.
    pub fn with_evaluator(name: impl Into<String>, evaluator: Box<dyn Evaluator<G> + Send>) -> Self {
        Self {
            name: name.into(),
            evaluator,
            evaluations: Evaluations::new(),
            leaves: 1,
        }
    }

    /// Creates an analyst that plays this many random games from each leaf, 1 to 1000.
    pub fn with_rollouts(games: u32) -> Self {
        Self::with_evaluator(EvaluatorSpec::Rollouts(games).to_string(), Box::new(Rollouts { games }))
    }

    /// The evaluator's name, as [`EvaluatorSpec`] writes it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Creates the analysis of a position with as many leaves at a time as the evaluator needs to be fast with one
    /// position.
    pub fn analysis(&self, game: G, limits: AnalysisLimits) -> Analysis<G> {
        Analysis::new(game, limits).with_leaves(self.leaves)
    }

    /// Advances every unfinished analysis by one step, with a single evaluation of all their leaves. Returns the number
    /// of leaves; 0 if all are finished.
    ///
    /// # Errors
    /// If the evaluator fails.
    pub fn step(&mut self, analyses: &mut [&mut Analysis<G>]) -> Result<usize, EvaluationError> {
        let searches = analyses.iter_mut().filter_map(|analysis| analysis.select());
        let mut searches: Vec<_> = searches.collect();
        search::step(&mut searches, &mut *self.evaluator, &mut self.evaluations)
    }

    /// Runs an analysis to its end. `watch` is called after every step, and may break it off.
    ///
    /// # Errors
    /// If the evaluator fails.
    pub fn run(
        &mut self,
        analysis: &mut Analysis<G>,
        mut watch: impl FnMut(&Analysis<G>) -> ControlFlow<()>,
    ) -> Result<(), EvaluationError> {
        while self.step(&mut [&mut *analysis])? > 0 {
            if watch(analysis).is_break() {
                analysis.stop();
            }
        }
        Ok(())
    }

    /// Runs an analysis to its end, or until `stop` is set.
    ///
    /// # Errors
    /// If the evaluator fails.
    pub fn run_until(&mut self, analysis: &mut Analysis<G>, stop: &AtomicBool) -> Result<(), EvaluationError> {
        self.run(analysis, |_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    }
}

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

#[cfg(test)]
mod tests {
    use chase_models::fused::{self, Use};
    use chase_models::{Architecture, shipped};

    use super::*;

    /// The most leaves of a tree that are evaluated together.
    fn most_leaves(spec: &EvaluatorSpec) -> usize {
        let mut analyst = Analyst::<Chase>::new(spec, Device::Cpu).expect("an evaluator");
        let limits = AnalysisLimits {
            simulations: Some(3000),
            time: None,
        };
        let mut analysis = analyst.analysis(Chase::new(&Default::default()), limits);
        let steps = std::iter::repeat_with(|| analyst.step(&mut [&mut analysis]).expect("a step"));
        steps.take_while(|&leaves| leaves > 0).max().unwrap_or(0)
    }

    #[test]
    fn leaves_are_evaluated_together_only_where_that_is_faster() {
        let kernel = fused::fastest(&Architecture::default(), Device::Cpu, Use::OneSearch);
        let expected = if kernel.is_some() {
            1
        } else {
            NetworkSpec::BATCH as usize
        };
        assert_eq!(most_leaves(&EvaluatorSpec::Network(shipped::NAME.into())), expected);
        assert_eq!(most_leaves(&EvaluatorSpec::Uniform), 1);
    }
}
