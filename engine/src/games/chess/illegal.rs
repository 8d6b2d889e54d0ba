//! Moves as text, and why a move is not legal.

use std::ops::Range;

use super::action::Action;
use super::castling::{Cells, Wing};
use super::cell::{Cell, SIDE};
use super::piece::Kind;
use super::position::Position;
use super::tables::tables;
use super::text::SIDES;
use super::variant::{Variant, on_board};
use crate::Player;
use crate::text_error::TextError;

/// Where the parts of a move are in its text.
const FROM: Range<usize> = 0..2;
const TO: Range<usize> = 2..4;

impl Position {
    /// The legal action that a text names here.
    pub(super) fn parse_action(&self, text: &str) -> Result<Action, TextError> {
        let form = || {
            TextError::expected(
                "a move like `e2e4` or, of a pawn to its last rank, `e7e8q`",
                text,
                0..text.len(),
            )
        };
        if !text.is_ascii() || !matches!(text.len(), 4 | 5) {
            return Err(form());
        }
        let from = Cell::from_text(&text[FROM]).ok_or_else(form)?;
        let to = Cell::from_text(&text[TO]).ok_or_else(form)?;
        let promotion = match text[TO.end..].chars().next() {
            None => None,
            Some(letter) => Some(Kind::from_letter(letter).ok_or_else(form)?),
        };
        let action = Action { from, to, promotion };
        if self.is_legal(action) {
            return Ok(action);
        }
        let (reason, span) = on_board!(self.variant, self.why_illegal(action));
        let span = span.start..span.end.min(text.len());
        Err(TextError::illegal(reason, text, span))
    }

    /// The reason that an action is not legal here, and the part of its text that is at fault.
    fn why_illegal<const JOINED: bool>(&self, action: Action) -> (String, Range<usize>) {
        let Action { from, to, promotion } = action;
        let (player, name) = (self.to_move, SIDES[self.to_move].1);
        let kind = match self.piece(from) {
            None => return (format!("there is no piece on {from}, and {name} is to move"), FROM),
            Some(piece) if piece.player != player => {
                let reason = format!("the {} on {from} is not {name}'s, who is to move", piece.kind.name());
                return (reason, FROM);
            }
            Some(piece) => piece.kind,
        };
        let is_last = to.rank() == if player == Player::White { SIDE - 1 } else { 0 };
        if let Some(other) = self.piece(to).filter(|other| other.player == player) {
            return (format!("{name}'s own {} is on {to}", other.kind.name()), TO);
        }
        if kind == Kind::King && from.file().abs_diff(to.file()) == 2 && from.rank() == to.rank() {
            return (self.why_no_castling::<JOINED>(from, to), FROM.start..TO.end);
        }
        if !self.goes_to::<JOINED>(kind, from, to) {
            return (
                format!("the {} on {from} does not go to {to}", kind.name()),
                FROM.start..TO.end,
            );
        }
        match promotion {
            None if kind == Kind::Pawn && is_last => {
                let reason = format!("a pawn that arrives on {to} is promoted: expected q, r, b or n after the cell");
                return (reason, TO.end..TO.end);
            }
            Some(_) if kind != Kind::Pawn || !is_last => {
                let reason = "only a pawn on its last rank is promoted".to_owned();
                return (reason, TO.end..TO.end + 1);
            }
            Some(Kind::Pawn | Kind::King) => {
                let reason = "a pawn becomes a queen, rook, bishop or knight: expected q, r, b or n".to_owned();
                return (reason, TO.end..TO.end + 1);
            }
            _ => {}
        }
        let king = self.king(player);
        let reason = match (kind, self.checkers::<JOINED>(player)) {
            (Kind::King, _) => format!("{to} is attacked"),
            (_, 0) => format!("the king on {king} would be in check"),
            _ => format!("the king on {king} is in check, and would remain so"),
        };
        (reason, FROM.start..TO.end)
    }

    /// True if a piece of the player to move goes to a cell without a piece of that player, whatever this does to the king.
    fn goes_to<const JOINED: bool>(&self, kind: Kind, from: Cell, to: Cell) -> bool {
        if kind != Kind::Pawn {
            return self.reach::<JOINED>(kind, from, self.occupied()) & to.bit() != 0;
        }
        let player = self.to_move;
        let captures = tables::<JOINED>().pawn[player as usize][from.index()] & to.bit() != 0;
        if captures {
            return self.players[!player] & to.bit() != 0 || self.en_passant == Some(to);
        }
        self.pawn_advances(from) & to.bit() != 0
    }

    /// The reason that the king does not go two cells along its rank.
    fn why_no_castling<const JOINED: bool>(&self, from: Cell, to: Cell) -> String {
        let (player, name) = (self.to_move, SIDES[self.to_move].1);
        let wings = Wing::BOTH.into_iter();
        let mut castlings = wings.map(|wing| (wing, Cells::of(player, wing)));
        let Some((wing, cells)) = castlings.find(|(_, cells)| cells.king == from && cells.king_to == to) else {
            return format!("the king on {from} does not go to {to}");
        };
        if !self.castling.has(player, wing) {
            return format!("{name} can no longer castle there: the king or the rook has moved");
        }
        if self.checkers::<JOINED>(player) != 0 {
            return "a king in check does not castle".to_owned();
        }
        if cells.between & self.occupied() != 0 {
            return "castling needs empty cells between king and rook".to_owned();
        }
        "the king does not castle over or to a cell that is attacked".to_owned()
    }
}
