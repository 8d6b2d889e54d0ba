//! `moves23`: lines that move, and a connection of three sides.
//!
//! - The board is a hexagon of side 6, with the cells `f1` to `p11`.
//! - The first turn is two stones. Every later turn is three stones, or one line move and then one stone.
//! - **Stones of a turn** go on empty cells, no two of them in one row line, at whatever distance. Only stones after which the
//!   turn can be completed are legal. The stone after a line move may go on any empty cell.
//! - **A line** is a whole run of two or more stones of one's own in a row line. It moves along the row line, either way, and
//!   by no more cells than it has stones. It stops before its own stones and before the edge.
//! - A line that meets a run of fewer enemy stones may take the place of the nearest ones, which are removed: up to the
//!   difference of the two numbers, all in one move, and never beyond the run.
//! - **Goal**: a connected group that touches three sides no two of which are neighbours. A corner belongs to both its sides.
//! - A player without a complete turn at the start of it: draw.
//!
//! # Text forms
//!
//! A **position** is `BOARD SIDE LEFT PLACED`; BOARD and SIDE as in [the other games](super). LEFT is the number of
//! stones still to place, and PLACED the stones placed in this turn, or `-`: `3 -` at the start of a turn, `2 -` at the
//! start of the first, `1 -` after a line move.
//!
//! An **action** is `h7`, a stone, or `f5:h7`, a line move: the cell of the rear stone before it, and that of the front
//! stone after it.
//!
//! ```
//! use chase_engine::{Game, Moves23};
//!
//! let mut game = Moves23::from_position_text("6/7/8/9/10/11/2ooox4/9/8/7/6 o 3 -", &Default::default())?;
//! // Three stones against one: the line moves and takes the place of the enemy.
//! game.apply(game.parse_action("f7:l7")?);
//! assert_eq!(game.position_text(), "6/7/8/9/10/11/3ooo4/9/8/7/6 o 1 -");
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod lines;
mod position;
mod text;

pub use position::{Action, Moves23Position};

use crate::games::placement::cell;
use crate::games::placement::hexagon::Hexagon;

/// The board.
type Field = Hexagon<6>;

/// A cell of the board of `moves23`.
pub type Cell = cell::Cell<Field>;
