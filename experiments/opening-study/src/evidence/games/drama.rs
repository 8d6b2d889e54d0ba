//! Who is ahead in the course of a game, by its searches.

use chase_engine::{Outcome, Player};

/// Expected score from which a player is ahead. Between it and its complement no one is, so that searches near an even
/// value do not change the lead.
pub const AHEAD: f64 = 0.6;

/// Who was ahead in the course of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drama {
    /// Number of times that the player who was behind came to be ahead.
    pub lead_changes: u32,
    /// True if the loser was ahead at some time; `None` without a winner.
    pub comeback: Option<bool>,
    /// The ply from which the winner was ahead to the end, from 1: that of the search, or the last one if no search saw
    /// the winner ahead at the end. `None` without a winner.
    pub settled: Option<u32>,
}

/// Observes the values of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DramaObserver {
    ply: u32,
    searches: u32,
    lead_changes: u32,
    /// The player who was ahead last, and the ply since which.
    ahead: Option<(Player, u32)>,
    /// True if White, or Black, was ahead at some time.
    was_ahead: [bool; 2],
}

impl DramaObserver {
    /// Observes the next ply. `value` is White's expected score by the search that chose it, if there was one.
    pub fn ply(&mut self, value: Option<f64>) {
        self.ply += 1;
        let Some(value) = value else { return };
        self.searches += 1;
        let ahead = match value {
            value if value >= AHEAD => Player::White,
            value if value <= 1.0 - AHEAD => Player::Black,
            _ => return,
        };
        self.was_ahead[ahead as usize] = true;
        match self.ahead {
            Some((same, _)) if same == ahead => {}
            other => {
                self.lead_changes += u32::from(other.is_some());
                self.ahead = Some((ahead, self.ply));
            }
        }
    }

    /// The facts; `None` without searches.
    pub fn finish(self, outcome: Outcome) -> Option<Drama> {
        let winner = match outcome {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw | Outcome::Truncated => None,
        };
        (self.searches > 0).then(|| Drama {
            lead_changes: self.lead_changes,
            comeback: winner.map(|winner| self.was_ahead[!winner as usize]),
            settled: winner.map(|winner| match self.ahead {
                Some((ahead, since)) if ahead == winner => since,
                _ => self.ply,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drama(values: &[Option<f64>], outcome: Outcome) -> Option<Drama> {
        let mut observer = DramaObserver::default();
        values.iter().for_each(|&value| observer.ply(value));
        observer.finish(outcome)
    }

    #[test]
    fn the_lead_changes_when_the_other_player_is_ahead() {
        // White is ahead at ply 2, no one at ply 3, Black from ply 4, White again from ply 7.
        let values = [0.5, 0.7, 0.5, 0.3, 0.45, 0.4, 0.6, 0.55].map(Some);
        let won = drama(&values, Outcome::Win(Player::White));
        let expected = Drama {
            lead_changes: 2,
            comeback: Some(true),
            settled: Some(7),
        };
        assert_eq!(won, Some(expected));
        // Black is never seen ahead again: its win is settled by the last ply.
        let lost = drama(&values, Outcome::Win(Player::Black)).and_then(|drama| drama.settled);
        assert_eq!(lost, Some(8));
        let drawn = drama(&values, Outcome::Draw);
        assert_eq!(drawn.map(|drama| (drama.comeback, drama.settled)), Some((None, None)));
    }

    #[test]
    fn forced_plies_count_as_plies_without_a_value() {
        let one_way = drama(&[None, Some(0.55), None, Some(0.9)], Outcome::Win(Player::White));
        let expected = Drama {
            lead_changes: 0,
            comeback: Some(false),
            settled: Some(4),
        };
        assert_eq!(one_way, Some(expected));
        assert_eq!(drama(&[None, None], Outcome::Win(Player::White)), None);
    }
}
