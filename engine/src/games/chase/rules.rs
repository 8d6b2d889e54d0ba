//! Ends of games: by the rules, and by conventions that the rules leave open.

use std::fmt;

use super::{Position, Rules};
use crate::games::conventions::Convention;
use crate::{Outcome, Player};

/// The reason for the end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// The loser has four dice or fewer.
    FewDice,
    /// The loser has no legal action.
    NoAction,
    /// The position occurred once too often.
    Repetition,
    /// Too many turns without a capture or Chamber move.
    QuietTurns,
    /// The length limit.
    MaxTurns,
}

impl EndReason {
    /// All reasons.
    pub const ALL: [Self; 5] = [
        Self::FewDice,
        Self::NoAction,
        Self::Repetition,
        Self::QuietTurns,
        Self::MaxTurns,
    ];

    /// The reason in a word or two.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FewDice => "four dice",
            Self::NoAction => "no action",
            Self::Repetition => Convention::Repetition.name(),
            Self::QuietTurns => Convention::QuietTurns.name(),
            Self::MaxTurns => Convention::MaxTurns.name(),
        }
    }
}

impl From<Convention> for EndReason {
    fn from(convention: Convention) -> Self {
        match convention {
            Convention::Repetition => Self::Repetition,
            Convention::QuietTurns => Self::QuietTurns,
            Convention::MaxTurns => Self::MaxTurns,
        }
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Position {
    /// The winner, if the rules alone have decided the game: the opponent of a player to move who has four dice or
    /// fewer, or no legal action.
    #[inline]
    pub fn decision(&self) -> Option<(Player, EndReason)> {
        if self.is_lost() {
            Some((!self.to_move(), EndReason::FewDice))
        } else if !self.has_action() {
            Some((!self.to_move(), EndReason::NoAction))
        } else {
            None
        }
    }

    /// The end of the game in this position, on its `occurrences`-th occurrence: a decision goes before a draw, and a
    /// draw before the length limit.
    #[inline]
    pub fn end(&self, rules: &Rules, occurrences: u32) -> Option<(Outcome, EndReason)> {
        if let Some((winner, reason)) = self.decision() {
            return Some((Outcome::Win(winner), reason));
        }
        let convention = rules.convention(occurrences, self.quiet_turns(), self.turns_played())?;
        Some((convention.outcome(), convention.into()))
    }
}
