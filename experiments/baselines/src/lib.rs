//! Opponents of fixed strength, made without learning: the marks that progress is measured by.
//!
//! The crate knows games and nothing else: no network, no file, no libtorch. All randomness comes from a generator that
//! is passed in, so that the same seed gives the same choices. Only a limit of time makes a choice depend on the
//! machine.
//!
//! | type | choice | games |
//! |---|---|---|
//! | [`Random`] | any legal action | all |
//! | [`Greedy`] | a win at once, otherwise the action that leaves it furthest ahead | those with a heuristic |
//! | [`ByHeuristic`] | with [`AlphaBeta`](chase_engine::alpha_beta::AlphaBeta): the best line of some plies, as the heuristic judges where they end | those with a heuristic |
//!
//! A [`Heuristic`] is a hand-written judgement of positions; [`Judged`] says which one a game has.
//!
//! # Example
//!
//! ```
//! use chase_baselines::{ByHeuristic, Judged};
//! use chase_engine::alpha_beta::{AlphaBeta, Limits, Settings};
//! use chase_engine::{Chase, Game};
//!
//! let game = Chase::new(&Default::default());
//! let heuristic = Chase::heuristic().expect("Chase has one");
//! let found = AlphaBeta::new(ByHeuristic(heuristic), Settings::PLAIN).best(&game, &Limits::depth(2));
//! assert!(game.is_legal(found.action));
//! assert_eq!((found.depth, found.plies_to_win()), (2, None));
//! ```

mod alpha_beta;
mod games;
mod greedy;
mod heuristic;
mod random;

pub use alpha_beta::ByHeuristic;
pub use games::{ChaseHeuristic, DraughtsHeuristic};
pub use greedy::Greedy;
pub use heuristic::{Heuristic, Judged, NoHeuristic};
pub use random::Random;
