//! Goals of a player.

use crate::{Game, Outcome, Player};

/// Progress of a line of play towards a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GoalProgress {
    /// Remaining amount of whatever the goal counts; 0 for a goal that counts nothing.
    pub need: i32,
    /// Remaining turns of both players; `None` without a bound. A turn is all plies of a player before the other one
    /// acts.
    pub turns: Option<u32>,
}

/// A goal that one player, the attacker, tries to reach and the other player, the defender, tries to prevent.
pub trait Goal<G: Game> {
    /// The player who tries to reach the goal.
    fn attacker(&self) -> Player;

    /// The amount needed at the beginning, and the number of turns allowed.
    fn start(&self) -> GoalProgress;

    /// The amount needed after a ply from `before` to `after`, if `need` was needed before it.
    fn need_after(&self, before: &G, after: &G, need: i32) -> i32 {
        let _ = (before, after);
        need
    }

    /// `Some(true)` if the goal has certainly been reached, `Some(false)` if it has certainly been missed; `None` if
    /// that depends on further play.
    ///
    /// The result must not be `None` if the game is over or no turn is left, and must depend only on the position, the
    /// counters in its key, and `progress`.
    fn decided(&self, game: &G, progress: GoalProgress) -> Option<bool>;

    /// An estimate, before any search, of the numbers of leaves in a proof and in a disproof of an undecided position;
    /// `attacks` is true if the attacker is to move. Estimates guide the search and change no answer. Neither may be 0.
    fn guess(&self, progress: GoalProgress, attacks: bool) -> [u32; 2] {
        let _ = (progress, attacks);
        [1, 1]
    }
}

/// The goal of winning the game. A draw, the length limit and endless play count as a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Win {
    attacker: Player,
    turns: Option<u32>,
}

impl Win {
    /// The goal of winning at any time.
    pub const fn of(attacker: Player) -> Self {
        Self { attacker, turns: None }
    }

    /// The goal of winning within this many turns of both players.
    pub const fn within(attacker: Player, turns: u32) -> Self {
        Self {
            attacker,
            turns: Some(turns),
        }
    }
}

impl<G: Game> Goal<G> for Win {
    fn attacker(&self) -> Player {
        self.attacker
    }

    fn start(&self) -> GoalProgress {
        GoalProgress {
            need: 0,
            turns: self.turns,
        }
    }

    fn decided(&self, game: &G, progress: GoalProgress) -> Option<bool> {
        match game.outcome() {
            Some(outcome) => Some(outcome == Outcome::Win(self.attacker)),
            None if progress.turns == Some(0) => Some(false),
            None => None,
        }
    }
}

/// The progress towards a goal of a line after one more ply, from `before` to `after`.
pub fn after_ply<G: Game>(goal: &impl Goal<G>, before: &G, after: &G, progress: GoalProgress) -> GoalProgress {
    let passed = after.outcome().is_some() || after.to_move() != before.to_move();
    GoalProgress {
        need: goal.need_after(before, after, progress.need),
        turns: progress.turns.map(|turns| turns.saturating_sub(u32::from(passed))),
    }
}
