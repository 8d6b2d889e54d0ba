//! Playing actions.

use super::action::Action;
use super::castling::{Cells, Wing};
use super::cell::{Cell, each};
use super::piece::Kind;
use super::position::Position;
use super::tables::tables;
use super::variant::{Variant, on_board};
use crate::Player;

impl Position {
    /// The position after an action; `None` if it is not legal.
    pub fn play(&self, action: Action) -> Option<Self> {
        self.is_legal(action).then(|| {
            let mut next = *self;
            next.play_unchecked(action);
            next
        })
    }

    /// Plays a legal action. The effect of an illegal one is not specified, beyond memory safety.
    #[inline]
    pub fn play_unchecked(&mut self, action: Action) {
        if let Some(kind) = self.kind_on(action.from) {
            on_board!(self.variant, self.play_as(kind, action));
        }
    }

    /// Plays a legal action of a piece of this kind.
    #[inline(always)]
    pub(super) fn play_as<const JOINED: bool>(&mut self, kind: Kind, action: Action) {
        let player = self.to_move;
        let (from, to) = (action.from.bit(), action.to.bit());
        self.quiet_turns += 1;
        if self.players[!player] & to != 0 {
            self.players[!player] ^= to;
            for cells in &mut self.kinds {
                *cells &= !to;
            }
            self.quiet_turns = 0;
        }
        self.players[player] ^= from | to;
        self.kinds[kind as usize] ^= from | to;
        self.castling = self.castling.after(action.from, action.to);
        self.turn += player as u32;
        self.to_move = !player;
        let en_passant = self.en_passant.take();
        match kind {
            Kind::Pawn => {
                self.quiet_turns = 0;
                if let Some(promotion) = action.promotion {
                    self.kinds[kind as usize] ^= to;
                    self.kinds[promotion as usize] ^= to;
                } else if en_passant == Some(action.to) {
                    let captured = between(action.from, action.to).bit();
                    self.players[!player] ^= captured;
                    self.kinds[kind as usize] ^= captured;
                } else if action.from.rank().abs_diff(action.to.rank()) == 2 {
                    let passed = Cell::new(action.to.file(), usize::midpoint(action.from.rank(), action.to.rank()));
                    self.en_passant = self.can_be_captured_in_passing::<JOINED>(passed).then_some(passed);
                }
            }
            Kind::King if action.from.file().abs_diff(action.to.file()) == 2 => {
                self.castle(player, action.to);
            }
            _ => {}
        }
    }

    /// Moves the rook to the king that has castled.
    fn castle(&mut self, player: Player, king_to: Cell) {
        let wing = Wing::BOTH
            .into_iter()
            .find(|&wing| Cells::of(player, wing).king_to == king_to);
        let cells = Cells::of(player, wing.unwrap_or(Wing::King));
        let rook = cells.rook.bit() | cells.rook_to.bit();
        self.players[player] ^= rook;
        self.kinds[Kind::Rook as usize] ^= rook;
    }

    /// True if the player to move can capture a pawn that has just passed a cell.
    #[inline(always)]
    pub(super) fn can_be_captured_in_passing<const JOINED: bool>(&self, passed: Cell) -> bool {
        let around = tables::<JOINED>().pawn[!self.to_move as usize][passed.index()];
        let pawns = around & self.own(self.to_move, Kind::Pawn);
        pawns != 0 && each(pawns).any(|from| self.can_capture_in_passing::<JOINED>(from, passed))
    }
}

/// The cell of a pawn that is captured in passing, by a pawn that goes between these cells.
const fn between(from: Cell, to: Cell) -> Cell {
    Cell::new(to.file(), from.rank())
}
