//! Counting lines of play, the classical test and benchmark of move generation.

use super::position::Position;

/// The number of lines of `depth` plies from a position, by the rules alone: 1 for depth 0.
///
/// Lines that end earlier do not count. The last ply is counted without being played.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_actions()),
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
