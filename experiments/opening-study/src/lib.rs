//! The opening study: what the authors of the article on Chase claim, decided claim by claim.
//!
//! `claims.toml` lists the claims. A [`Finding`] is what one test says about one part of a claim; a [`StudyReport`] gathers
//! findings by claim, with the verdicts, and is what the page and `study.json` show.
//! `docs/src/study/method.md` documents the method and the fields of the file.
//!
//! | module | what it holds |
//! |---|---|
//! | [`claim`] | the ids of the claims, what each one says, and what can decide it |
//! | [`evidence`] | how evidence is gathered, by the rules, by games and by searches; it knows no claim |
//! | [`claims`] | what is tested for each claim, one file for a claim or for claims that are tested alike |
//! | [`page`] | the report as HTML |
//!
//! [`create`], [`resume`] and [`conduct`] run a whole study in a folder, [`exact_report`] only what the rules decide. An
//! [`ArticleMove`] is a move that the article speaks of, with what a study says of it.
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
//! assert_eq!(four.1.claims, [ClaimId::B9]);
//! assert_eq!(ClaimId::B9.claim().statement, "A first move of a 4, in any direction, is reckless.");
//! ```

mod agent_variation;
mod article_move;
mod basis;
pub mod claim;
pub mod claims;
mod conduct;
mod config;
mod config_commit;
mod equal_games;
pub mod evidence;
mod finding;
mod first_move;
mod folder;
mod old_files;
mod order_effect;
pub mod page;
mod plan_error;
mod preregistration;
mod reissue;
mod study_plan;
mod study_report;
mod subject;
mod unit;

pub use agent_variation::{AgentFinding, AgentVariation};
pub use article_move::ArticleMove;
pub use basis::Basis;
pub use claim::{Claim, ClaimGroup, ClaimId};
pub use conduct::{REPORT_FILE, StudyError, StudyEvent, StudyWatch, conduct, exact_report};
pub use config::{CheckpointsConfig, SearchConfig, StudyConfig};
pub use equal_games::EqualGames;
pub use finding::{Effect, Finding, Role};
pub use first_move::{FirstMove, OpeningClass, first_moves};
pub use folder::{create, resume};
pub use order_effect::{OrderEffect, OrderEffectError};
pub use plan_error::PlanError;
pub use preregistration::Preregistration;
pub use reissue::{ReissueError, Reissued, reissue};
pub use study_plan::{ConfigFile, StudyPlan};
pub use study_report::{AgentProvenance, ClaimResult, Provenance, SCHEMA_VERSION, StudyReport};
pub use subject::{Line, Subject};
pub use unit::Unit;
