//! The baselines of `chase_baselines` as agents and as short texts.

mod agents;
mod blunder;
mod text;

pub use blunder::Blunder;
pub(crate) use text::{BaselineKind, FORMS, RolloutSettings};
pub use text::{BaselineSpec, LADDER, NoJudgement};
