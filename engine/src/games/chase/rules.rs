//! How games end: by the rules, and by conventions that the rules leave open.

use std::fmt;
use std::num::NonZeroU32;

use super::Position;
use crate::{Outcome, Player};

/// The draw and length conventions of a game. The published rules know neither draws nor limits; these are explicit,
/// recorded with every result, and each can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The occurrence of a position (dice and player to move) that makes the game a draw: by default the third.
    pub repetition: Option<NonZeroU32>,
    /// Turns, of either player, without a capture or Chamber move that make the game a draw: by default 100.
    pub quiet_turns: Option<NonZeroU32>,
    /// Turns, of either player, after which the game is truncated: by default 400.
    pub max_turns: Option<NonZeroU32>,
}

impl Rules {
    /// No draws and no limit: the published rules alone, under which a game may never end.
    pub const PUBLISHED: Self = Self {
        repetition: None,
        quiet_turns: None,
        max_turns: None,
    };
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            repetition: NonZeroU32::new(3),
            quiet_turns: NonZeroU32::new(100),
            max_turns: NonZeroU32::new(400),
        }
    }
}

/// Why a game ended.
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
            Self::Repetition => "repetition",
            Self::QuietTurns => "quiet turns",
            Self::MaxTurns => "length limit",
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
        let reached = |limit: Option<NonZeroU32>, count| limit.is_some_and(|limit| count >= limit.get());
        if let Some((winner, reason)) = self.decision() {
            Some((Outcome::Win(winner), reason))
        } else if reached(rules.repetition, occurrences) {
            Some((Outcome::Draw, EndReason::Repetition))
        } else if reached(rules.quiet_turns, self.quiet_turns()) {
            Some((Outcome::Draw, EndReason::QuietTurns))
        } else if reached(rules.max_turns, self.turns_played()) {
            Some((Outcome::Truncated, EndReason::MaxTurns))
        } else {
            None
        }
    }
}
