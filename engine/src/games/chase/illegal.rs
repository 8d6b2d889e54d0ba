//! Reasons why an action is not legal.

use thiserror::Error;

use super::{Bitboard, Cell, Direction};
use crate::Player;

/// Error returned for an action that is not legal in a position, or in the game that led there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum IllegalAction {
    #[error("{} has lost already", .player.name())]
    GameOver { player: Player },
    #[error("{} has nothing to absorb", .player.name())]
    NothingToAbsorb { player: Player },
    #[error("{cell} cannot take the {points} points: expected a die of lowest speed, {}", list(*.dice))]
    NotLowest { points: u8, dice: Bitboard, cell: Cell },
    #[error("{} has {points} points to absorb first: expected {}", .player.name(), list(*.dice))]
    MustAbsorb { player: Player, points: u8, dice: Bitboard },
    #[error("there is no die on {cell}, and {} is to move", .player.name())]
    NoDie { player: Player, cell: Cell },
    #[error("the die on {cell} is not {}'s, who is to move", .player.name())]
    EnemyDie { player: Player, cell: Cell },
    #[error("a die on an edge row sets out inward: expected {from}{instead}, which is the same move")]
    Outward { from: Cell, instead: Direction },
    #[error("the die on {cell} stands in the way of the one on {from}")]
    Blocked { from: Cell, cell: Cell },
    #[error("the Chamber is in the way of the die on {from}, which would have to move through it")]
    ThroughChamber { from: Cell },
    #[error("the move from {from} would bump a die into the Chamber")]
    BumpIntoChamber { from: Cell },
    #[error("there is no cell {direction} of {from}")]
    OffBoard { from: Cell, direction: Direction },
    #[error("an exchange needs an own die on {cell}")]
    NoReceiver { cell: Cell },
    #[error("an exchange moves at least 1 point")]
    NoPoints,
    #[error("the {giver} on {from} cannot give {points}: at least 1 must remain")]
    GivesTooMuch { from: Cell, giver: u8, points: u8 },
    #[error("the {receiver} on {to} cannot take {points}: no die goes above 6")]
    ReceivesTooMuch { to: Cell, receiver: u8, points: u8 },
}

/// Absorptions of these dice in exact form, as a person would list them.
fn list(dice: Bitboard) -> String {
    let names: Vec<_> = dice.into_iter().map(|cell| format!("={cell}")).collect();
    names.join(" or ")
}
