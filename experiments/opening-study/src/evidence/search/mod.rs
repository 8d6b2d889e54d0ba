//! What searches say of first moves and replies, and how much that depends on who searches and how long.
//!
//! Shares of visits tell where a search looked, not what moves are worth. So every move is followed by a search of its own,
//! of the position after it; visits, priors and values of the search before it stand beside. [`SearchPlan::gather`] does
//! the searches, [`SearchEvidence`] holds what they found, and [`Stability`] compares rankings.

mod branch;
mod evaluator_source;
mod evidence;
mod gather;
mod lockstep;
mod searcher;
mod stability;

pub(crate) use branch::score_for;
pub use branch::{Branch, BranchRecord, Continuation, LineRecord, Origin};
pub use evaluator_source::EvaluatorSource;
pub use evidence::{AgentEvidence, SearchEvidence};
pub use gather::{BranchFinished, SearchEvidenceError, SearchPlan};
pub(crate) use lockstep::{search_together, white_score};
pub use searcher::Searcher;
pub(crate) use stability::mirror_difference;
pub use stability::{Agreement, MirrorDifference, Stability};
