//! What an action gains at once.

use chase_engine::chase::{Action, Bitboard, LOST, Position, geometry};

/// Dice that an action wins for the player to move: those captured, and one if a die splits in the Chamber. A capture that ends the
/// game counts ten more.
pub(super) fn gain(position: &Position, action: Action) -> i32 {
    let Action::Move { from, direction } = action else {
        return 0;
    };
    let Some(die) = position.die(from) else {
        return 0;
    };
    // Most moves end on an empty cell, and need not be played to see that they gain nothing.
    let target = Bitboard::from_cell(geometry::path(from, direction, die.speed).target);
    if !target.intersects(position.occupied() | Bitboard::CHAMBER) {
        return 0;
    }
    let player = position.to_move();
    let lead = |position: &Position| position.dice(player).count() as i32 - position.dice(!player).count() as i32;
    let mut next = *position;
    next.play_unchecked(action);
    let wins = next.dice(!player).count() <= LOST;
    lead(&next) - lead(position) + if wins { 10 } else { 0 }
}
