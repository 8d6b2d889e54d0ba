//! Options for the conventions of the game.

use std::num::NonZeroU32;

use chase_engine::chase::Rules;

/// Names of the options for the conventions of the game; 0 switches one off.
pub(crate) const RULE_OPTIONS: [&str; 3] = [REPETITION, "QuietTurns", "MaxTurns"];
pub(crate) const REPETITION: &str = "Repetition";

/// The values of [`RULE_OPTIONS`] for these conventions.
pub(crate) fn rule_values(rules: &Rules) -> [u32; 3] {
    [rules.repetition, rules.quiet_turns, rules.max_turns].map(|limit| limit.map_or(0, NonZeroU32::get))
}
