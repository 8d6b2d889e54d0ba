//! `tetra24`: a set of tetrahexes.
//!
//! - The board is a hexagon of side 7, with the cells `g1` to `s13`.
//! - The first turn is up to two stones, every later one up to four. Any stone may be passed, which ends the turn.
//! - The stones placed in one turn stand in different groups of their colour: the group of a new stone holds no other stone
//!   of this turn. It may join several older groups.
//! - A **tetrahex** is a group of exactly four stones; with a fifth it no longer counts. There are seven shapes
//!   ([`Tetrahex`]); a mirror image is the same shape.
//! - **Goal**: all seven shapes of one's colour on the board at once.
//! - After two turns in a row without a stone the player with more different shapes wins. Among equal numbers the player whose
//!   number changed last loses; without any shapes the game is a draw.
//!
//! # Text forms
//!
//! A **position** is `BOARD SIDE LEFT PLACED PASSES CHANGED`; BOARD and SIDE as in [the other games](super). LEFT is
//! the number of stones that may still be placed, PLACED the stones placed in this turn, or `-`, PASSES the turns in a
//! row without a stone, and CHANGED the player whose number of shapes changed last, or `-`.
//!
//! An **action** is `n6`, a stone, or `pass`.
//!
//! ```
//! use chase_engine::{Game, Tetra24};
//!
//! let mut game = Tetra24::new(&Default::default());
//! for text in ["m7", "pass", "a7", "pass", "o7"] {
//!     game.apply(game.parse_action(text)?);
//! }
//! assert_eq!(game.position_text(), "7/8/9/10/11/12/x5oo5/12/11/10/9/8/7 o 3 o7 0 -");
//! // A second stone of the turn would join the group of the first.
//! assert!(game.parse_action("q7").is_err());
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod position;
mod shapes;
mod text;

pub use position::{Action, Tetra24Position};
pub use shapes::Tetrahex;

use crate::games::placement::cell;
use crate::games::placement::hexagon::Hexagon;

/// The board.
type Field = Hexagon<7>;

/// A cell of the board of `tetra24`.
pub type Cell = cell::Cell<Field>;
