//! Four placement games of an unnamed author (2015): stones on an empty board, several in a turn.
//!
//! | name | board | goal |
//! |---|---|---|
//! | [`moves23`] | hexagon of side 6 | connect three sides no two of which are neighbours; lines of stones move and kill |
//! | [`tetra24`] | hexagon of side 7 | all seven shapes of four connected stones |
//! | [`lines9`] | square of 9 × 9 | the longer lines on the full board |
//! | [`tricolour`] | hexagon of side 5 | connect the three colours of the sides; stones move as far as they are from the middle |
//!
//! - The first player's stones are `o`, the second player's `x`.
//! - **One ply is one stone, one move of stones, or a decision to stop**: the same player acts until the turn is over. The
//!   stones of a turn may come in any order, and [`perft`] counts every order.
//! - Draws by repetition and the length limit are conventions: [`Rules`]. They are looked at between turns. Turns are counted
//!   from the start of the game, or from the position that it was set up with.
//!
//! # Text forms
//!
//! A **cell** is a letter and a number: the number is that of the row from the top. On a hexagon letters count half
//! cells, so that the neighbours of a cell in its row are two letters away, and those in the rows above and below are
//! one. A *row line* is one of the three lines of neighbours through a cell.
//!
//! A **position** begins with `BOARD SIDE`: rows from the top separated by `/`, with `o`, `x` and numbers for runs of
//! empty cells, and the player to move, `o` or `x`. The fields behind them are those of each game. Several cells in one
//! field are in the order of rows and letters. The initial positions:
//!
//! | game | position |
//! |---|---|
//! | `moves23` | `6/7/8/9/10/11/10/9/8/7/6 o 2 -` |
//! | `tetra24` | `7/8/9/10/11/12/13/12/11/10/9/8/7 o 2 - 0 -` |
//! | `lines9` | `9/9/9/9/9/9/9/9/9 o 1` |
//! | `tricolour` | `5/6/7/8/9/8/7/6/5 o f 0` |
//!
//! ```
//! use chase_engine::placement::{Position, perft};
//! use chase_engine::{Game, Lines9, Moves23, Tetra24, Tricolour};
//!
//! assert_eq!(Moves23::new(&Default::default()).position_text(), "6/7/8/9/10/11/10/9/8/7/6 o 2 -");
//! assert_eq!(perft(Tetra24::new(&Default::default()).position(), 2), 15_573);
//! assert_eq!(perft(Lines9::new(&Default::default()).position(), 2), 6_480);
//! assert_eq!(Tricolour::new(&Default::default()).position().legal_actions().len(), 61);
//! ```

mod board;
mod cell;
mod connection;
mod game;
mod hexagon;
mod layout;
pub mod lines9;
pub mod moves23;
mod perft;
mod planes;
mod position;
mod reader;
mod rules;
mod scene;
mod stone_or_end;
mod stones;
mod symmetry;
pub mod tetra24;
pub mod tricolour;
mod turn;

pub use board::Board;
pub use cell::Cell;
pub use game::Placement;
pub use hexagon::{Direction, Hexagon};
pub use perft::perft;
pub use planes::{PlacementEncoding, Shown};
pub use position::{Position, Return};
pub use rules::Rules;
pub use stone_or_end::StoneOrEnd;
pub use stones::Stones;
pub use symmetry::Symmetry;

/// A game of [`moves23`].
pub type Moves23 = Placement<moves23::Moves23Position>;
/// A game of [`tetra24`].
pub type Tetra24 = Placement<tetra24::Tetra24Position>;
/// A game of [`lines9`].
pub type Lines9 = Placement<lines9::Lines9Position>;
/// A game of [`tricolour`].
pub type Tricolour = Placement<tricolour::TricolourPosition>;
