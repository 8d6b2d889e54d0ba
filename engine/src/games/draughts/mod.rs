//! Eighteen draughts games (W. Adams, *Variations on Chess and Checkers*): capture rule × board × numbered men.
//!
//! | name | capture rule |
//! |---|---|
//! | `checkers` | English draughts: a jumped piece leaves the board |
//! | `stax` | the top piece of a jumped stack goes to the bottom of the stack that jumped it; pieces never leave the board |
//! | `queens` | as in `stax`, on all 64 cells; jumps go straight and sideways as well |
//!
//! With `-cyl`, file h is next to file a. With `-uni` it is so too, and for kings rank 8 is next to rank 1. With `-num`
//! the men of each side are numbered from 1 to 12, dealt at random: a man jumps no man of a higher number, and no king.
//!
//! - Dark, the first player, moves up from ranks 1 to 3, Light down from ranks 6 to 8. A player who can jump must jump, and
//!   continue with that piece while it can; the choice of jump is free. A cell jumped in a turn is not jumped again in that turn.
//! - A man that arrives on the last rank becomes a king, and its turn ends. Men step and jump forward, kings also backward.
//! - The player to move who has no legal action has lost. Draws and the length limit are [`Conventions`], where
//!   progress is a jump or a step of a man.
//! - **One ply is one step or one jump**: the same player continues while a turn of several jumps lasts. [`perft`] counts plies
//!   and [`perft_turns`] whole turns, as counts are published.
//!
//! # Text forms
//!
//! A **position** is `BOARD SIDE CONT [QUIET TURN]`:
//!
//! - BOARD: ranks 8 to 1 separated by `/`, files a to h, digits for runs of empty cells. Pieces are letters
//!   ([`Piece::letter`]), upper case for Dark; a stack is its pieces from the top in parentheses, `(MmQ)`.
//! - SIDE: `d` or `l`, the player to move.
//! - CONT: `-`, or within a turn of several jumps the cell of the jumping piece and, behind a colon, the cells jumped in this
//!   turn that still show an enemy: `e5:d4f6`.
//! - QUIET: turns since the last jump or step of a man; TURN: from 1, up by one after Light's turn. 0 and 1 where they are
//!   missing.
//!
//! An **action** is a step, `c3-d4`, or a jump, `c3xe5`, also around the edges: `a3-h4`.
//!
//! ```
//! use chase_engine::draughts::{Rules, Variation};
//! use chase_engine::{Draughts, Game};
//!
//! let mut game = Draughts::new(&Rules::standard(Variation::Stax));
//! for text in ["c3-d4", "f6-e5", "d4xf6", "g7xe5"] {
//!     game.apply(game.parse_action(text)?);
//! }
//! assert_eq!(
//!     game.position_text(),
//!     "1m1m1m1m/m1m1m3/1m1m1m1m/4(mM)3/8/M3M1M1/1M1M1M1M/M1M1M1M1 d - 0 3"
//! );
//! assert_eq!(game.perft(1), 7);
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod action;
mod any_position;
mod apply;
mod board;
mod direction;
mod game;
mod generate;
mod heuristic;
mod perft;
mod piece;
mod planes;
mod position;
mod rules;
mod scene;
mod stacks;
mod symmetry;
mod text;
mod variant;
mod words;

use super::cell;
pub use super::conventions::{Convention, Conventions};
pub use action::Action;
pub use any_position::AnyPosition;
pub use board::Board;
pub use cell::{CELLS, Cell, SIDE};
pub use direction::Direction;
pub use game::Draughts;
pub use perft::{perft, perft_turns};
pub use piece::{PIECES, Piece, Rank};
pub use planes::DraughtsEncoding;
pub use position::Position;
pub use rules::Rules;
pub use symmetry::Symmetry;
pub use variant::{
    Base, Checkers, CheckersCyl, CheckersCylNum, CheckersNum, CheckersUni, CheckersUniNum, Queens, QueensCyl,
    QueensCylNum, QueensNum, QueensUni, QueensUniNum, Stax, StaxCyl, StaxCylNum, StaxNum, StaxUni, StaxUniNum, Variant,
    Variation,
};
