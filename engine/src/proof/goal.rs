//! What a player tries to reach.

use crate::{Game, Outcome, Player};

/// How far a line of play has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// What is still needed of whatever the goal counts; 0 for a goal that counts nothing.
    pub need: i32,
    /// Turns that are left, of either player; `None` without a bound. A turn is all that a player does before the other
    /// one acts.
    pub turns: Option<u32>,
}

/// What a player, the attacker, tries to reach, and the other player, the defender, to prevent.
pub trait Goal<G: Game> {
    /// The player who tries to reach it.
    fn attacker(&self) -> Player;

    /// What is needed at the beginning, and within how many turns.
    fn start(&self) -> Progress;

    /// What is needed after a ply from `before` to `after`, where `need` was needed before it.
    fn need_after(&self, before: &G, after: &G, need: i32) -> i32 {
        let _ = (before, after);
        need
    }

    /// Whether the goal is reached (true) or missed (false) for certain; `None` where that depends on further play.
    ///
    /// It must not be `None` where the game is over or no turn is left, and must depend on nothing but the position,
    /// the counters in its key, and `progress`.
    fn decided(&self, game: &G, progress: Progress) -> Option<bool>;

    /// A guess, before any search, of how many leaves a proof and a disproof need where that is not decided; `attacks` says
    /// who acts. Guesses lead the search and change no answer. Neither is 0.
    fn guess(&self, progress: Progress, attacks: bool) -> [u32; 2] {
        let _ = (progress, attacks);
        [1, 1]
    }
}

/// To win the game. A draw, the length limit and play without end are as bad as a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Win {
    attacker: Player,
    turns: Option<u32>,
}

impl Win {
    /// To win at any time.
    pub const fn of(attacker: Player) -> Self {
        Self { attacker, turns: None }
    }

    /// To win within so many turns, those of both players counted.
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

    fn start(&self) -> Progress {
        Progress {
            need: 0,
            turns: self.turns,
        }
    }

    fn decided(&self, game: &G, progress: Progress) -> Option<bool> {
        match game.outcome() {
            Some(outcome) => Some(outcome == Outcome::Win(self.attacker)),
            None if progress.turns == Some(0) => Some(false),
            None => None,
        }
    }
}

/// How far a line has come after one more ply.
pub(super) fn after_ply<G: Game>(goal: &impl Goal<G>, before: &G, after: &G, progress: Progress) -> Progress {
    let passed = after.outcome().is_some() || after.to_move() != before.to_move();
    Progress {
        need: goal.need_after(before, after, progress.need),
        turns: progress.turns.map(|turns| turns.saturating_sub(u32::from(passed))),
    }
}
