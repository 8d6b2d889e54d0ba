//! Searches of first moves and replies.
//!
//! Shares of visits show what a search looked at, not the worth of moves. So every move gets a search of its own, of
//! the position after it. [`SearchPlan::gather`] runs the searches, [`SearchEvidence`] holds their results.

mod branch;
mod evidence;
mod gather;
pub(crate) mod job;

pub(crate) use branch::score_for;
pub use branch::{Branch, BranchOrigin, BranchRecord, Continuation, LineRecord};
pub use evidence::{AgentEvidence, SearchEvidence};
pub use gather::SearchPlan;
