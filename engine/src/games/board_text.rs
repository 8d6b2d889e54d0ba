//! Boards as text, as FEN has them: rows between slashes, and numbers for runs of empty cells. Other fields follow, with
//! blanks between. A [`Reader`] takes square boards from the last row to the first.

use std::fmt::{self, Display, Write};
use std::ops::Range;
use std::str::{CharIndices, SplitAsciiWhitespace};

use crate::text_error::{self, TextError};
use crate::{ByPlayer, Player};

/// Writes rows of cells, of which `None` stands for an empty one.
pub(crate) fn write<T: Display, R: Iterator<Item = Option<T>>>(
    out: &mut impl Write,
    rows: impl Iterator<Item = R>,
) -> fmt::Result {
    for (number, row) in rows.enumerate() {
        if number > 0 {
            out.write_char('/')?;
        }
        let mut empty = 0_u8;
        // One more, at which the last run ends.
        for cell in row.map(Some).chain([None]) {
            if let Some(None) = cell {
                empty += 1;
                continue;
            }
            if empty > 0 {
                match empty {
                    // Most runs, without what formats numbers.
                    0..=9 => out.write_char(char::from(b'0' + empty))?,
                    _ => write!(out, "{empty}")?,
                }
                empty = 0;
            }
            if let Some(Some(piece)) = cell {
                write!(out, "{piece}")?;
            }
        }
    }
    Ok(())
}

/// The rows of a square board, in words.
pub(crate) struct Rows {
    /// Number of rows, and number of cells in each.
    pub side: usize,
    /// The name of one of them.
    pub row: &'static str,
    /// All of them.
    pub all: &'static str,
    /// The name of the first one, in ASCII.
    pub first: u8,
}

impl Rows {
    /// The ranks of a board of eight by eight.
    pub(crate) const RANKS: Self = Self {
        side: 8,
        row: "rank",
        all: "eight ranks from 8 to 1",
        first: b'1',
    };

    fn name(&self, row: usize) -> String {
        format!("{} {}", self.row, char::from(self.first + row as u8))
    }
}

/// A character of a row other than a run of empty cells, and its cell.
pub(crate) struct Letter {
    pub letter: char,
    /// Its place in the whole text.
    pub place: Range<usize>,
    pub column: usize,
    pub row: usize,
}

/// The characters of a row with their places in the whole text.
pub(crate) struct Characters<'a> {
    start: usize,
    rest: CharIndices<'a>,
}

impl Iterator for Characters<'_> {
    type Item = (Range<usize>, char);

    fn next(&mut self) -> Option<Self::Item> {
        let (at, character) = self.rest.next()?;
        let start = self.start + at;
        Some((start..start + character.len_utf8(), character))
    }
}

/// Reads the fields of a text, which errors show as a whole.
pub(crate) struct Reader<'a> {
    text: &'a str,
    words: SplitAsciiWhitespace<'a>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            words: text.split_ascii_whitespace(),
        }
    }

    pub(crate) fn expected(&self, what: impl Display, place: Range<usize>) -> TextError {
        TextError::expected(what, self.text, place)
    }

    pub(crate) fn fault(&self, message: String, place: Range<usize>) -> TextError {
        TextError::new(message, self.text, place)
    }

    /// The text at a place.
    pub(crate) fn word(&self, place: &Range<usize>) -> &'a str {
        &self.text[place.clone()]
    }

    /// The place of a part of the text.
    pub(crate) fn place(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn text_end(&self) -> usize {
        self.text.trim_ascii_end().len()
    }

    /// The place of the next field, if there is one more.
    pub(crate) fn next_field(&mut self) -> Option<Range<usize>> {
        self.words.next().map(|word| self.place(word))
    }

    /// The place of the next field; empty at the end if it is missing.
    pub(crate) fn field(&mut self) -> Range<usize> {
        self.next_field().unwrap_or_else(|| {
            let end = self.text_end();
            end..end
        })
    }

    /// No field must follow.
    pub(crate) fn end(&mut self) -> Result<(), TextError> {
        match self.next_field() {
            Some(rest) => Err(self.expected("the end of the position", rest.start..self.text_end())),
            None => Ok(()),
        }
    }

    /// The number from `least` on in the next field; that one if it is missing.
    pub(crate) fn number(&mut self, what: &str, least: u32) -> Result<u32, TextError> {
        let place = self.next_field();
        place.map_or(Ok(least), |place| text_error::number(self.text, what, place, least))
    }

    /// The player to move, by one of these letters.
    pub(crate) fn player(&self, place: Range<usize>, letters: ByPlayer<&str>) -> Result<Player, TextError> {
        let word = self.word(&place);
        let named = Player::BOTH.into_iter().find(|&player| letters[player] == word);
        named.ok_or_else(|| {
            let [first, second] = letters.0;
            self.expected(format!("the player to move, `{first}` or `{second}`"), place)
        })
    }

    /// Reads rows. `put` reads a cell that is not empty, from its first character and those that follow.
    pub(crate) fn board(
        &self,
        board: Range<usize>,
        rows: &Rows,
        mut put: impl FnMut(Letter, &mut Characters<'_>) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        let mut lines = self.word(&board).split('/');
        for row in (0..rows.side).rev() {
            let Some(line) = lines.next() else {
                let name = rows.name(row);
                let what = format!("{name}: {}, separated by `/`", rows.all);
                return Err(self.expected(what, board.end..board.end));
            };
            self.row(line, row, rows, &mut put)?;
        }
        match lines.next() {
            Some(line) => {
                let what = format!("the player to move after the {}", rows.all);
                Err(self.expected(what, self.place(line).start - 1..board.end))
            }
            None => Ok(()),
        }
    }

    fn row(
        &self,
        line: &str,
        row: usize,
        rows: &Rows,
        put: &mut impl FnMut(Letter, &mut Characters<'_>) -> Result<(), TextError>,
    ) -> Result<(), TextError> {
        let whole = self.place(line);
        let mut characters = Characters {
            start: whole.start,
            rest: line.char_indices(),
        };
        let side = rows.side;
        let (mut column, mut after_digit) = (0, false);
        while let Some((place, letter)) = characters.next() {
            // A side has at most nine cells.
            let digit = (letter as usize).wrapping_sub('0' as usize);
            let empty = (1..=side).contains(&digit).then_some(digit);
            if empty.is_some() && after_digit {
                return Err(self.expected("one digit for a run of empty cells", place));
            }
            after_digit = empty.is_some();
            let next = column + empty.unwrap_or(1);
            if next > side {
                return Err(self.expected(format!("{side} cells in {}, not more", rows.name(row)), whole));
            }
            if empty.is_none() {
                let letter = Letter {
                    letter,
                    place,
                    column,
                    row,
                };
                put(letter, &mut characters)?;
            }
            column = next;
        }
        match column < side {
            true => Err(self.expected(format!("{side} cells in {}, found {column}", rows.name(row)), whole)),
            false => Ok(()),
        }
    }
}
