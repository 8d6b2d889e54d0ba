//! Positions as a person or a file states them, before they are known to be legal.

use std::fmt;

use super::cell::CELLS;
use super::die::Die;
use super::position::{DICE, LOST, TOTAL};
use super::{Cell, Position};
use crate::Player;

/// A placement of dice that may break the rules, as a person or a file states it.
///
/// [`Setup::validate`] makes a [`Position`] of it, or lists everything that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The die on each cell, by [`Cell::index`].
    pub dice: [Option<Die>; CELLS],
    /// The player who acts next.
    pub to_move: Player,
    /// Turns, of either player, since the last capture or Chamber move.
    pub quiet_turns: u32,
    /// Number of the turn, from 1.
    pub turn: u32,
}

/// A fault of a [`Setup`] that is not a legal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum SetupFault {
    #[error("a die stands on E5, the Chamber")]
    DieInChamber,
    #[error("{} has {count} dice, more than {DICE}", .player.name())]
    TooManyDice { player: Player, count: usize },
    #[error("the dice of {} show {total} in total, more than {TOTAL}", .player.name())]
    TooManyPips { player: Player, total: u16 },
    #[error(
        "the dice of {} show {total} in total instead of {TOTAL}, and only the player to move can have points to absorb",
        .player.name()
    )]
    TooFewPips { player: Player, total: u16 },
    #[error("the {points} points that {} has to absorb can only go to {cell}: write the position after that", .player.name())]
    ForcedAbsorption { player: Player, points: u8, cell: Cell },
    #[error("turns are numbered from 1")]
    TurnZero,
}

/// Error returned for a [`Setup`] that is not a legal position: all its faults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupError {
    /// Never empty.
    pub faults: Vec<SetupFault>,
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a legal position: ")?;
        for (number, fault) in self.faults.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for SetupError {}

impl Setup {
    /// An empty board at the start of turn 1.
    pub const fn empty(to_move: Player) -> Self {
        Self {
            dice: [None; CELLS],
            to_move,
            quiet_turns: 0,
            turn: 1,
        }
    }

    /// The legal position that is meant.
    ///
    /// A position whose player to move has four dice or fewer is legal, and lost. One whose player to move has points
    /// to absorb is legal if there is a choice of dice; a forced absorption belongs to the ply before, and must have
    /// happened.
    ///
    /// # Errors
    /// With every reason why it is not legal.
    pub fn validate(&self) -> Result<Position, SetupError> {
        let mut faults = Vec::new();
        if self.dice[Cell::CHAMBER.index()].is_some() {
            faults.push(SetupFault::DieInChamber);
        }
        for player in Player::BOTH {
            let own = self.dice.iter().flatten().filter(|die| die.player == player);
            let (count, total) = own.fold((0, 0), |(count, total), die| {
                (count + 1, total + u16::from(die.speed.pips()))
            });
            if count > DICE {
                faults.push(SetupFault::TooManyDice { player, count });
            }
            if total > u16::from(TOTAL) {
                faults.push(SetupFault::TooManyPips { player, total });
            } else if total < u16::from(TOTAL) && player != self.to_move {
                faults.push(SetupFault::TooFewPips { player, total });
            }
        }
        if self.turn == 0 {
            faults.push(SetupFault::TurnZero);
        }
        if !faults.is_empty() {
            return Err(SetupError { faults });
        }
        let mut position = Position::empty(self.to_move, self.quiet_turns, self.turn);
        for cell in Cell::all() {
            if let Some(die) = self.dice[cell.index()] {
                position.place(die.player, die.speed, cell);
            }
        }
        position.missing = TOTAL - position.total(self.to_move);
        if let Some(cell) = position.forced_absorber() {
            let (player, points) = (self.to_move, position.missing);
            return Err(SetupError {
                faults: vec![SetupFault::ForcedAbsorption { player, points, cell }],
            });
        }
        debug_assert!(position.dice(self.to_move).count() > LOST || position.missing > 0);
        Ok(position)
    }
}

impl Position {
    /// The setup of this position.
    pub fn to_setup(&self) -> Setup {
        let mut setup = Setup::empty(self.to_move);
        for (cell, die) in self.all_dice() {
            setup.dice[cell.index()] = Some(die);
        }
        setup.quiet_turns = self.quiet_turns;
        setup.turn = self.turn;
        setup
    }
}
