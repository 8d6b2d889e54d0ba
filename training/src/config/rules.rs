//! The conventions of games of turns, as settings.

use std::num::NonZeroU32;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Conventions about draws and length, in games that have them; 0 switches one off. Self-play needs a limit.
///
/// A turn makes progress in Chase by a capture or a Chamber move, in chess by a capture or a move of a pawn (each player's
/// move is a turn), in draughts by a jump or a step of a man. Placement games do not count turns without progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RulesConfig {
    /// Occurrence of a position that makes a draw; 0 for none.
    pub repetition: u32,
    /// Turns without a capture, Chamber move, pawn move or man's step that make a draw; 0 for none.
    pub quiet_turns: u32,
    /// Turns after which a game is truncated; 0 for none.
    pub max_turns: u32,
}

impl Default for RulesConfig {
    fn default() -> Self {
        chase_engine::chase::Rules::default().into()
    }
}

impl From<chase_engine::chase::Rules> for RulesConfig {
    fn from(rules: chase_engine::chase::Rules) -> Self {
        let number = |limit: Option<NonZeroU32>| limit.map_or(0, NonZeroU32::get);
        Self {
            repetition: number(rules.repetition),
            quiet_turns: number(rules.quiet_turns),
            max_turns: number(rules.max_turns),
        }
    }
}

impl RulesConfig {
    /// The conventions in the engine's form.
    pub const fn rules(&self) -> chase_engine::chase::Rules {
        chase_engine::chase::Rules {
            repetition: NonZeroU32::new(self.repetition),
            quiet_turns: NonZeroU32::new(self.quiet_turns),
            max_turns: NonZeroU32::new(self.max_turns),
        }
    }
}
