//! Cells that dice reach, for the safety of dice: as [`Position::attacks`] has them, by vector instructions.

use std::sync::LazyLock;

use super::{Bitboard, CELLS, Position, Speed, geometry};
use crate::{Instructions, Player, dispatched};

/// Bitboards side by side, one for each direction in which a die may set out; two stay empty. The low 64 cells come
/// first, so that one vector holds those of all directions.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(64))]
pub(crate) struct Sheaf([[u64; 8]; 2]);

/// The ways of a die on a cell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ways {
    /// Cells that must have no obstacle.
    between: Sheaf,
    /// The last cell.
    target: Sheaf,
}

/// The ways of every speed on every cell: 124 KB.
pub(crate) type Table = [[Ways; Speed::ALL.len()]; CELLS];

// Not made at compile time: searches with 512 bits then visited a quarter fewer nodes per second.
static TABLE: LazyLock<Box<Table>> = LazyLock::new(|| {
    let mut table = Box::new([[Ways::default(); Speed::ALL.len()]; CELLS]);
    for cell in Bitboard::ALL {
        for (ways, speed) in table[cell.index()].iter_mut().zip(Speed::ALL) {
            for (direction, path) in geometry::paths(cell, speed).iter().enumerate() {
                let halves = [
                    (&mut ways.between, path.between.bits()),
                    (&mut ways.target, Bitboard::from_cell(path.target).bits()),
                ];
                for (Sheaf([low, high]), bits) in halves {
                    low[direction] = bits as u64;
                    high[direction] = (bits >> 64) as u64;
                }
            }
        }
    }
    table
});

/// The cells, the Chamber included, that some die of each player reaches by its exact speed over empty cells, whatever
/// stands there.
#[inline]
pub(super) fn reached(instructions: Instructions, position: &Position) -> [Bitboard; 2] {
    let table: &Table = &TABLE;
    let obstacles = position.occupied() | Bitboard::CHAMBER;
    Player::BOTH.map(|player| reached_by(instructions, table, position, player, obstacles.bits()))
}

dispatched! {
    /// The cells that dice of a player reach.
    reached_by(table: &Table, position: &Position, player: Player, obstacles: u128) -> Bitboard, reached_by_code
}

#[inline(always)]
fn reached_by_code(table: &Table, position: &Position, player: Player, obstacles: u128) -> Bitboard {
    let [low, high] = [obstacles as u64, (obstacles >> 64) as u64];
    let mut reached = Sheaf::default();
    for cell in position.dice(player) {
        let die = position.die(cell).expect("a player's dice are on the board");
        let Ways { between, target } = &table[cell.index()][usize::from(die.speed.pips()) - 1];
        for direction in 0..8 {
            let hindered = between.0[0][direction] & low | between.0[1][direction] & high;
            // Which ways are free is hard to predict, so there is no branch.
            let free = if hindered == 0 { u64::MAX } else { 0 };
            reached.0[0][direction] |= target.0[0][direction] & free;
            reached.0[1][direction] |= target.0[1][direction] & free;
        }
    }
    let [low, high] = reached.0.map(|half| half.iter().fold(0, |all, cells| all | cells));
    Bitboard::from_bits(u128::from(high) << 64 | u128::from(low))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::seq::IndexedRandom;

    use super::*;
    use crate::chase::Rules;
    use crate::{Chase, Game};

    #[test]
    fn dice_reach_what_the_rules_say_with_all_instructions() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut actions = Vec::new();
        for _ in 0..20 {
            let mut game = Chase::new(&Rules::default());
            while game.outcome().is_none() && game.plies() < 150 {
                let position = game.position();
                let expected = Player::BOTH.map(|player| position.attacks::<1>(player)[0]);
                for instructions in Instructions::available() {
                    assert_eq!(reached(instructions, position), expected, "{instructions:?} {position}");
                }
                game.legal_actions(&mut actions);
                game.apply(*actions.choose(&mut rng).expect("the game is not over"));
            }
        }
    }
}
