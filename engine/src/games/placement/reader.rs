//! Positions as text, read field by field.

use std::fmt;
use std::ops::Range;

use super::board::{Board, Set};
use super::cell::Cell;
use super::stones::{LETTERS, Stones};
use crate::Player;
use crate::text_error::TextError;

/// Reads the fields of a text, which are separated by single blanks. Errors show the whole text.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// The beginning of the next field; behind the end of the text if there is none.
    at: usize,
}

/// The first two fields of all positions, and their places.
pub(super) struct Start<B: Board> {
    pub(super) stones: Stones<B>,
    pub(super) to_move: Player,
    pub(super) board: Range<usize>,
    pub(super) side: Range<usize>,
}

impl<'a> Reader<'a> {
    pub(super) const fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub(super) fn expected(&self, what: impl fmt::Display, span: Range<usize>) -> TextError {
        TextError::expected(what, self.text, span)
    }

    pub(super) fn wrong(&self, message: impl Into<String>, span: Range<usize>) -> TextError {
        TextError::new(message.into(), self.text, span)
    }

    /// The place of the next field, empty at the end of the text if the field is missing.
    pub(super) fn field(&mut self) -> Range<usize> {
        let start = self.at.min(self.text.len());
        let length = self.text[start..].find(' ').unwrap_or(self.text.len() - start);
        self.at = start + length + 1;
        start..start + length
    }

    /// The text in a place.
    pub(super) fn word(&self, span: &Range<usize>) -> &'a str {
        &self.text[span.clone()]
    }

    /// The text must end here.
    pub(super) fn end(&self) -> Result<(), TextError> {
        if self.at > self.text.len() {
            return Ok(());
        }
        Err(self.expected("the end of the position", self.at - 1..self.text.len()))
    }

    /// Reads the board and the player to move.
    pub(super) fn start<B: Board>(&mut self) -> Result<Start<B>, TextError> {
        let board = self.field();
        let side = self.field();
        let stones = self.board(board.clone())?;
        let to_move = self.player(side.clone(), "as the player to move")?;
        Ok(Start {
            stones,
            to_move,
            board,
            side,
        })
    }

    /// Reads the letter of a player.
    pub(super) fn player(&self, span: Range<usize>, role: &str) -> Result<Player, TextError> {
        let is_named = |&player: &Player| self.word(&span).chars().eq([LETTERS[player]]);
        let named = Player::BOTH.into_iter().find(is_named);
        named.ok_or_else(|| self.expected(format!("`o` or `x` {role}"), span))
    }

    /// Reads a single digit between two.
    pub(super) fn digit(&self, what: &str, span: Range<usize>, least: u8, most: u8) -> Result<u8, TextError> {
        match *self.word(&span).as_bytes() {
            [digit @ b'0'..=b'9'] if (least..=most).contains(&(digit - b'0')) => Ok(digit - b'0'),
            _ => Err(self.expected(what, span)),
        }
    }

    /// Reads cells in their order, or `-` for none.
    pub(super) fn cells<B: Board>(&self, what: &str, span: Range<usize>) -> Result<Set, TextError> {
        let word = self.word(&span);
        if word == "-" {
            return Ok(0);
        }
        let mut cells = 0;
        let mut last = None;
        let mut at = 0;
        while at < word.len() || last.is_none() {
            let rest = &word[at..];
            let is_letter = |character: char| !character.is_ascii_digit();
            let length = rest.char_indices().skip(1).find(|&(_, next)| is_letter(next));
            let length = length.map_or(rest.len(), |(length, _)| length);
            let part = span.start + at..span.start + at + length;
            let Some(cell) = Cell::<B>::from_text(&rest[..length]) else {
                return Err(self.expected(format!("{what}, like `{}`, or `-`", Self::example::<B>()), part));
            };
            if last >= Some(cell) {
                return Err(self.expected("cells in the order of rows and letters, each once", part));
            }
            last = Some(cell);
            cells |= cell.bit();
            at += length;
        }
        Ok(cells)
    }

    /// Two cells of the board.
    fn example<B: Board>() -> String {
        Cell::<B>::all().take(2).map(|cell| cell.to_string()).collect()
    }

    fn board<B: Board>(&self, span: Range<usize>) -> Result<Stones<B>, TextError> {
        let mut stones = Stones::NONE;
        let mut start = span.start;
        for row in 0..B::ROWS {
            if start > span.end {
                let what = format!("row {} of {} from the top, separated by `/`", row + 1, B::ROWS);
                return Err(self.expected(what, span.end..span.end));
            }
            let line = &self.text[start..span.end];
            let end = start + line.find('/').unwrap_or(line.len());
            self.row(row, start..end, &mut stones)?;
            start = end + 1;
        }
        if start <= span.end {
            let what = format!("the player to move after {} rows", B::ROWS);
            return Err(self.expected(what, start - 1..span.end));
        }
        Ok(stones)
    }

    fn row<B: Board>(&self, row: usize, span: Range<usize>, stones: &mut Stones<B>) -> Result<(), TextError> {
        let cells = B::LAYOUT.cells(row);
        let (number, length) = (row + 1, cells.len());
        let mut at = span.start;
        let mut filled = 0;
        while at < span.end {
            let rest = &self.text[at..span.end];
            let digits = rest.find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len());
            let (taken, width) = if digits > 0 {
                let here = at..at + digits;
                let count = rest[..digits].parse::<usize>().unwrap_or(usize::MAX);
                if rest.starts_with('0') {
                    return Err(self.expected(format!("a run of empty cells, from 1 to {length}"), here));
                }
                (digits, count)
            } else {
                let first = rest.chars().next().expect("the row goes on");
                let Some(player) = Player::BOTH.into_iter().find(|&player| LETTERS[player] == first) else {
                    let what = format!("`o`, `x` or a run of empty cells, from 1 to {length}");
                    return Err(self.expected(what, at..at + first.len_utf8()));
                };
                if filled < length {
                    *stones.of_mut(player) |= Cell::<B>::of(cells.start + filled).bit();
                }
                (1, 1)
            };
            filled = filled.saturating_add(width);
            if filled > length {
                return Err(self.expected(format!("{length} cells in row {number}, not more"), span));
            }
            at += taken;
        }
        if filled < length {
            return Err(self.expected(format!("{length} cells in row {number}, found {filled}"), span));
        }
        Ok(())
    }
}
