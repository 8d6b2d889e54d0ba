//! The opening study: what the authors of the article on Chase claim, decided claim by claim.
//!
//! [`claim`] lists the claims, and a [`Finding`] is what one test says about one part of a claim. Every source of findings
//! is a function that returns a `Vec<Finding>`: [`exact`] asks the rules alone, others play and search. A
//! [`StudyReport`] gathers them by claim, with the overall verdicts, and is what the page and the JSON file show;
//! `experiments/opening-study/STUDY.md` documents its fields.

mod agent_variation;
mod agents;
mod article_move;
mod basis;
pub mod claim;
mod conduct;
mod config;
pub mod dice;
mod evaluator_source;
pub mod exact;
mod finding;
mod first_move;
mod folder;
pub mod games;
mod lockstep;
mod old_files;
mod order_effect;
pub mod page;
mod score;
pub mod search;
mod study_report;
mod subject;
mod unit;

pub use agent_variation::{AgentFinding, AgentVariation};
pub use article_move::ArticleMove;
pub use basis::Basis;
pub use claim::{Claim, ClaimGroup, ClaimId};
pub use conduct::{REPORT_FILE, StudyError, StudyEvent, StudyWatch, conduct, exact_report};
pub use config::{CheckpointsConfig, SearchConfig, StudyConfig};
pub use evaluator_source::EvaluatorSource;
pub use finding::{Effect, Finding, Role};
pub use first_move::{FirstMove, OpeningClass, first_moves};
pub use folder::{create, resume};
pub use order_effect::{OrderEffect, OrderEffectError};
pub use study_report::{AgentProvenance, ClaimResult, Provenance, SCHEMA_VERSION, StudyReport};
pub use subject::{Line, Subject};
pub use unit::Unit;
