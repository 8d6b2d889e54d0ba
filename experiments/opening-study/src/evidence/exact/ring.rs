//! The six cells around the Chamber, and their attackers.

use chase_engine::Player;
use chase_engine::chase::{Bitboard, Cell, Position, geometry};

use super::lines::{arrow, attackers, names, with_turn};
use crate::{Finding, FirstMove, first_moves};
use chase_report::exhibit::{Board, Table};

/// The six cells around the Chamber.
pub fn ring() -> Bitboard {
    geometry::neighbours(Cell::CHAMBER)
}

/// The first move with this action, in exact form.
pub fn first(action: &str) -> FirstMove {
    let named = |first: &FirstMove| first.actions.iter().any(|known| known.to_string() == action);
    let mut moves = first_moves().into_iter();
    moves.find(named).expect("the action is a legal first one")
}

/// Adds White's attackers of each cell around the Chamber, one row per position.
pub fn with_ring_table(finding: Finding, positions: &[(&str, Position)]) -> Finding {
    let cells = ring().into_iter().map(|cell| cell.to_string());
    let row = |(name, position): &(&str, Position)| {
        let attackers = ring()
            .into_iter()
            .map(|cell| names(attackers(position, Player::White, cell)));
        std::iter::once((*name).to_owned()).chain(attackers).collect()
    };
    finding.with_exhibit(Table {
        title: "White's attackers of the cells round the Chamber".into(),
        note: "Dice that reach the cell by exact count over empty cells.".into(),
        headings: std::iter::once("position".to_owned()).chain(cells).collect(),
        rows: positions.iter().map(row).collect(),
    })
}

/// The position with an arrow from each of White's dice to the cells around the Chamber that it attacks.
pub fn ring_board(title: &str, position: &Position) -> Board {
    let whites = with_turn(position, Player::White).unwrap_or(*position);
    let pairs = ring().into_iter().flat_map(|cell| {
        let dice = attackers(&whites, Player::White, cell).into_iter();
        dice.map(move |from| (from, cell))
    });
    Board {
        title: title.to_owned(),
        note: "Arrows: White's dice that attack a cell round the Chamber.".into(),
        position: whites.to_string(),
        arrows: pairs.map(|(from, cell)| arrow(&whites, from, cell)).collect(),
        ..Board::default()
    }
}
