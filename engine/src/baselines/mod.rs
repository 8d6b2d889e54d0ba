//! Opponents of fixed strength, made without learning: the marks that progress is measured by. All randomness comes from a
//! generator that is passed in, so that the same seed gives the same choices.
//!
//! | type | choice | games |
//! |---|---|---|
//! | [`Random`] | any legal action | all |
//! | [`Greedy`] | a win at once, otherwise the action that leaves it furthest ahead | those with a [heuristic](crate::Heuristic) |
//!
//! [`AlphaBeta`](crate::alpha_beta::AlphaBeta) with [`ByHeuristic`](crate::alpha_beta::ByHeuristic) is the third: the best
//! line of some plies, as the heuristic judges where they end.

mod greedy;
mod random;

pub use greedy::Greedy;
pub use random::Random;
