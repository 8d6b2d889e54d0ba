//! Counting lines of play, the classical test and benchmark of move generation.

use super::position::Position;
use super::variant::{Variant, on_board};

/// The number of lines of `depth` plies from a position: 1 for depth 0.
///
/// Lines that end earlier do not count. The last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => on_board!(position.variant, lines(position, depth)),
    }
}

fn lines<const JOINED: bool>(position: &Position, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(position.count_on::<JOINED>());
    }
    let mut nodes = 0;
    position.for_each_group::<JOINED>(&mut |group| {
        group.for_each(|action| {
            let mut next = *position;
            next.play_as::<JOINED>(group.kind, action);
            nodes += lines::<JOINED>(&next, depth - 1);
        });
    });
    nodes
}
