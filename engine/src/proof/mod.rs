//! Proofs that a player reaches a goal by force, whatever the other player does.
//!
//! A [`Prover`] holds a [`Goal`] and searches any [`Game`](crate::Game) for a proof that its attacker reaches it, or
//! that the defender prevents that. It is depth-first proof-number search (df-pn: A. Nagai, *Df-pn algorithm for
//! searching AND/OR trees and its applications*, 2002), which continues where a proof needs the fewest further
//! positions (L. V. Allis, M. van der Meulen and H. J. van den Herik, *Proof-number search*, 1994). It is df-pn and not
//! PN² because df-pn's memory is a table of fixed size, so that a search of any length runs in bounded memory, and
//! because different orders of actions that lead to one position share its results. In Chase, where most turns are
//! quiet, these are the majority.
//!
//! It has two common modifications: the threshold of a child exceeds its rival's number by a quarter, so that the
//! search leaves a position less often (J. Pawlewicz and Ł. Lew, *Improving depth-first PN-search: 1 + ε trick*, 2007),
//! and the numbers of children are not added up, but the greatest is taken plus one for each other child (T. Ueda et
//! al., *Weak proof-number search*, 2008), since sums count positions shared by several children several times.
//!
//! # Why the answers are right
//!
//! - **A bound in turns** is part of a position's key, as is the amount that the goal still needs. Within a bound no
//!   key recurs from turn to turn, and a stored answer depends on its position alone.
//! - **Without a bound positions may recur.** An attacker who reaches a goal by force can do so without a recurrence:
//!   the number of plies to the goal falls with each. So a position that recurs on the current line counts as missed,
//!   and a proof, which consists of proofs completed before it, never depends on that. A disproof may: it then holds
//!   only below the position that recurs, and is neither stored nor used elsewhere (the graph history interaction
//!   problem: A. Kishimoto and M. Müller, *A general solution to the graph history interaction problem*, 2004).
//! - **The game must not depend on its own history** beyond what its keys contain. For [`Chase`](crate::Chase) play by
//!   [`Rules::PUBLISHED`](crate::chase::Rules::PUBLISHED), or at least without repetition. By the argument above, a
//!   rule that makes a recurrence a draw changes no answer about a win, as long as occurrences before the root do not
//!   count.
//!
//! All of this holds up to collisions of a 128-bit hash.
//!
//! # Example
//!
//! ```
//! use chase_engine::proof::{Budget, Prover, ProofVerdict, Win};
//! use chase_engine::{ConnectFour, Game, Player};
//!
//! // Three stones of White lie open at both ends, and Black is to move: it can stop one end only.
//! let game = ConnectFour::from_position_text("......./......./......./......./..oo.../..xxx.. b", &())?;
//! let mut prover = Prover::new(Win::within(Player::White, 2), 1 << 20);
//! let mut budget = Budget::nodes(1000);
//! assert_eq!(prover.prove(&game, &mut budget), ProofVerdict::Proved);
//! assert_eq!(prover.line(&game, &mut budget).len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod budget;
mod frame;
mod full;
mod goal;
mod numbers;
mod prover;
mod table;

pub use budget::Budget;
pub use goal::{Goal, GoalProgress, Win, after_ply};
pub use prover::Prover;

/// The result for a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProofVerdict {
    /// The attacker reaches the goal whatever the defender does.
    Proved,
    /// The defender keeps the attacker from the goal whatever the attacker does.
    Disproved,
    /// The budget was spent before either was shown.
    Unknown,
}

impl ProofVerdict {
    /// `proved`, `disproved` or `unknown`, as in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Proved => "proved",
            Self::Disproved => "disproved",
            Self::Unknown => "unknown",
        }
    }
}
