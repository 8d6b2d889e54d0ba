//! Positions and actions of `lines9` as text; [the module](super) says how they look.

use std::fmt;
use std::str::FromStr;

use super::Field;
use super::position::{Action, END, Lines9Position, STONES};
use crate::games::placement::position::Position as _;
use crate::games::placement::reader::{Reader, Start};
use crate::games::placement::stones::LETTERS;
use crate::games::placement::turn::empty_cell;
use crate::text_error::TextError;

impl fmt::Display for Lines9Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, side) = (self.stones.board_text(), LETTERS[self.to_move]);
        let third = if self.third { "+" } else { "" };
        write!(f, "{board} {side} {}{third}", self.left)
    }
}

/// Reads exactly what is written.
impl FromStr for Lines9Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let Start { stones, to_move, .. } = reader.start::<Field>()?;
        let state = reader.field();
        let (left, third) = match reader.word(&state) {
            "2" => (2, false),
            "2+" => (2, true),
            "1" => (1, false),
            "1+" => (1, true),
            "0+" => (0, true),
            _ => {
                let what =
                    "`2`, `1` or `0`, the stones that must still be placed, with `+` if a third is allowed (`0+`)";
                return Err(reader.expected(what, state));
            }
        };
        reader.end()?;
        let position = Self::new(stones, to_move, left, third);
        if position.is_empty() && (left, third) != (1, false) {
            return Err(reader.expected("`1`: the first turn is one stone", state));
        }
        if left == STONES && third != position.is_behind(to_move) {
            let name = LETTERS[to_move];
            let what = match third {
                true => format!("`2`: {name} is not behind, and may not place a third stone"),
                false => format!("`2+`: {name} is behind, and may place a third stone"),
            };
            return Err(reader.expected(what, state));
        }
        Ok(position)
    }
}

impl Lines9Position {
    /// The legal action that a text names here.
    pub(super) fn read_action(&self, text: &str) -> Result<Action, TextError> {
        if text == END {
            return match self.is_legal(Action::End) {
                true => Ok(Action::End),
                false => {
                    let reason = match self.left {
                        0 => "the game is over".to_owned(),
                        left => format!("stones still to place in this turn: {left}; expected a cell"),
                    };
                    Err(TextError::illegal(reason, text, 0..text.len()))
                }
            };
        }
        empty_cell(
            &self.stones,
            text,
            "a cell like `e5`, or `end` instead of a third stone",
        )
        .map(Action::Place)
    }
}
