//! Positions as FEN; [the module](super) says how they look.

use std::fmt;
use std::ops::Range;

use super::castling::{Castling, Cells, Wing};
use super::cell::{Cell, SIDE};
use super::piece::{Kind, Piece};
use super::position::Position;
use super::variant::{Variant, on_board};
use crate::text_error::{self, TextError};
use crate::{ByPlayer, Player};

/// The side's letter and name.
pub(super) const SIDES: ByPlayer<(&str, &str)> = ByPlayer([("w", "White"), ("b", "Black")]);

/// The letter of a right to castle.
const fn letter(player: Player, wing: Wing) -> char {
    match (player, wing) {
        (Player::White, Wing::King) => 'K',
        (Player::White, Wing::Queen) => 'Q',
        (Player::Black, Wing::King) => 'k',
        (Player::Black, Wing::Queen) => 'q',
    }
}

/// The castlings, in the order of their letters.
fn castlings() -> impl Iterator<Item = (Player, Wing)> {
    let both = Player::BOTH.into_iter();
    both.flat_map(|player| Wing::BOTH.into_iter().map(move |wing| (player, wing)))
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..SIDE).rev() {
            let mut empty = 0;
            for file in 0..=SIDE {
                let piece = (file < SIDE).then(|| self.piece(Cell::new(file, rank)));
                if piece == Some(None) {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                    empty = 0;
                }
                if let Some(Some(piece)) = piece {
                    write!(f, "{}", piece.letter())?;
                }
            }
            f.write_str(if rank > 0 { "/" } else { " " })?;
        }
        write!(f, "{} ", SIDES[self.to_move].0)?;
        if self.castling == Castling::NONE {
            f.write_str("-")?;
        }
        for (player, wing) in castlings().filter(|&(player, wing)| self.castling.has(player, wing)) {
            write!(f, "{}", letter(player, wing))?;
        }
        match self.en_passant {
            Some(cell) => write!(f, " {cell}")?,
            None => f.write_str(" -")?,
        }
        write!(f, " {} {}", self.quiet_turns, self.turn)
    }
}

impl Position {
    /// Reads a position on this board.
    ///
    /// # Errors
    /// If the text has another form, or the position is not legal.
    pub fn parse(variant: Variant, text: &str) -> Result<Self, TextError> {
        let reader = Reader { text };
        let end = text.trim_ascii_end().len();
        let mut fields = text.split_ascii_whitespace().map(|word| reader.place(word));
        let missing = end..end;
        let mut field = || fields.next().unwrap_or(missing.clone());
        let (board, side, castling, en_passant) = (field(), field(), field(), field());
        let counters = [fields.next(), fields.next()];
        let rest = fields.next();

        let mut position = Self::empty(variant);
        reader.board(&mut position, board.clone())?;
        let sides = Player::BOTH.into_iter();
        let to_move = sides.into_iter().find(|&player| SIDES[player].0 == &text[side.clone()]);
        position.to_move = to_move.ok_or_else(|| reader.expected("the player to move, `w` or `b`", side.clone()))?;
        reader.legal_board(&position, board, side)?;
        reader.castling(&mut position, castling)?;
        reader.en_passant(&mut position, en_passant)?;
        let [quiet, turn] = counters;
        if let Some(span) = quiet {
            let what = "the number of plies since the last capture or move of a pawn";
            position.quiet_turns = text_error::number(reader.text, what, span, 0)?;
        }
        if let Some(span) = turn {
            position.turn = text_error::number(reader.text, "the number of the turn", span, 1)?;
        }
        match rest {
            Some(span) => Err(reader.expected("the end of the position", span.start..end)),
            None => Ok(position),
        }
    }
}

/// Reads the parts of a text, which errors show as a whole.
struct Reader<'a> {
    text: &'a str,
}

impl Reader<'_> {
    fn expected(&self, what: impl fmt::Display, span: Range<usize>) -> TextError {
        TextError::expected(what, self.text, span)
    }

    fn fault(&self, message: String, span: Range<usize>) -> TextError {
        TextError::new(message, self.text, span)
    }

    /// The range of a part of the text in it.
    fn place(&self, part: &str) -> Range<usize> {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        start..start + part.len()
    }

    fn board(&self, position: &mut Position, board: Range<usize>) -> Result<(), TextError> {
        let mut ranks = self.text[board.clone()].split('/');
        for rank in (0..SIDE).rev() {
            let Some(line) = ranks.next() else {
                let what = format!("rank {}: eight ranks from 8 to 1, separated by `/`", rank + 1);
                return Err(self.expected(what, board.end..board.end));
            };
            self.rank(line, rank, position)?;
        }
        match ranks.next() {
            Some(line) => {
                let start = self.place(line).start - 1;
                Err(self.expected("the player to move after the eight ranks from 8 to 1", start..board.end))
            }
            None => Ok(()),
        }
    }

    fn rank(&self, line: &str, rank: usize, position: &mut Position) -> Result<(), TextError> {
        let all = self.place(line);
        let number = rank + 1;
        let mut file = 0;
        let mut after_digit = false;
        for (at, character) in line.char_indices() {
            let here = all.start + at..all.start + at + character.len_utf8();
            let is_digit = matches!(character, '1'..='8');
            if is_digit && after_digit {
                return Err(self.expected("one digit for a run of empty cells", here));
            }
            after_digit = is_digit;
            let width = if is_digit { character as usize - '0' as usize } else { 1 };
            if file + width > SIDE {
                return Err(self.expected(format!("8 cells in rank {number}, not more"), all));
            }
            if !is_digit {
                let piece = Piece::from_letter(character).ok_or_else(|| {
                    let what = "a piece (P, N, B, R, Q or K, in lower case for Black) or a run of empty cells (1 to 8)";
                    self.expected(what, here.clone())
                })?;
                let cell = Cell::new(file, rank);
                if piece.kind == Kind::Pawn && (rank == 0 || rank == SIDE - 1) {
                    let what = format!("no pawn on {cell}: none stands on the first or the last rank");
                    return Err(self.expected(what, here));
                }
                position.put(cell, piece);
            }
            file += width;
        }
        if file < SIDE {
            return Err(self.expected(format!("8 cells in rank {number}, found {file}"), all));
        }
        Ok(())
    }

    /// Tests the pieces, now that the player to move is known.
    fn legal_board(&self, position: &Position, board: Range<usize>, side: Range<usize>) -> Result<(), TextError> {
        for player in Player::BOTH {
            let (name, kings) = (SIDES[player].1, position.count(player, Kind::King));
            if kings != 1 {
                return Err(self.expected(format!("one king of {name}, found {kings}"), board));
            }
        }
        let (mover, waiting) = (position.to_move, !position.to_move);
        if on_board!(position.variant, position.checkers(waiting)) != 0 {
            let message = format!(
                "{} is to move, and attacks the king on {}: {} has left it in check",
                SIDES[mover].1,
                position.king(waiting),
                SIDES[waiting].1
            );
            return Err(self.fault(message, side));
        }
        Ok(())
    }

    fn castling(&self, position: &mut Position, span: Range<usize>) -> Result<(), TextError> {
        let text = &self.text[span.clone()];
        if text == "-" {
            return Ok(());
        }
        let form = |span| self.expected("what is left of castling: `-`, or some of `KQkq` in this order", span);
        if text.is_empty() {
            return Err(form(span));
        }
        let mut left = castlings();
        for (at, character) in text.char_indices() {
            let here = span.start + at..span.start + at + character.len_utf8();
            let found = left.find(|&(player, wing)| letter(player, wing) == character);
            let (player, wing) = found.ok_or_else(|| form(here.clone()))?;
            let cells = Cells::of(player, wing);
            for (cell, kind) in [(cells.king, Kind::King), (cells.rook, Kind::Rook)] {
                if position.piece(cell) != Some(Piece { player, kind }) {
                    let (name, kind) = (SIDES[player].1, kind.name());
                    let message = format!("`{character}` needs the {kind} of {name} on {cell}");
                    return Err(self.fault(message, here));
                }
            }
            position.castling = position.castling.with(player, wing);
        }
        Ok(())
    }

    /// Reads the cell behind a pawn that has just advanced by two, and keeps it if the pawn can be captured in passing.
    fn en_passant(&self, position: &mut Position, span: Range<usize>) -> Result<(), TextError> {
        let text = &self.text[span.clone()];
        if text == "-" {
            return Ok(());
        }
        let what = "`-`, or the cell behind a pawn that has just advanced by two, like `e3`";
        let passed = Cell::from_text(text).ok_or_else(|| self.expected(what, span.clone()))?;
        let (passer, third, second, fourth) = match position.to_move {
            Player::White => (Player::Black, 5, 6, 4),
            Player::Black => (Player::White, 2, 1, 3),
        };
        let fits = passed.rank() == third
            && position.piece(passed).is_none()
            && position.piece(Cell::new(passed.file(), second)).is_none()
            && position.own(passer, Kind::Pawn) & Cell::new(passed.file(), fourth).bit() != 0;
        if !fits {
            let message = format!("no pawn of {} can have passed {passed} just now", SIDES[passer].1);
            return Err(self.fault(message, span));
        }
        let useful = on_board!(position.variant, position.can_be_captured_in_passing(passed));
        position.en_passant = useful.then_some(passed);
        Ok(())
    }
}
