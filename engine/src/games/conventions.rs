//! Draw and length conventions, which the games of turns share.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use crate::games::limits;
use crate::hash::split_mix;
use crate::{Outcome, TextError};

/// The names of the limits in texts.
const NAMES: [&str; 3] = ["repetition", "quiet", "length"];
/// Turns before a limit at which its counter enters [`Rules::near_key`].
const NEAR: u32 = 40;

/// The draw and length conventions of a game. The published rules know neither draws nor limits; these are explicit,
/// recorded with every result, and each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conventions {
    /// The occurrence of a position (the board and the player to move) that makes the game a draw: by default the
    /// third.
    pub repetition: Option<NonZeroU32>,
    /// Turns, of either player, without progress that make the game a draw: by default 100. Each game says what
    /// progress is; in Chase it is a capture or Chamber move.
    pub quiet_turns: Option<NonZeroU32>,
    /// Turns, of either player, after which the game is truncated: by default 400.
    pub max_turns: Option<NonZeroU32>,
}

impl Conventions {
    /// No draws and no limit: the published rules alone, under which a game may never end.
    pub const PUBLISHED: Self = Self {
        repetition: None,
        quiet_turns: None,
        max_turns: None,
    };

    /// The convention that ends a game after these numbers of occurrences of the position, of quiet turns, and of turns
    /// in all: a draw takes precedence over the length limit.
    #[inline]
    pub fn convention(&self, occurrences: u32, quiet_turns: u32, turns: u32) -> Option<Convention> {
        let reached = |limit: Option<NonZeroU32>, count| limit.is_some_and(|limit| count >= limit.get());
        if reached(self.repetition, occurrences) {
            Some(Convention::Repetition)
        } else if reached(self.quiet_turns, quiet_turns) {
            Some(Convention::QuietTurns)
        } else if reached(self.max_turns, turns) {
            Some(Convention::MaxTurns)
        } else {
            None
        }
    }

    /// The part of a game's key for the counters that the conventions look at, combined by exclusive or.
    pub(crate) fn key(&self, occurrences: u32, quiet_turns: u32, turn: u32) -> u128 {
        let counters = [
            self.repetition.map_or(0, |_| occurrences),
            self.quiet_turns.map_or(0, |_| quiet_turns),
            self.max_turns.map_or(0, |_| turn),
        ];
        let mut low = 0;
        for counter in counters {
            low = split_mix(low ^ u64::from(counter)).wrapping_add(0x9e37_79b9_7f4a_7c15);
        }
        u128::from(split_mix(low)) << 64 | u128::from(low)
    }

    /// As [`Rules::key`], without the counters that are far from their limits.
    pub(crate) fn near_key(&self, occurrences: u32, quiet_turns: u32, turns: u32) -> u128 {
        let near = |limit: Option<NonZeroU32>, now: u32| {
            limit
                .filter(|limit| now.saturating_add(NEAR) >= limit.get())
                .map_or(0, |_| u64::from(now) + 1)
        };
        let counters = [
            u64::from(occurrences - 1),
            near(self.quiet_turns, quiet_turns),
            near(self.max_turns, turns),
        ];
        let mixed = counters.iter().fold(0_u64, |mixed, counter| {
            (mixed ^ counter).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
        });
        u128::from(mixed)
    }
}

/// A convention that has ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// The position occurred once too often.
    Repetition,
    /// Too many turns without progress.
    QuietTurns,
    /// The length limit.
    MaxTurns,
}

impl Convention {
    /// All conventions.
    pub const ALL: [Self; 3] = [Self::Repetition, Self::QuietTurns, Self::MaxTurns];

    /// The convention in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Repetition => "repetition",
            Self::QuietTurns => "quiet turns",
            Self::MaxTurns => "length limit",
        }
    }

    /// The outcome of a game that it ends.
    pub const fn outcome(self) -> Outcome {
        match self {
            Self::Repetition | Self::QuietTurns => Outcome::Draw,
            Self::MaxTurns => Outcome::Truncated,
        }
    }
}

impl Default for Conventions {
    fn default() -> Self {
        Self {
            repetition: NonZeroU32::new(3),
            quiet_turns: NonZeroU32::new(100),
            max_turns: NonZeroU32::new(400),
        }
    }
}

/// The conventions as text: `repetition 3, quiet 100, length 400`, each with its limit or `off`.
impl fmt::Display for Conventions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        limits::write(f, NAMES, [self.repetition, self.quiet_turns, self.max_turns])
    }
}

/// Reads exactly what is written.
impl FromStr for Conventions {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let [repetition, quiet_turns, max_turns] = limits::read(NAMES, text, &Self::default())?;
        Ok(Self {
            repetition,
            quiet_turns,
            max_turns,
        })
    }
}
