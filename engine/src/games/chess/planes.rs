//! Positions as planes of 8 × 8 numbers, ranks from the mover's side, files from a.
//!
//! If Black is to move, ranks are mirrored and the players are swapped, which is an exact symmetry. After AlphaZero's
//! (Silver et al., Science 362, 2018), for one position without the ones before it:
//!
//! | planes | content |
//! |---|---|
//! | 6 | own pawn, knight, bishop, rook, queen, king |
//! | 6 | the enemy's |
//! | 4 | castling on the king's and on the queen's side, own and the enemy's: on all cells |
//! | 1 | the cell where a pawn can be captured in passing |
//! | 1 | earlier occurrences of the position, as a fraction of those that make a draw, on all cells |
//! | 2 | turns since the last capture or move of a pawn, and turns before this one and White's, as fractions of their limits |

use std::num::NonZeroU32;

use super::castling::Wing;
use super::cell::Cell;
use super::game::Chess;
use super::piece::Kind;

/// The planes, by what they show.
pub const NAMES: [&str; 20] = [
    "own pawn",
    "own knight",
    "own bishop",
    "own rook",
    "own queen",
    "own king",
    "enemy pawn",
    "enemy knight",
    "enemy bishop",
    "enemy rook",
    "enemy queen",
    "enemy king",
    "own castling, king's side",
    "own castling, queen's side",
    "enemy castling, king's side",
    "enemy castling, queen's side",
    "en passant",
    "repetition",
    "quiet turns",
    "turns",
];

/// Calls `set` with every number that is not 0: plane, row, column, and the number.
pub fn for_each(game: &Chess, mut set: impl FnMut([usize; 3], f32)) {
    let position = game.position();
    let sides = [position.to_move(), !position.to_move()];
    let mut planes = 0..NAMES.len();
    let mut next = || planes.next().expect("as many planes as names");
    let mut set = |plane: usize, cell: Cell, value: f32| {
        let seen = cell.mirrored_for(sides[0]);
        set([plane, seen.rank(), seen.file()], value);
    };
    for player in sides {
        for kind in Kind::ALL {
            let plane = next();
            position.cells(player, kind).for_each(|cell| set(plane, cell, 1.0));
        }
    }
    let rights = sides.map(|player| Wing::BOTH.map(|wing| position.castling().has(player, wing)));
    let mut everywhere = rights
        .as_flattened()
        .iter()
        .map(|&has| f32::from(u8::from(has)))
        .collect::<Vec<_>>();
    let conventions = game.rules().conventions;
    let earlier = NonZeroU32::new(conventions.repetition.map_or(0, |limit| limit.get() - 1));
    let turns = 2 * (position.turn() - 1);
    everywhere.extend([
        fraction(game.occurrences() - 1, earlier),
        fraction(position.quiet_turns(), conventions.quiet_turns),
        fraction(turns, conventions.max_turns),
    ]);
    for (index, value) in everywhere.into_iter().enumerate() {
        if index == rights.as_flattened().len() {
            let plane = next();
            position.en_passant().into_iter().for_each(|cell| set(plane, cell, 1.0));
        }
        let plane = next();
        if value != 0.0 {
            Cell::all().for_each(|cell| set(plane, cell, value));
        }
    }
}

/// Fraction of a limit, at most 1; 0 if there is none.
fn fraction(count: u32, limit: Option<NonZeroU32>) -> f32 {
    limit.map_or(0.0, |limit| (count as f32 / limit.get() as f32).min(1.0))
}
