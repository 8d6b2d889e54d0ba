//! What a network said of positions, kept for when a search comes to them again by another way.

use std::num::NonZeroUsize;

use chase_engine::search::{Evaluation, Evaluations};
use chase_engine::{Player, Wdl};
use lru::LruCache;
use ndarray::ArrayView3;
use twox_hash::XxHash3_64;

/// Evaluations of the positions seen last.
///
/// A position is known by who is to move and by its planes, all that a network sees: repetitions and counters are among
/// them. It is told from others by a hash of 64 bits, which two of a hundred thousand positions share by a chance of
/// 3 · 10⁻¹⁰.
#[derive(Debug)]
pub(super) struct EvaluationCache {
    kept: LruCache<u64, Kept>,
}

#[derive(Debug)]
struct Kept {
    wdl: Wdl,
    /// In the order of the legal actions.
    logits: Box<[f32]>,
}

impl EvaluationCache {
    pub(super) fn new(capacity: NonZeroUsize) -> Self {
        Self {
            kept: LruCache::new(capacity),
        }
    }

    /// How a position is known.
    pub(super) fn key(to_move: Player, planes: ArrayView3<'_, f32>) -> u64 {
        let hash = |planes: &[f32]| XxHash3_64::oneshot_with_seed(to_move as u64, bytemuck::cast_slice(planes));
        match planes.as_slice() {
            Some(planes) => hash(planes),
            None => hash(&planes.iter().copied().collect::<Vec<_>>()),
        }
    }

    /// Whether an evaluation is kept, and if so, that it was used now.
    pub(super) fn find(&mut self, key: u64) -> bool {
        self.kept.get(&key).is_some()
    }

    /// Appends what is kept to a batch.
    pub(super) fn push_onto(&self, evaluations: &mut Evaluations, key: u64) {
        if let Some(kept) = self.kept.peek(&key) {
            evaluations.push(kept.wdl, kept.logits.iter().copied());
        }
    }

    pub(super) fn insert(&mut self, key: u64, evaluation: Evaluation<'_>) {
        let kept = Kept {
            wdl: evaluation.wdl,
            logits: evaluation.logits.into(),
        };
        self.kept.put(key, kept);
    }
}
