//! Parts of learners of every kind: optimizers, the schedule of the learning rate, and the figures and failures of a
//! step.

mod losses;
mod optimizer;
mod schedule;

use chase_models::inference::InferenceError;
use chase_models::network::NetworkError;
use chase_nnue::WeightsError;
use tch::TchError;

pub use losses::Losses;
pub use optimizer::{Optimizer, flatten};
pub use schedule::rate;

use crate::settings::ConfigError;

/// Error returned by a step of a learner. The weights are as they were before it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum LearnError {
    /// The network cannot be evaluated.
    #[error(transparent)]
    Evaluation(InferenceError),
    /// The network of a generation gives numbers that are not finite.
    #[error(
        "training has diverged: the network after generation {generation} has outputs that are not finite, and is not \
         saved; `chase train --branch` with a lower learner.rate continues from the previous generation"
    )]
    Unsound { generation: u64 },
    /// The loss or a gradient is not finite.
    #[error("training has diverged at step {step}: the {what} is {value}; a lower learner.rate may help")]
    Diverged { step: u64, what: &'static str, value: f64 },
    /// The network must treat mirror images alike, and the game has no mirror.
    #[error("network.mirror is true, but this game has no mirror symmetry")]
    NoMirror,
    /// The network cannot be made or evaluated.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The network to begin with is wider than the one to be trained.
    #[error("network.width: {0}")]
    Weights(#[from] WeightsError),
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
}

impl LearnError {
    /// Checks a number that a step depends on.
    ///
    /// # Errors
    /// If it is not finite.
    pub(crate) const fn diverged(step: u64, what: &'static str, value: f64) -> Result<f64, Self> {
        match value.is_finite() {
            true => Ok(value),
            false => Err(Self::Diverged { step, what, value }),
        }
    }
}

/// Error returned when a learner cannot continue from a checkpoint.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum StateError {
    /// The state belongs to another learner.
    #[error("state of the learner: tensor `{tensor}` is {found}, expected {expected}")]
    Mismatch {
        tensor: String,
        /// Its shape in the state, or `absent`.
        found: String,
        /// Its shape here, or `absent`.
        expected: String,
    },
    /// The configuration is for another network than the checkpoint's.
    #[error(transparent)]
    Network(#[from] ConfigError),
    /// libtorch failed.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
}

/// Figures of one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// The losses before the step.
    pub losses: Losses,
    /// Norm of the gradient before it was clipped.
    pub gradient_norm: f64,
    /// The learning rate.
    pub rate: f64,
}
