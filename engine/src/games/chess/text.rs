//! Positions as FEN; [the module](super) says how they look.

use std::fmt;
use std::ops::Range;

use super::castling::{Castling, Cells, Wing};
use super::cell::{Cell, SIDE};
use super::piece::{Kind, Piece};
use super::position::Position;
use super::variant::{Variant, on_board};
use crate::games::board_text::{self, Reader, Rows};
use crate::text_error::TextError;
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
        let rank = |rank| (0..SIDE).map(move |file| self.piece(Cell::new(file, rank)).map(Piece::letter));
        board_text::write(f, (0..SIDE).rev().map(rank))?;
        write!(f, " {} ", SIDES[self.to_move].0)?;
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
        let mut reader = Reader::new(text);
        let mut position = Self::empty(variant);
        let (board, side) = (reader.field(), reader.field());
        read_board(&reader, &mut position, board.clone())?;
        position.to_move = reader.player(side.clone(), ByPlayer(SIDES.0.map(|(letter, _)| letter)))?;
        check_board(&reader, &position, board, side)?;
        let (castling, en_passant) = (reader.field(), reader.field());
        read_castling(&reader, &mut position, castling)?;
        read_en_passant(&reader, &mut position, en_passant)?;
        let what = "the number of plies since the last capture or move of a pawn";
        position.quiet_turns = reader.number(what, 0)?;
        position.turn = reader.number("the number of the turn", 1)?;
        reader.end()?;
        Ok(position)
    }
}

fn read_board(reader: &Reader<'_>, position: &mut Position, board: Range<usize>) -> Result<(), TextError> {
    reader.board(board, &Rows::RANKS, |first, _| {
        let Some(piece) = Piece::from_letter(first.letter) else {
            let what = "a piece (P, N, B, R, Q or K, in lower case for Black) or a run of empty cells (1 to 8)";
            return Err(reader.expected(what, first.place));
        };
        let cell = Cell::new(first.column, first.row);
        if piece.kind == Kind::Pawn && (first.row == 0 || first.row == SIDE - 1) {
            let what = format!("no pawn on {cell}: none stands on the first or the last rank");
            return Err(reader.expected(what, first.place));
        }
        position.put(cell, piece);
        Ok(())
    })
}

/// Tests the pieces, now that the player to move is known.
fn check_board(
    reader: &Reader<'_>,
    position: &Position,
    board: Range<usize>,
    side: Range<usize>,
) -> Result<(), TextError> {
    for player in Player::BOTH {
        let (name, kings) = (SIDES[player].1, position.count(player, Kind::King));
        if kings != 1 {
            return Err(reader.expected(format!("one king of {name}, found {kings}"), board));
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
        return Err(reader.fault(message, side));
    }
    Ok(())
}

fn read_castling(reader: &Reader<'_>, position: &mut Position, span: Range<usize>) -> Result<(), TextError> {
    let text = reader.word(&span);
    if text == "-" {
        return Ok(());
    }
    let form = |span| reader.expected("castling rights: `-`, or some of `KQkq` in this order", span);
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
                return Err(reader.fault(message, here));
            }
        }
        position.castling = position.castling.with(player, wing);
    }
    Ok(())
}

/// Reads the cell behind a pawn that has just advanced by two, and keeps it if the pawn can be captured in passing.
fn read_en_passant(reader: &Reader<'_>, position: &mut Position, span: Range<usize>) -> Result<(), TextError> {
    let text = reader.word(&span);
    if text == "-" {
        return Ok(());
    }
    let what = "`-`, or the cell behind a pawn that has just advanced by two, like `e3`";
    let passed = Cell::from_text(text).ok_or_else(|| reader.expected(what, span.clone()))?;
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
        return Err(reader.fault(message, span));
    }
    let useful = on_board!(position.variant, position.can_be_captured_in_passing(passed));
    position.en_passant = useful.then_some(passed);
    Ok(())
}
