//! Immediate gains of moves.

use super::action::Action;
use super::generate::{ENDS, Group};
use super::piece::Kind;
use super::position::Position;
use super::variant::{Variant, on_board};

impl Kind {
    /// The worth of the piece, in hundredths of a pawn: by T. Michniewski, *Simplified Evaluation Function*
    /// (<https://www.chessprogramming.org/Simplified_Evaluation_Function>). A king counts nothing, since both sides have one.
    pub const fn worth(self) -> i32 {
        match self {
            Self::Pawn => 100,
            Self::Knight => 320,
            Self::Bishop => 330,
            Self::Rook => 500,
            Self::Queen => 900,
            Self::King => 0,
        }
    }
}

/// The gain of a promotion to a queen.
const CROWNED: i32 = Kind::Queen.worth() - Kind::Pawn.worth();

impl Position {
    /// The gain of a legal action: the worth of what it captures, and of a pawn that becomes a queen. Of two captures of
    /// the same kind of piece, the one by the lesser piece gains a little more: it risks less.
    pub fn gain(&self, action: Action) -> i32 {
        let captured = match self.kind_on(action.to) {
            Some(kind) => kind.worth(),
            None if self.en_passant == Some(action.to) && self.all(Kind::Pawn) & action.from.bit() != 0 => {
                Kind::Pawn.worth()
            }
            None => 0,
        };
        let risked = match captured {
            0 => 0,
            _ => self.kind_on(action.from).map_or(0, |kind| kind as i32),
        };
        let crowned = action.promotion == Some(Kind::Queen);
        captured - risked + i32::from(crowned) * CROWNED
    }

    /// Calls `visit` with every legal action that gains something, in the order of [`Position::for_each_action`].
    pub fn for_each_gain(&self, mut visit: impl FnMut(Action, i32)) {
        let enemies = self.players[!self.to_move];
        let of_pawns = enemies | ENDS | self.en_passant.map_or(0, |cell| cell.bit());
        let mut found = |group: Group| {
            let cells = if group.kind == Kind::Pawn { of_pawns } else { enemies };
            group.among(cells).for_each(|action| {
                let gain = self.gain(action);
                if gain > 0 {
                    visit(action, gain);
                }
            });
        };
        on_board!(self.variant, self.for_each_group(&mut found));
    }
}
