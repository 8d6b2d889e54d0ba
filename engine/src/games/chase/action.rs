//! Actions and lists of them.

use arrayvec::ArrayVec;

use super::{Cell, Direction, geometry};

/// One decision of one player: a move, an exchange, or the choice of a die that absorbs.
///
/// A move is named by the die and the direction in which it sets out, never by where it ends: two directions may end on
/// one cell with different results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// The die on `from` moves by its speed.
    Move {
        /// The cell of the die.
        from: Cell,
        /// The direction in which it sets out.
        direction: Direction,
    },
    /// The die on `from` gives speed to the adjacent friendly die.
    Exchange {
        /// The cell of the giver.
        from: Cell,
        /// The direction from the giver to the receiver.
        direction: Direction,
        /// Number of pips that change hands, 1 to 5.
        points: u8,
    },
    /// The die on `cell` takes the points that are to be absorbed, up to speed 6.
    Absorb {
        /// The cell of the die.
        cell: Cell,
    },
}

impl Action {
    /// The action after the board is turned by 180°.
    #[must_use]
    pub const fn rotated(self) -> Self {
        match self {
            Self::Move { from, direction } => Self::Move {
                from: from.rotated(),
                direction: direction.opposite(),
            },
            Self::Exchange {
                from,
                direction,
                points,
            } => Self::Exchange {
                from: from.rotated(),
                direction: direction.opposite(),
                points,
            },
            Self::Absorb { cell } => Self::Absorb { cell: cell.rotated() },
        }
    }

    /// The action in the mirror: see [`Direction::mirrored`].
    #[must_use]
    pub const fn mirrored(self) -> Self {
        match self {
            Self::Move { from, direction } => Self::Move {
                from: from.mirrored(),
                direction: direction.mirrored(),
            },
            Self::Exchange {
                from,
                direction,
                points,
            } => Self::Exchange {
                from: from.mirrored(),
                direction: direction.mirrored(),
                points,
            },
            Self::Absorb { cell } => Self::Absorb { cell: cell.mirrored() },
        }
    }

    /// Number of distinct policy indices: 6 moves, 6 × 5 exchanges and one absorption for each of 81 cells.
    pub const POLICY_SIZE: usize = (6 + 6 * 5 + 1) * super::cell::CELLS;

    /// Index in a policy array of shape `[37, 9, 9]`: planes of moves by direction, exchanges by direction and points,
    /// and absorption; then row and axial column of the die that acts ([`Cell::axial_index`]).
    ///
    /// From the point of view of White; for Black, rotate first.
    pub const fn policy_index(self) -> usize {
        let (plane, cell) = match self {
            Self::Move { from, direction } => (direction as usize, from),
            Self::Exchange {
                from,
                direction,
                points,
            } => (6 + direction as usize * 5 + points as usize - 1, from),
            Self::Absorb { cell } => (36, cell),
        };
        plane * super::cell::CELLS + cell.axial_index()
    }

    /// The exchange of `points` from one cell to another; `None` unless they are adjacent.
    pub fn exchange(from: Cell, to: Cell, points: u8) -> Option<Self> {
        let mut directions = Direction::ALL.into_iter();
        let direction = directions.find(|&direction| geometry::neighbour(from, direction) == Some(to))?;
        Some(Self::Exchange {
            from,
            direction,
            points,
        })
    }
}

/// The most legal actions that any position can have.
///
/// A player with n ≤ 10 dice, 25 pips together, has at most 6n moves. A die of speed s can give at most s − 1 pips to
/// each neighbour, of which there are at most min(6, n − 1), so exchanges are at most (25 − n) · min(6, n − 1). The sum
/// is largest for n from 7 to 10: 150. (Positions of real games have fewer than 80.)
pub const MAX_ACTIONS: usize = {
    let mut most = 0;
    let mut n = 1;
    while n <= 10 {
        let neighbours = if n > 6 { 6 } else { n - 1 };
        let actions = 6 * n + (25 - n) * neighbours;
        if actions > most {
            most = actions;
        }
        n += 1;
    }
    most
};

/// The legal actions of a position.
pub type ActionList = ArrayVec<Action, MAX_ACTIONS>;
