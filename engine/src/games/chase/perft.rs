//! Counting lines of play, the classical test and benchmark of move generation.

use super::{Action, Position};

/// The number of lines of `depth` plies from a position: 1 for depth 0.
///
/// A ply is one decision; a forced absorption is none. Lines that end earlier do not count. The last ply is counted
/// without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.count_actions() as u64,
        _ => {
            let mut nodes = 0;
            position.for_each_action(|action| {
                let mut next = *position;
                next.play_unchecked(action);
                nodes += perft(&next, depth - 1);
            });
            nodes
        }
    }
}

/// [`perft`] by first action: its parts, in the order of [`Position::legal_actions`].
pub fn divide(position: &Position, depth: u32) -> Vec<(Action, u64)> {
    let mut parts = Vec::new();
    position.for_each_action(|action| {
        let mut next = *position;
        next.play_unchecked(action);
        parts.push((action, perft(&next, depth.saturating_sub(1))));
    });
    parts
}
