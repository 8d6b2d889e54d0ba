//! Counts of results.

use std::ops::AddAssign;

use chase_engine::{Outcome, Player};
use serde::{Deserialize, Serialize};

/// A contestant's games, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WinDrawLoss {
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
    /// Games without a result, cut off by a length limit.
    pub truncated: u32,
}

/// Pairs of games, by the results of one contestant. Both games of a pair have the same opening, and the contestants
/// swap colours; pairs are the units with independent results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairCounts {
    /// Both lost.
    pub ll: u32,
    /// A loss and a draw.
    pub ld: u32,
    /// A win and a loss.
    pub wl: u32,
    /// Both drawn.
    pub dd: u32,
    /// A win and a draw.
    pub wd: u32,
    /// Both won.
    pub ww: u32,
    /// Pairs with a truncated game; they have no score.
    pub truncated: u32,
}

impl WinDrawLoss {
    /// Counts a game with this outcome, for `player`.
    pub fn add(&mut self, outcome: Outcome, player: Player) {
        match outcome {
            Outcome::Win(winner) if winner == player => self.wins += 1,
            Outcome::Win(_) => self.losses += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Truncated => self.truncated += 1,
        }
    }

    /// Mean score per game from 0 to 1, with 0.5 for a draw; truncated games do not count. `None` without games.
    pub fn score(&self) -> Option<f64> {
        let points = f64::from(self.wins) + 0.5 * f64::from(self.draws);
        (self.decided() > 0).then(|| points / f64::from(self.decided()))
    }

    /// The same games from the opponent's side.
    #[must_use]
    pub const fn reversed(self) -> Self {
        Self {
            wins: self.losses,
            losses: self.wins,
            ..self
        }
    }

    /// Games with a result.
    pub const fn decided(&self) -> u32 {
        self.wins + self.draws + self.losses
    }

    /// Games, including those without a result.
    pub const fn played(&self) -> u32 {
        self.decided() + self.truncated
    }

    /// Scores in ascending order, with the number of games of each.
    pub(crate) const fn distribution(&self) -> [(f64, u32); 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)]
    }
}

impl AddAssign for WinDrawLoss {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.truncated += other.truncated;
    }
}

impl PairCounts {
    /// Counts a pair with these outcomes, for the contestant who was `players` in the two games.
    pub fn add_outcomes(&mut self, [first, second]: [Outcome; 2], players: [Player; 2]) {
        self.add(half_points(first, players[0]), half_points(second, players[1]));
    }

    /// Counts a pair in which the games gave these points, in half wins; `None` for a truncated game.
    pub fn add(&mut self, first: Option<usize>, second: Option<usize>) {
        let count = match (first, second) {
            (Some(first), Some(second)) => match (first.min(second), first.max(second)) {
                (0, 0) => &mut self.ll,
                (0, 1) => &mut self.ld,
                (0, _) => &mut self.wl,
                (1, 1) => &mut self.dd,
                (1, _) => &mut self.wd,
                _ => &mut self.ww,
            },
            _ => &mut self.truncated,
        };
        *count += 1;
    }

    /// Pairs with a score.
    pub const fn decided(&self) -> u32 {
        self.ll + self.ld + self.wl + self.dd + self.wd + self.ww
    }

    /// Scores in ascending order, as means of both games, with the number of pairs of each.
    pub(crate) const fn distribution(&self) -> [(f64, u32); 5] {
        [
            (0.0, self.ll),
            (0.25, self.ld),
            (0.5, self.wl + self.dd),
            (0.75, self.wd),
            (1.0, self.ww),
        ]
    }
}

/// Points of a player, in half wins; `None` if the game was truncated.
fn half_points(outcome: Outcome, player: Player) -> Option<usize> {
    match outcome {
        Outcome::Win(winner) => Some(if winner == player { 2 } else { 0 }),
        Outcome::Draw => Some(1),
        Outcome::Truncated => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_both_results_in_any_order() {
        let mut counts = PairCounts::default();
        for first in 0..3 {
            for second in 0..3 {
                counts.add(Some(first), Some(second));
            }
        }
        counts.add(None, Some(2));
        counts.add(Some(1), None);
        counts.add(None, None);
        let expected = PairCounts {
            ll: 1,
            ld: 2,
            wl: 2,
            dd: 1,
            wd: 2,
            ww: 1,
            truncated: 3,
        };
        assert_eq!(counts, expected);
        assert_eq!(counts.decided(), 9);
    }

    #[test]
    fn a_draw_is_half_a_point_and_a_truncated_game_none() {
        let games = WinDrawLoss {
            wins: 3,
            draws: 1,
            losses: 1,
            truncated: 5,
        };
        assert_eq!(games.score(), Some(0.7));
        assert_eq!(games.reversed().score(), Some(0.3));
        assert_eq!(
            WinDrawLoss {
                truncated: 1,
                ..WinDrawLoss::default()
            }
            .score(),
            None
        );
    }
}
