//! Positions and actions of `tetra24` as text; [the module](super) says how they look.

use std::fmt;
use std::str::FromStr;

use super::position::{Action, END, PASSES, STONES, Tetra24Position};
use super::shapes::Tetrahex;
use super::{Cell, Field};
use crate::Player;
use crate::games::placement::cell::each;
use crate::games::placement::hexagon::Hexagon;
use crate::games::placement::position::Position as _;
use crate::games::placement::reader::Reader;
use crate::games::placement::stones::LETTERS;
use crate::games::placement::turn::{Turn, empty_cell};
use crate::text_error::TextError;

impl fmt::Display for Tetra24Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, side) = (self.stones.board_text(), LETTERS[self.to_move]);
        let changed = self.changed.map_or('-', |player| LETTERS[player]);
        write!(
            f,
            "{board} {side} {} {} {changed}",
            self.turn.text::<Field>(),
            self.passes
        )
    }
}

/// Reads exactly what is written.
impl FromStr for Tetra24Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let start = reader.start::<Field>()?;
        let (stones, to_move) = (start.stones, start.to_move);
        let (turn, placed) = Turn::read(&mut reader, &stones, to_move, STONES, |_| false)?;
        let (passes, changed) = (reader.field(), reader.field());
        let what = format!("the number of turns in a row without a stone, from 0 to {PASSES}");
        let count = reader.digit(&what, passes.clone(), 0, PASSES)?;
        let last = match reader.word(&changed) {
            "-" => None,
            _ => Some(reader.player(
                changed.clone(),
                "as the player whose number of shapes changed last, or `-`",
            )?),
        };
        reader.end()?;
        for cell in each::<Field>(turn.placed) {
            let (group, _) = Hexagon::group(cell, stones.of(to_move));
            if let Some(other) = each::<Field>(group & turn.placed & !cell.bit()).next() {
                let message =
                    format!("{cell} and {other} are in one group: expected the stones of a turn in different groups");
                return Err(reader.wrong(message, placed));
            }
        }
        if count == PASSES && turn != Turn::of(STONES) {
            let message =
                format!("after {PASSES} turns without a stone the game is over: expected `{STONES} -` before it");
            return Err(reader.wrong(message, passes));
        }
        let position = Self::new(stones, to_move, turn, count, last);
        let [first, second] = Player::BOTH.map(|player| position.different_shapes(player));
        if first as usize == Tetrahex::ALL.len() && first == second {
            return Err(reader.wrong(
                "both players have all shapes, but the first player to have them has won",
                start.board,
            ));
        }
        if last.is_none() && first + second > 0 {
            let what = "`o` or `x` as the player whose number of shapes changed last: there are shapes on the board";
            return Err(reader.expected(what, changed));
        }
        Ok(position)
    }
}

impl Tetra24Position {
    /// The legal action that a text names here.
    pub(super) fn read_action(&self, text: &str) -> Result<Action, TextError> {
        if text == END {
            return Ok(Action::End);
        }
        let cell = empty_cell(&self.stones, text, "a cell like `n6`, or `pass`")?;
        if !self.is_legal(Action::Place(cell)) {
            return Err(TextError::illegal(self.why_closed(cell), text, 0..text.len()));
        }
        Ok(Action::Place(cell))
    }

    /// The reason why no stone can be placed on an empty cell.
    fn why_closed(&self, cell: Cell) -> String {
        let (group, _) = Hexagon::group(cell, self.stones.of(self.to_move));
        match each::<Field>(group & self.turn.placed).next() {
            Some(other) => format!("a stone on {cell} would join the group of {other}, a stone of this turn"),
            None => "the game is over".to_owned(),
        }
    }
}
