//! Counters as parts of their limits.

use std::num::NonZeroU32;

/// Part of a limit, at most 1 (a position set up by hand may lie beyond it).
pub(super) fn fraction(count: u32, limit: u32) -> f32 {
    if count >= limit {
        1.0
    } else {
        count as f32 / limit as f32
    }
}

/// Part of a limit that may be switched off, which is 0 then.
pub(super) fn fraction_of(count: u32, limit: Option<NonZeroU32>) -> f32 {
    limit.map_or(0.0, |limit| fraction(count, limit.get()))
}

/// Earlier occurrences of a position as part of those that make a draw: 0 where none do, or the first already does.
pub(super) fn repetition(occurrences: u32, limit: Option<NonZeroU32>) -> f32 {
    let earlier = occurrences.saturating_sub(1);
    limit.map_or(0.0, |limit| fraction(earlier, limit.get() - 1))
}
