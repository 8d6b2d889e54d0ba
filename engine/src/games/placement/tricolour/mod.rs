//! `tricolour`: touch all three colours.
//!
//! - The board is a hexagon of side 5, with the cells `e1` to `m9` and `i5` in the middle. Two neighbouring sides each have one
//!   of three colours: top and upper right, lower right and bottom, lower left and upper left. The corners where colours
//!   meet (`e1`, `q5`, `e9`) have both.
//! - **Opening**: the first player places a stone. The second player may swap: the stone becomes the second player's, and the
//!   first player is to move. Otherwise the second player's turn begins.
//! - **A turn**: move one own stone, then place one stone on an empty cell; either or both may be passed.
//! - **A move** is along a row line, by exactly the stone's distance from the middle before it, over empty cells
//!   or own stones, to an empty cell.
//! - **Goal**: a connected group that touches all three colours. A full board always has one.
//! - Two turns in a row in which everything is passed: draw.
//!
//! # Text forms
//!
//! A **position** is `BOARD SIDE PHASE PASSES`; BOARD and SIDE as in [the other games](super). PHASE ([`Phase`]) is
//! `f`, the first stone, `s`, swap or not, `m`, move, `p`, place after a move, or `q`, place after a passed move.
//! PASSES is the number of turns in a row in which everything was passed.
//!
//! An **action** is `i5`, a stone, `m5k3`, a move, `--`, a pass, or `swap` or `keep`.
//!
//! ```
//! use chase_engine::{Game, Tricolour};
//!
//! let mut game = Tricolour::new(&Default::default());
//! for text in ["m5", "swap", "--", "i5", "m5k3"] {
//!     game.apply(game.parse_action(text)?);
//! }
//! assert_eq!(game.position_text(), "5/6/4x2/8/4o4/8/7/6/5 x p 0");
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod moves;
mod position;
mod text;

pub use position::{Action, Phase, TricolourPosition};

use crate::games::placement::cell;
use crate::games::placement::hexagon::Hexagon;

/// The board.
type Field = Hexagon<5>;

/// A cell of the board of `tricolour`.
pub type Cell = cell::Cell<Field>;
