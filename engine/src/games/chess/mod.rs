//! Chess, on the flat board (`chess`) and on a cylinder (`chess-cyl`), where file h is next to file a.
//!
//! On the cylinder, rules are those of chess, but for what lies over the edge:
//!
//! - Every piece goes over it, also pawns that capture, in passing too. Kings of files a and h can be neighbours.
//! - A rook, bishop or queen may reach a cell by two routes: that is one action. A piece that runs round an empty rank to
//!   its own cell has not moved.
//! - Castling is between the same cells as on the flat board, never over the edge. No cell of the king's way may be
//!   attacked, on the cylinder.
//!
//! By the rules a game ends by checkmate, by stalemate, and where no mate is possible with what is left: two kings alone, or
//! with one bishop or knight. Repetition, quiet turns and the length limit are [`Conventions`]: a turn is one ply, and
//! progress is a capture or a move of a pawn.
//!
//! # Text forms
//!
//! A **position** is a [FEN](https://www.chessprogramming.org/Forsyth-Edwards_Notation):
//! `BOARD SIDE CASTLING EN_PASSANT [QUIET TURN]`. The cell behind a pawn that has just advanced by two is written only if it
//! can be captured in passing; where it is read and cannot, it is left out. The counters are 0 and 1 where they are missing.
//!
//! An **action** is a move as in UCI: `e2e4`, `e7e8q` for a promotion, `e1g1` for castling.
//!
//! ```
//! use chase_engine::chess::{Rules, Variant};
//! use chase_engine::{Chess, Game};
//!
//! let mut game = Chess::new(&Rules::standard(Variant::Cylinder));
//! assert_eq!((game.perft(1), game.perft(2)), (20, 392));
//! for text in ["g2g4", "h7h5", "f1h3"] {
//!     game.apply(game.parse_action(text)?);
//! }
//! // The bishop continues over the edge.
//! assert_eq!(
//!     game.position_text(),
//!     "rnbqkbnr/ppppppp1/8/7p/6P1/7B/PPPPPP1P/RNBQK1NR b KQkq - 1 2"
//! );
//! # Ok::<(), chase_engine::TextError>(())
//! ```

mod action;
mod apply;
mod castling;
mod gain;
mod game;
mod generate;
mod heuristic;
mod illegal;
mod inputs;
mod perft;
mod piece;
mod planes;
mod position;
mod rules;
mod scene;
mod tables;
mod text;
mod variant;

use super::cell;
pub use super::cell::{CELLS, Cell, SIDE};
pub use super::conventions::{Convention, Conventions};
pub use action::Action;
pub use castling::{Castling, Wing};
pub use game::Chess;
pub use perft::perft;
pub use piece::{Kind, Piece};
pub use planes::ChessEncoding;
pub use position::Position;
pub use rules::Rules;
pub use variant::Variant;
