//! `lines9`: the longer lines.
//!
//! - The board is a square of 9 × 9, with `a1` at the top left.
//! - A **line** is a whole run of two or more stones of one colour in a row, a column or a diagonal.
//! - The first turn is one stone, every later one two. A player who is behind at the start of a turn may place a third.
//! - **Behind**: compare the lengths of all lines of both, the longest first. The first difference decides, and a list that has
//!   run out is the shorter one. Equal is not behind.
//! - The game ends when the board is full. The player who is not behind wins; equal lists are a draw.
//!
//! # Text forms
//!
//! A **position** is `BOARD SIDE LEFT`; BOARD and SIDE as in [the other games](super). LEFT is the number of stones
//! that must still be placed in this turn, with a `+` if a third is allowed: `2`, `2+`, `1`, `1+`, or `0+`, where the
//! third is placed or not. `1` on an empty board is the first turn.
//!
//! An **action** is `e5`, a stone, or `end`, no third stone.
//!
//! ```
//! use chase_engine::{Game, Lines9};
//!
//! let mut game = Lines9::new(&Default::default());
//! for text in ["e5", "a1", "b2"] {
//!     game.apply(game.parse_action(text)?);
//! }
//! // The second player has a line, and the first one may place three stones.
//! assert_eq!(game.position_text(), "x8/1x7/9/9/4o4/9/9/9/9 o 2+");
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod lengths;
mod position;
mod square;
mod text;

pub use lengths::Lengths;
pub use position::{Action, Lines9Position};
pub use square::Square;

use crate::games::placement::cell;

/// The board.
type Field = Square<9>;

/// A cell of the board of `lines9`.
pub type Cell = cell::Cell<Field>;
