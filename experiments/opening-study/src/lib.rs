//! The opening study: tests of the claims in the article on Chase, claim by claim.
//!
//! `claims.toml` is the table of claims and their tests: a test is an entry, which names its statistic. A [`Finding`] is the
//! result of one test of one part of a claim; a [`StudyReport`] gathers findings by claim, with the verdicts, and is the
//! content of the page and of `study.json`.
//! `docs/src/study/method.md` documents the method and the fields of the file.
//!
//! | module | content |
//! |---|---|
//! | [`claim`] | the claims: ids, statements, the evidence that they need, and their tests |
//! | [`evidence`] | gathering of evidence, by the rules, by games and by searches; it knows no claim |
//! | [`claims`] | the few statistics that answer the tests, and the exact facts |
//! | [`page`] | the report as HTML |
//! | [`remote`] | work of a study that other machines do |
//!
//! [`create`], [`resume`] and [`conduct`] run a whole study in a folder, [`exact_report`] only the part that follows
//! from the rules. An [`ArticleMove`] is a move that the article discusses, with a study's findings about it.
//!
//! # Example
//!
//! The claims about an opening:
//!
//! ```
//! use chase_engine::chase::Position;
//! use chase_opening_study::{ArticleMove, ClaimId, OpeningClass};
//!
//! let moves = ArticleMove::of(&Position::initial());
//! let four = moves.iter().find(|(action, _)| action.to_string() == "A4NE").expect("a first move");
//! assert_eq!(four.1.class, Some(OpeningClass::Four));
//! assert_eq!(four.1.claims, [ClaimId::new('B', 9)]);
//! assert_eq!(ClaimId::new('B', 9).claim().statement, "A first move of a 4, in any direction, is reckless.");
//! ```

mod agents;
mod article_move;
pub mod claim;
mod claim_test;
pub mod claims;
mod conduct;
mod config;
mod config_commit;
mod effect_unit;
pub mod evidence;
mod finding;
mod first_move;
mod folder;
pub mod page;
pub mod remote;
mod study_report;
mod subject;

pub use agents::{AgentFinding, AgentVariation};
pub use article_move::ArticleMove;
pub use claim::{Claim, ClaimGroup, ClaimId};
pub use conduct::{REPORT_FILE, StudyError, StudyEvent, StudyWatch, conduct, exact_report};
pub use config::{CheckpointsConfig, SearchConfig, StudyConfig};
pub use config_commit::ConfigCommit;
pub use effect_unit::EffectUnit;
pub use finding::{Basis, ClaimedSide, Effect, Finding, Role, Statement};
pub use first_move::{FirstMove, OpeningClass, first_moves};
pub use folder::{create, resume};
pub use study_report::{AgentProvenance, ClaimResult, SCHEMA_VERSION, StudyProvenance, StudyReport};
pub use subject::{Line, Subject};
