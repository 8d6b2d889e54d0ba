//! Failures of a network.

use std::sync::Arc;

use tch::TchError;

/// Why a batch could not be evaluated.
#[derive(Debug, thiserror::Error)]
pub enum InferenceError {
    /// The input is of other positions than the network knows, or of none.
    #[error("input of dimensions {found:?}, expected at least one position of {expected:?}")]
    Input {
        /// Dimensions of the input, `[B, C, H, W]`.
        found: Vec<usize>,
        /// Dimensions of one position, `[C, H, W]`.
        expected: [usize; 3],
    },
    /// A policy logit is asked for that no position of the batch has.
    #[error("policy logit {index} of a batch that has {size}")]
    Index {
        /// The first such index.
        index: i64,
        /// Policy logits of the batch, `B · P · H · W`.
        size: usize,
    },
    /// The network's weights, or what was read of its output, are infinities or no numbers: it has diverged.
    #[error("the network's weights or its output are not finite: it has diverged")]
    NotFinite,
    /// libtorch failed: out of memory, or a device was lost.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
    /// A network that threads share failed; each of those whose batch it was is told.
    #[error("{0}")]
    Shared(Arc<InferenceError>),
    /// The thread that owned a shared network has ended by a panic.
    #[error("the thread of the shared network has ended")]
    Ended,
}
