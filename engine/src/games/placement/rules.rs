//! The conventions that the placement games are played under.

use std::fmt;
use std::num::NonZeroU32;

use crate::games::conventions::Conventions;
use crate::games::limits;
use crate::text_error::TextError;

/// The draw and length conventions of a placement game. They are looked at between turns, after the end by the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The occurrence of a position at the start of a turn that makes the game a draw: by default the third.
    pub repetition: Option<NonZeroU32>,
    /// Turns, of either player, after which the game is truncated: by default 200.
    pub max_turns: Option<NonZeroU32>,
}

const NAMES: [&str; 2] = ["repetition", "length"];

impl Rules {
    /// No draws by repetition and no limit: the rules alone, under which a game may never end.
    pub const PUBLISHED: Self = Self {
        repetition: None,
        max_turns: None,
    };

    /// The conventions of a text like `repetition 3, length 200`.
    pub(super) fn from_text(text: &str) -> Result<Self, TextError> {
        let [repetition, max_turns] = limits::read(NAMES, text, &Self::default())?;
        Ok(Self { repetition, max_turns })
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            repetition: NonZeroU32::new(3),
            max_turns: NonZeroU32::new(200),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        limits::write(f, NAMES, [self.repetition, self.max_turns])
    }
}

/// Without a limit for quiet turns, which these games do not have.
impl From<Rules> for Conventions {
    fn from(rules: Rules) -> Self {
        Self {
            repetition: rules.repetition,
            quiet_turns: None,
            max_turns: rules.max_turns,
        }
    }
}
