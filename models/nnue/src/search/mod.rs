//! Alpha–beta search for Chase: principal variation search with a transposition table, reductions and pruning.
//!
//! - **Values belong to players.** A player may act on consecutive plies (a choice of dice to absorb, then a move), so a value changes its
//!   sign when the player to move changes, never at every ply.
//! - **Repetitions and turn limits are exact along the line of play**: the search knows all earlier positions of the game.
//!   Entries of the table may come from a line with other earlier positions; that is accepted. Its keys distinguish the number of
//!   times that a position has occurred and, near the limits, the counters of turns.
//! - **Pruning is switched by [`Pruning`]**: with [`Pruning::NONE`] the value of a search of fixed depth is that of plain minimax.
//! - **Passing** is not legal in Chase, but an exchange is a quiet move that nearly always can be made, so having to move hardly
//!   ever hurts. The null move relies on that; it is not tried where the side to move has five dice or fewer, or must absorb.

mod found;
mod judge;
mod limits;
mod order;
mod root;
mod searcher;
mod table;
mod window;

pub use found::{Found, WIN, score};
pub use judge::{ByPosition, Judge, dice};
pub use limits::{Limits, MAX_DEPTH, Pruning};
pub use searcher::Searcher;
