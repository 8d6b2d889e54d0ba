//! Keys of positions: one random number of 128 bits for every die on every cell, combined by exclusive or.

use super::Cell;
use super::cell::CELLS;
use super::die::Speed;
use crate::hash::split_mix;
use crate::{ByPlayer, Player};

/// The key of "Black is to move".
const BLACK_TO_MOVE: u128 = random(0);

static DICE: ByPlayer<[[u128; CELLS]; 6]> = {
    let mut table = [[[0; CELLS]; 6]; 2];
    let mut number = 0;
    while number < 2 * 6 * CELLS {
        table[number / (6 * CELLS)][number / CELLS % 6][number % CELLS] = random(number as u64 + 1);
        number += 1;
    }
    ByPlayer(table)
};

/// The `number`-th constant: two outputs of SplitMix64 (Steele, Lea and Flood 2014).
const fn random(number: u64) -> u128 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    (split_mix(GOLDEN.wrapping_mul(2 * number + 1)) as u128) << 64
        | split_mix(GOLDEN.wrapping_mul(2 * number + 2)) as u128
}

/// The key of one die.
#[inline]
pub(super) fn die(player: Player, speed: Speed, cell: Cell) -> u128 {
    DICE[player][speed.pips() as usize - 1][cell.index()]
}

/// The key of the player to move.
#[inline]
pub(super) const fn to_move(player: Player) -> u128 {
    match player {
        Player::White => 0,
        Player::Black => BLACK_TO_MOVE,
    }
}

/// The change of a key when the other player is to move.
#[inline]
pub(super) const fn turn_passes() -> u128 {
    BLACK_TO_MOVE
}
