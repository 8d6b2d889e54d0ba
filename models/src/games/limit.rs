//! Counters as fractions of their limits.

use std::num::NonZeroU32;

/// Fraction of a limit, at most 1 (a position set up by hand may exceed the limit).
pub(super) fn fraction(count: u32, limit: u32) -> f32 {
    if count >= limit {
        1.0
    } else {
        count as f32 / limit as f32
    }
}

/// Fraction of a limit; 0 if the limit is switched off.
pub(super) fn fraction_of(count: u32, limit: Option<NonZeroU32>) -> f32 {
    limit.map_or(0.0, |limit| fraction(count, limit.get()))
}

/// Earlier occurrences of a position, as a fraction of those that make a draw; 0 where none do, or the first already
/// does.
pub(super) fn repetition(occurrences: u32, limit: Option<NonZeroU32>) -> f32 {
    let earlier = occurrences.saturating_sub(1);
    limit.map_or(0.0, |limit| fraction(earlier, limit.get() - 1))
}
