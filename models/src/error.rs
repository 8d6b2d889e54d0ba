//! Errors of a network.

use std::sync::Arc;

use tch::TchError;

use crate::fused::FusedError;

/// Error returned when a batch cannot be evaluated.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum InferenceError {
    /// The input is empty, or its positions have other dimensions than the network's.
    #[error("input of dimensions {found:?}, expected at least one position of {expected:?}")]
    Input {
        /// Dimensions of the input, `[B, C, H, W]`.
        found: Vec<usize>,
        /// Dimensions of one position, `[C, H, W]`.
        expected: [usize; 3],
    },
    /// A policy logit was requested that no position of the batch has.
    #[error("policy logit {index} was requested from a batch with {size} policy logits")]
    Index {
        index: i64,
        /// Policy logits of the batch, `B · P · H · W`.
        size: usize,
    },
    /// The weights, or the part of the output that was read, are not finite: the network has diverged.
    #[error("the network's weights or its output are not finite: it has diverged")]
    NotFinite,
    /// The kernel of this program cannot evaluate the network.
    #[error(transparent)]
    Fused(#[from] FusedError),
    /// libtorch failed: out of memory, or a device was lost.
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
    /// A network shared by threads failed; every thread with positions in the batch gets the error.
    #[error("{0}")]
    Shared(Arc<InferenceError>),
    /// The thread that owned a shared network has panicked.
    #[error("the thread of the shared network has ended")]
    Ended,
}
