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
use crate::chase::{Cell, Die, Position, Setup};
use crate::{Player, TextError};

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..SIDE).rev() {
            let mut empty = 0;
            for column in 0..SIDE {
                if let Some(die) = self.dice[row * SIDE + column] {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{}", die.letter())?;
                } else {
                    empty += 1;
                }
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
            f.write_str(if row > 0 { "/" } else { " " })?;
        }
        let side = match self.to_move {
            Player::White => 'w',
            Player::Black => 'b',
        };
        write!(f, "{side} {} {}", self.quiet_turns, self.turn)
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
        let end = text.trim_ascii_end().len();
        let mut fields = fields(text);
        let board = fields.next().unwrap_or(end..end);
        let mut setup = Self::empty(Player::White);
        read_board(text, board, &mut setup)?;

        let side = fields.next().unwrap_or(end..end);
        setup.to_move = match &text[side.clone()] {
            "w" => Player::White,
            "b" => Player::Black,
            _ => return Err(TextError::expected("the player to move, `w` or `b`", text, side)),
        };
        if let Some(span) = fields.next() {
            setup.quiet_turns = read_number(text, span, "the number of turns since the last capture or Chamber move")?;
        }
        if let Some(span) = fields.next() {
            setup.turn = read_number(text, span, "the number of the turn")?;
        }
        match fields.next() {
            Some(span) => Err(TextError::expected("the end of the position", text, span.start..end)),
            None => Ok(setup),
        }
    }
}

/// The places of the words of a text.
fn fields(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split_ascii_whitespace().map(move |word| {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        start..start + word.len()
    })
}

fn read_board(text: &str, board: Range<usize>, setup: &mut Setup) -> Result<(), TextError> {
    let mut start = board.start;
    let mut rows = text[board.clone()].split('/');
    for row in (0..SIDE).rev() {
        let letter = char::from(b'A' + row as u8);
        let Some(line) = rows.next() else {
            let what = format!("row {letter}: nine rows from I to A, separated by `/`");
            return Err(TextError::expected(what, text, board.end..board.end));
        };
        read_row(text, start, line, row, setup)?;
        start += line.len() + 1;
    }
    match rows.next() {
        Some(_) => {
            let what = "the player to move after the nine rows from I to A";
            Err(TextError::expected(what, text, start - 1..board.end))
        }
        None => Ok(()),
    }
}

fn read_row(text: &str, start: usize, line: &str, row: usize, setup: &mut Setup) -> Result<(), TextError> {
    let letter = char::from(b'A' + row as u8);
    let mut column = 0;
    let mut after_digit = false;
    for (at, character) in line.char_indices() {
        let span = start + at..start + at + character.len_utf8();
        let width = match character {
            '1'..='9' if after_digit => {
                return Err(TextError::expected("one digit for a run of empty cells", text, span));
            }
            '1'..='9' => character as usize - '0' as usize,
            _ => 1,
        };
        after_digit = character.is_ascii_digit();
        if column + width > SIDE {
            let what = format!("9 cells in row {letter}, not more");
            return Err(TextError::expected(what, text, start..start + line.len()));
        }
        if !after_digit || character == '0' {
            let Some(die) = Die::from_letter(character) else {
                let what = "a die (A to F or a to f) or a run of empty cells (1 to 9)";
                return Err(TextError::expected(what, text, span));
            };
            setup.dice[Cell::wrapped(row, column as isize).index()] = Some(die);
        }
        column += width;
    }
    if column < SIDE {
        let what = format!("9 cells in row {letter}, found {column}");
        return Err(TextError::expected(what, text, start..start + line.len()));
    }
    Ok(())
}

fn read_number(text: &str, span: Range<usize>, what: &'static str) -> Result<u32, TextError> {
    let word = &text[span.clone()];
    // `u32::from_str` also takes a plus sign and leading zeros, which the writer does not write.
    let plain = word == "0" || !word.starts_with(['0', '+']);
    match word.parse() {
        Ok(number) if plain => Ok(number),
        _ => Err(TextError::expected(what, text, span)),
    }
}
