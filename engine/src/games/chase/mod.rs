//! Chase (Tom Kruszewski, 1985), exactly as the rules page (`rules.md`, beside this file) states its rules.

mod action;
mod apply;
mod bitboard;
mod cell;
mod dice_ahead;
mod die;
mod direction;
mod gain;
mod game;
mod generate;
pub mod geometry;
mod heuristic;
mod illegal;
pub mod notation;
mod perft;
mod planes;
mod position;
mod rules;
mod scene;
mod setup;
mod zobrist;

pub use super::conventions::Conventions as Rules;
pub use action::{Action, ActionList, MAX_ACTIONS};
pub use bitboard::{Bitboard, Cells};
pub use cell::{CELLS, Cell, CellError, SIDE};
pub use dice_ahead::DiceAhead;
pub use die::{Die, Speed};
pub use direction::{Direction, DirectionError};
pub use game::Chase;
pub use generate::PossibleMove;
pub use illegal::IllegalAction;
pub use perft::{divide, perft};
pub use planes::ChaseEncoding;
pub use position::{DICE, LOST, Position, TOTAL};
pub use rules::EndReason;
pub use setup::{Setup, SetupError, SetupFault};
