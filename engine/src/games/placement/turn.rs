//! Turns of several stones.

use std::ops::Range;

use super::board::{Board, Set, full};
use super::cell::{Cell, each};
use super::reader::Reader;
use super::stones::{LETTERS, Stones};
use crate::Player;
use crate::text_error::TextError;

/// Stones of the first turn.
const FIRST: u8 = 2;

/// The state of a turn of several stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Stones still to place, at least one.
    pub(super) left: u8,
    /// The cells of the stones placed in this turn.
    pub(super) placed: Set,
}

impl Turn {
    /// The start of the first turn of a game.
    pub(super) const FIRST: Self = Self::of(FIRST);

    /// The start of a turn of some stones.
    pub(super) const fn of(left: u8) -> Self {
        Self { left, placed: 0 }
    }

    /// Places a stone. Returns whether it was the last of the turn.
    pub(super) const fn place(&mut self, stone: Set) -> bool {
        self.left -= 1;
        self.placed |= stone;
        self.left == 0
    }

    /// The stones of the whole turn.
    pub(super) const fn size(self) -> u8 {
        self.left + self.placed.count_ones() as u8
    }

    /// The two fields of a position.
    pub(super) fn text<B: Board>(self) -> String {
        let placed: String = each::<B>(self.placed).map(|cell| cell.to_string()).collect();
        let placed = if placed.is_empty() { "-" } else { &placed };
        format!("{} {placed}", self.left)
    }

    /// Reads the two fields, of a turn of `size` stones, of the first one, or of one that `is_other` says to be
    /// possible too. Also returns their places.
    pub(super) fn read<B: Board>(
        reader: &mut Reader<'_>,
        stones: &Stones<B>,
        to_move: Player,
        size: u8,
        is_other: impl Fn(Self) -> bool,
    ) -> Result<(Self, Range<usize>), TextError> {
        let (left, placed) = (reader.field(), reader.field());
        let what = format!("the number of stones still to place, from 1 to {size}");
        let turn = Self {
            left: reader.digit(&what, left.clone(), 1, size)?,
            placed: reader.cells::<B>("the stones placed in this turn", placed.clone())?,
        };
        let name = LETTERS[to_move];
        if let Some(cell) = each::<B>(turn.placed & !stones.of(to_move)).next() {
            return Err(reader.wrong(format!("there is no stone of {name} on {cell}"), placed));
        }
        let is_alone = (stones.empty() | turn.placed) == full::<B>();
        match turn.size() {
            FIRST if is_alone => {}
            all if all == size || is_other(turn) => {}
            FIRST => {
                let message = format!("only the first turn has {FIRST} stones, but there are stones of other turns");
                return Err(reader.wrong(message, left.start..placed.end));
            }
            all => {
                let message = format!("a turn has {size} stones, the first turn {FIRST}; this turn has {all}");
                return Err(reader.wrong(message, left.start..placed.end));
            }
        }
        Ok((turn, placed))
    }
}

/// The cell of a text that is to name one, with no stone on it.
pub(super) fn empty_cell<B: Board>(stones: &Stones<B>, text: &str, form: &str) -> Result<Cell<B>, TextError> {
    let Some(cell) = Cell::<B>::from_text(text) else {
        return Err(TextError::expected(form, text, 0..text.len()));
    };
    if stones.empty() & cell.bit() == 0 {
        let reason = format!("{cell} is not empty");
        return Err(TextError::illegal(reason, text, 0..text.len()));
    }
    Ok(cell)
}
