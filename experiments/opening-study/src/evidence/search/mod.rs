//! Searches of first moves and replies, and how much their results depend on the agent and the budget.
//!
//! Shares of visits show what a search looked at, not the worth of moves. So every move gets a search of its own, of
//! the position after it; visits, priors and values of the search before it are listed too. [`SearchPlan::gather`] runs
//! the searches, [`SearchEvidence`] holds their results, and [`Stability`] compares rankings.

mod branch;
mod evidence;
mod gather;
mod lockstep;
pub(crate) mod remote;
mod search_branch;
mod searcher;
mod stability;

pub(crate) use branch::score_for;
pub use branch::{Branch, BranchOrigin, BranchRecord, Continuation, LineRecord};
pub use evidence::{AgentEvidence, SearchEvidence};
pub use gather::{BranchFinished, SearchPlan};
pub(crate) use lockstep::{search_together, white_score};
pub use searcher::Searcher;
pub(crate) use stability::mirror_difference;
pub use stability::{MirrorDifference, RankingAgreement, Stability};
