//! Ends of games: by the rules, and by conventions that the rules leave open.

use super::{Position, Rules};
use crate::{Outcome, Player};

/// The loser has four dice or fewer.
pub(super) const FEW_DICE: &str = "four dice";
/// The loser has no legal action.
pub(super) const NO_ACTION: &str = "no action";

impl Position {
    /// The winner and the reason, if the rules alone have decided the game: the opponent of a player to move who has four dice or
    /// fewer, or no legal action.
    #[inline]
    pub fn decision(&self) -> Option<(Player, &'static str)> {
        if self.is_lost() {
            Some((!self.to_move(), FEW_DICE))
        } else if !self.has_action() {
            Some((!self.to_move(), NO_ACTION))
        } else {
            None
        }
    }

    /// The end of the game in this position, on its `occurrences`-th occurrence: a decision goes before a draw, and a
    /// draw before the length limit.
    #[inline]
    pub fn end(&self, rules: &Rules, occurrences: u32) -> Option<(Outcome, &'static str)> {
        if let Some((winner, reason)) = self.decision() {
            return Some((Outcome::Win(winner), reason));
        }
        let convention = rules.convention(occurrences, self.quiet_turns(), self.turns_played())?;
        Some((convention.outcome(), convention.name()))
    }
}
