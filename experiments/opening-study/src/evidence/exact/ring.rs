//! The six cells around the Chamber, and their attackers.

use chase_engine::Player;
use chase_engine::chase::{Bitboard, Cell, Position, geometry};

use super::lines::{arrow, attackers, names, with_turn};
use crate::{FirstMove, first_moves};
use chase_report::exhibit::{Board, Table};

/// The six cells around the Chamber.
pub fn ring() -> Bitboard {
    geometry::neighbours(Cell::CHAMBER)
}

/// The first move with this action, in exact form.
pub fn first(action: &str) -> Option<FirstMove> {
    let moves = first_moves();
    moves
        .into_iter()
        .find(|first| first.actions.iter().any(|known| known.to_string() == action))
}

/// White's attackers of each cell around the Chamber, one row per position.
pub fn ring_table(title: &str, note: &str, positions: &[(&str, Position)]) -> Table {
    let mut headings = vec!["position".to_owned()];
    headings.extend(ring().into_iter().map(|cell| cell.to_string()));
    let row = |(name, position): &(&str, Position)| {
        let mut row = vec![(*name).to_owned()];
        row.extend(
            ring()
                .into_iter()
                .map(|cell| names(attackers(position, Player::White, cell))),
        );
        row
    };
    Table {
        title: title.to_owned(),
        note: note.to_owned(),
        headings,
        rows: positions.iter().map(row).collect(),
    }
}

/// The position with an arrow from each of White's dice to the cells around the Chamber that it attacks.
pub fn ring_board(title: &str, note: &str, position: &Position) -> Board {
    let whites = with_turn(position, Player::White).unwrap_or(*position);
    let pairs = ring().into_iter().flat_map(|cell| {
        let dice = attackers(&whites, Player::White, cell).into_iter();
        dice.map(move |from| (from, cell))
    });
    Board {
        title: title.to_owned(),
        note: note.to_owned(),
        position: whites.to_string(),
        arrows: pairs.map(|(from, cell)| arrow(&whites, from, cell)).collect(),
        ..Board::default()
    }
}
