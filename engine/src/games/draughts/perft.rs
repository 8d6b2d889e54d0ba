//! Counting lines of play, the classical test and benchmark of move generation.

use super::position::Position;
use super::variant::Variant;

/// The number of lines of `depth` plies from a position: 1 for depth 0. A ply is one step or one jump.
///
/// Lines that end earlier do not count. The last ply is counted without being played.
pub fn perft<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_actions()),
        _ => {
            let mut nodes = 0;
            position.for_each_action(|action| {
                let mut next = position.copied();
                next.play_unchecked(action);
                nodes += perft(&next, depth - 1);
            });
            nodes
        }
    }
}

/// The number of lines of `depth` whole turns, as counts of draughts are published: [`perft`] in which a jump after
/// which the same piece continues costs no depth.
pub fn perft_turns<V: Variant>(position: &Position<V>, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 && !position.must_jump() {
        return u64::from(position.count_actions());
    }
    let mut nodes = 0;
    position.for_each_action(|action| {
        let mut next = position.copied();
        next.play_unchecked(action);
        nodes += perft_turns(&next, depth - u32::from(next.jumper().is_none()));
    });
    nodes
}
