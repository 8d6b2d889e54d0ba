//! Positions and actions of `moves23` as text; [the module](super) says how they look.

use std::fmt;
use std::str::FromStr;

use super::lines::Line;
use super::position::{Action, GOALS, Moves23Position, STONES, can_complete};
use super::{Cell, Field};
use crate::Outcome;
use crate::games::placement::cell::each;
use crate::games::placement::connection;
use crate::games::placement::reader::{Reader, Start};
use crate::games::placement::stones::LETTERS;
use crate::games::placement::turn::{Turn, empty_cell};
use crate::text_error::TextError;

/// Forms of actions.
const FORM: &str = "a cell like `h7`, or a line move like `f5:h7`, from the cell of the rear stone to the front";

impl fmt::Display for Moves23Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, side) = (self.stones.board_text(), LETTERS[self.to_move]);
        write!(f, "{board} {side} {}", self.turn.text::<Field>())
    }
}

/// Reads exactly what is written.
impl FromStr for Moves23Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let Start { stones, to_move, .. } = reader.start::<Field>()?;
        let after_line = |turn| turn == Turn::of(1);
        let (turn, placed) = Turn::read(&mut reader, &stones, to_move, STONES, after_line)?;
        reader.end()?;
        let mut position = Self {
            stones,
            to_move,
            turn,
            end: connection::winner(&stones, &GOALS).map(Outcome::Win),
        };
        for cell in position.placed() {
            if let Some(other) = each::<Field>(turn.placed & cell.lines() & !cell.bit()).next() {
                let message = format!(
                    "{cell} and {other} are in one row line: expected the stones of a turn in different row lines"
                );
                return Err(reader.wrong(message, placed));
            }
        }
        if position.end.is_some() {
            return Ok(position);
        }
        if turn == Turn::of(STONES) {
            position.end = position.is_stuck().then_some(Outcome::Draw);
        } else if !can_complete(position.free(), turn.left) {
            return Err(reader.wrong("no stones can complete this turn", placed));
        }
        Ok(position)
    }
}

impl Moves23Position {
    /// The legal action that a text names here.
    pub(super) fn read_action(&self, text: &str) -> Result<Action, TextError> {
        let illegal = |reason: String| TextError::illegal(reason, text, 0..text.len());
        let Some((rear, front)) = text.split_once(':') else {
            let cell = empty_cell(&self.stones, text, FORM)?;
            let action = Action::Place(cell);
            return match self.check_stone(cell) {
                Ok(()) => Ok(action),
                Err(reason) => Err(illegal(reason)),
            };
        };
        let read = |part: &str| Cell::from_text(part);
        let (Some(rear), Some(front)) = (read(rear), read(front)) else {
            return Err(TextError::expected(FORM, text, 0..text.len()));
        };
        self.check_line_move(rear, front)
            .map(|()| Action::Line { rear, front })
            .map_err(illegal)
    }

    /// The reason why a stone cannot be placed on an empty cell, as an error.
    fn check_stone(&self, cell: Cell) -> Result<(), String> {
        if let Some(other) = each::<Field>(self.turn.placed & cell.lines()).next() {
            return Err(format!(
                "{cell} is in one row line with {other}, where a stone of this turn is"
            ));
        }
        if !can_complete(self.free() & !cell.lines(), self.turn.left - 1) {
            return Err(format!("after a stone on {cell} no other can complete the turn"));
        }
        Ok(())
    }

    /// The reason why a line does not move in this way, as an error.
    fn check_line_move(&self, rear: Cell, front: Cell) -> Result<(), String> {
        let name = LETTERS[self.to_move];
        if !self.may_move_line() {
            let when = "at the start of a turn, and not of the first";
            return Err(format!("a line moves {when}; expected a stone"));
        }
        let (own, enemy) = (self.stones.of(self.to_move), self.stones.of(!self.to_move));
        let Some(direction) = rear.direction_to(front) else {
            return Err(format!("no row line leads from {rear} to {front}"));
        };
        let Some(line) = Line::from_rear(rear, direction, own) else {
            return Err(format!(
                "{rear} is not the rear stone of a line of {name} that way; a line has at least 2 stones"
            ));
        };
        let mut ends = Vec::new();
        line.for_each_move(own, enemy, |end| ends.push(end));
        if ends.contains(&front) {
            return Ok(());
        }
        let ends: Vec<_> = ends.iter().map(|end| format!("{rear}:{end}")).collect();
        let expected = match &ends[..] {
            [] => "it cannot move that way".to_owned(),
            ends => format!("expected {}", ends.join(" or ")),
        };
        Err(format!(
            "the line of {} stones from {rear} cannot reach {front}: {expected}",
            line.length()
        ))
    }
}
