//! UGI, the Universal Game Interface of kz04px.
//! [`engine`](crate::engine) lets any runner drive our players, and [`players::external`](crate::players::external)
//! makes external programs players of ours.
//!
//! The protocol consists of lines of text in both directions. A runner sends a [`Command`], and an engine sends a
//! [`Reply`]; both are parsed and printed, so that the two sides share one grammar. `docs/src/reference/ugi.md`
//! documents it for authors of the other side.

mod command;
pub(crate) mod line;
mod reply;

use std::num::NonZeroU32;

use chase_engine::chase::Rules;

pub use command::{Command, CommandError, Go, Query, Start};
pub use reply::{EngineOption, Info, NO_MOVE, Reply, Response, UgiScore};

/// Names of the options for the conventions of the game; 0 switches one off.
pub(crate) const RULE_OPTIONS: [&str; 3] = [REPETITION, "QuietTurns", "MaxTurns"];
pub(crate) const REPETITION: &str = "Repetition";

/// The values of [`RULE_OPTIONS`] for these conventions.
pub(crate) fn rule_values(rules: &Rules) -> [u32; 3] {
    [rules.repetition, rules.quiet_turns, rules.max_turns].map(|limit| limit.map_or(0, NonZeroU32::get))
}
