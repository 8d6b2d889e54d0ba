//! The article form of actions and turns, for people, after Rodeffer & Neto, *Abstract Games* 9.
//!
//! An action is written as parts with `/` between them. First what the acting die does: `A3D5`, or `E4:F4` if it
//! captures. Then the step of every die that is bumped, `C7E6/E6:F6`, and behind `E5`, the Chamber, every exit with the
//! speed of the die that stands there then, left before right: `A7E5/D5=2/E6=2`, or `A7E5/:D5=2/E6=2` with a capture on
//! the left. Dice that an exit bumps follow it: `A7E5/D5=2/D5C4/E6=2`. An exchange is `1A6A7`.
//!
//! Behind an action that captures, a bracket lists the dice that absorb with their new speeds, in the order in which
//! they do: `E4:F4(C9=6/B1=6)`. Captures at both exits of the Chamber are absorbed as one amount, so that there is
//! never more than one bracket, and it stands at the end. Dice that had no choice are in it like those that were
//! chosen. Where a choice has not been made yet the bracket ends before it, and `=C9` can make it later.
//!
//! Where two directions bring a die to one cell with different results, the exact form stands for all parts: `F1NE`.

mod read;
mod write;

use std::fmt;

use super::course::{Cause, Leg};
use crate::chase::{Action, Cell, Direction, Position, Speed, geometry};

/// One part of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// A die goes from one cell to another: the one that acts, or one that is bumped.
    Step { from: Cell, to: Cell, captures: bool },
    /// A die comes out of the Chamber.
    Exit { cell: Cell, speed: Speed, captures: bool },
}

impl Part {
    fn of(leg: &Leg) -> Self {
        let &Leg { from, to, captures, .. } = leg;
        match leg.cause {
            Cause::Leaves(speed) => Self::Exit {
                cell: to,
                speed,
                captures,
            },
            Cause::Acts | Cause::Bumped => Self::Step { from, to, captures },
        }
    }

    fn with_captures(mut self, value: bool) -> Self {
        let (Self::Step { captures, .. } | Self::Exit { captures, .. }) = &mut self;
        *captures = value;
        self
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = |captures| if captures { ":" } else { "" };
        match *self {
            Self::Step { from, to, captures } => write!(f, "{from}{}{to}", colon(captures)),
            Self::Exit { cell, speed, captures } => write!(f, "{}{cell}={speed}", colon(captures)),
        }
    }
}

/// A die that took points: where it stands, and its new speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Absorbed {
    cell: Cell,
    speed: Speed,
}

impl fmt::Display for Absorbed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.cell, self.speed)
    }
}

impl Position {
    /// The parts of a legal move; none for other actions, which have only an exact form.
    fn parts(&self, action: Action) -> Vec<Part> {
        match action {
            Action::Move { .. } => self.course_unchecked(action).legs().iter().map(Part::of).collect(),
            Action::Exchange { .. } | Action::Absorb { .. } => Vec::new(),
        }
    }

    /// The cell to which the die on `from` comes in a direction if nothing hinders it.
    fn target(&self, from: Cell, direction: Direction) -> Cell {
        geometry::path(from, direction, self.speed_unchecked(from)).target
    }

    /// The moves of the die on `from`, legal or not, that end on a cell if nothing hinders them.
    fn moves_to(&self, from: Cell, to: Cell) -> impl Iterator<Item = Action> {
        let directions = geometry::directions(from).iter().copied();
        let hits = directions.filter(move |&direction| self.target(from, direction) == to);
        hits.map(move |direction| Action::Move { from, direction })
    }

    /// The dice that took points when this position became `after`, in the order in which they did; `chosen` is the one
    /// that the ply itself named.
    fn absorbed(&self, after: &Self, chosen: Option<Cell>) -> Vec<Absorbed> {
        let pips = |position: &Self, cell| position.speed_unchecked(cell).pips();
        // Only absorption changes the speed of a die whose owner did not make the turn, or chose.
        let dice = after.dice(after.to_move()).into_iter();
        let mut changed: Vec<Cell> = dice.filter(|&cell| pips(self, cell) != pips(after, cell)).collect();
        // The lowest die takes first. Two of equal speed are a choice, and then the chosen one comes before the other.
        changed.sort_by_key(|&cell| (pips(self, cell), chosen != Some(cell)));
        let entry = |cell| Absorbed {
            cell,
            speed: after.speed_unchecked(cell),
        };
        changed.into_iter().map(entry).collect()
    }
}
