//! CFEN, the text form of a position.
//!
//! Rows I to A separated by `/`; `A` to `F` for White's dice of speed 1 to 6, `a` to `f` for Black's; a digit for a run
//! of empty cells (the Chamber counts as empty). Then the player to move, `w` or `b`, the turns since the last capture
//! or Chamber move, and the number of the turn. The reader lets the last two be missing (they are 0 and 1), and blanks
//! stand around and between the fields in any number; apart from that it reads only what the writer writes.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::chase::cell::SIDE;
use crate::chase::{Die, Position, Setup};
use crate::games::board_text::{self, Reader, Rows};
use crate::text_error::plain_number;
use crate::{ByPlayer, Player, TextError};

const ROWS: Rows = Rows {
    side: SIDE,
    row: "row",
    all: "nine rows from I to A",
    first: b'A',
};

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: usize| (0..SIDE).map(move |column: usize| self.dice[row * SIDE + column].map(Die::letter));
        board_text::write(f, (0..SIDE).rev().map(row))?;
        let side = match self.to_move {
            Player::White => 'w',
            Player::Black => 'b',
        };
        write!(f, " {side} {} {}", self.quiet_turns, self.turn)
    }
}

/// The position as CFEN, with all fields.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_setup().fmt(f)
    }
}

impl Position {
    /// CFEN without the counters: dice and player to move, which is what repetition looks at.
    pub fn to_short_cfen(&self) -> String {
        let text = self.to_string();
        let fields: Vec<&str> = text.splitn(3, ' ').take(2).collect();
        fields.join(" ")
    }
}

impl FromStr for Position {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let setup: Setup = text.parse()?;
        setup.validate().map_err(|error| {
            let start = text.len() - text.trim_ascii_start().len();
            TextError::new(error.to_string(), text, start..text.trim_ascii_end().len())
        })
    }
}

impl FromStr for Setup {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let mut setup = Self::empty(Player::White);
        let board = reader.field();
        reader.board(board, &ROWS, |first, _| {
            let Some(die) = Die::from_letter(first.letter) else {
                let what = "a die (A to F or a to f) or a run of empty cells (1 to 9)";
                return Err(reader.expected(what, first.place));
            };
            setup.dice[first.row * SIDE + first.column] = Some(die);
            Ok(())
        })?;
        let side = reader.field();
        setup.to_move = reader.player(side, ByPlayer(["w", "b"]))?;
        if let Some(span) = reader.next_field() {
            setup.quiet_turns = read_number(text, span, "the number of turns since the last capture or Chamber move")?;
        }
        if let Some(span) = reader.next_field() {
            setup.turn = read_number(text, span, "the number of the turn")?;
        }
        reader.end()?;
        Ok(setup)
    }
}

fn read_number(text: &str, span: Range<usize>, what: &'static str) -> Result<u32, TextError> {
    plain_number(&text[span.clone()]).ok_or_else(|| TextError::expected(what, text, span))
}
