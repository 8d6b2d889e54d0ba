//! Exact symmetries of the games.

use super::action::Action;
use super::cell::{Cell, SIDE, each};
use super::piece::{Piece, Rank};
use super::position::Position;
use super::variant::{Base, Variant, Variation};
use crate::Player;

/// A way to turn the board that keeps the rules: the other side's view, a mirror, a shift of the files, or several of
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// True if the board is seen from the other side, and the players are exchanged; see [`Cell::seen_by`].
    exchanged: bool,
    /// True if files are mirrored; where they are joined, file a stays where it is.
    mirrored: bool,
    /// The files that the board is shifted by to the east, at last.
    shift: usize,
}

impl Symmetry {
    /// All symmetries of a game, the identity first.
    pub fn all(game: Variation) -> Vec<Self> {
        let (base, board) = (game.base(), game.board());
        let queens = base == Base::Queens;
        // On half of the cells only shifts by two files keep the colours; the mirror of the square board does not.
        let shifts = match (board.joins_files(), queens) {
            (false, _) => 1,
            (true, false) => SIDE / 2,
            (true, true) => SIDE,
        };
        let mirrors: &[bool] = if board.joins_files() || queens {
            &[false, true]
        } else {
            &[false]
        };
        let mut all = Vec::new();
        for exchanged in [false, true] {
            for &mirrored in mirrors {
                let shift = |step: usize| step * SIDE / shifts;
                all.extend((0..shifts).map(|step| Self {
                    exchanged,
                    mirrored,
                    shift: shift(step),
                }));
            }
        }
        all
    }

    /// The image of a cell of the game.
    pub fn cell(self, game: Variation, cell: Cell) -> Cell {
        let cell = if self.exchanged {
            cell.seen_by(Player::Black, game.base())
        } else {
            cell
        };
        let file = match (self.mirrored, game.board().joins_files()) {
            (false, _) => cell.file(),
            (true, false) => SIDE - 1 - cell.file(),
            (true, true) => SIDE - cell.file(),
        };
        Cell::new((file + self.shift) % SIDE, cell.rank())
    }

    /// The image of an action of the game.
    pub fn action(self, game: Variation, action: Action) -> Action {
        let direction = if self.exchanged {
            action.direction.seen_by(Player::Black, game.base())
        } else {
            action.direction
        };
        let direction = if self.mirrored { direction.mirrored() } else { direction };
        Action {
            from: self.cell(game, action.from),
            direction,
            jump: action.jump,
        }
    }
}

impl<V: Variant> Position<V> {
    /// The position as a symmetry shows it. Counters stay what they are.
    #[must_use]
    pub fn under(&self, symmetry: Symmetry) -> Self {
        let seen = |player: Player| if symmetry.exchanged { !player } else { player };
        let cells = |cells: u64| each(cells).fold(0, |set, cell| set | symmetry.cell(V::VARIATION, cell).bit());
        let mut image = Self::empty(seen(self.to_move), self.quiet_turns, self.turn);
        let mut used = [0; 2];
        // Men with numbers are the pieces of these numbers; the others take those that are left, or any.
        for player in Player::BOTH {
            for piece in Cell::all().flat_map(|cell| self.stack(cell)) {
                if let Piece {
                    player: owner,
                    rank: Rank::Man(number @ 1..),
                } = piece
                {
                    used[seen(player) as usize] |= if owner == player { 1_u32 << (number - 1) } else { 0 };
                }
            }
        }
        for cell in Cell::all() {
            for piece in self.stack(cell) {
                let player = seen(piece.player);
                let index = match piece.rank {
                    Rank::Man(number @ 1..) => usize::from(number) - 1,
                    Rank::Man(_) | Rank::King => {
                        let index = used[player as usize].trailing_ones();
                        used[player as usize] |= 1 << index;
                        index as usize
                    }
                };
                image.add(
                    player,
                    index,
                    piece.rank == Rank::King,
                    symmetry.cell(V::VARIATION, cell),
                );
            }
        }
        image.refresh();
        image.jumper = self.jumper.map(|cell| symmetry.cell(V::VARIATION, cell));
        image.jumped = cells(self.jumped);
        image
    }
}
