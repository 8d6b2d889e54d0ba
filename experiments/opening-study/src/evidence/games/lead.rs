//! Who is ahead in the course of a game, by its searches.

use chase_engine::{Outcome, Player};

/// Expected score from which a player is ahead. Between it and its complement the lead stays as it was, so that searches
/// near an even value do not change it.
pub const AHEAD: f64 = 0.6;
/// Expected score from which a loss is a comeback of the other player. If values are right on average and change in
/// small steps, (1 − 0.8) / 0.8 = 25 % of games without draws are comebacks.
pub const NEARLY_WON: f64 = 0.8;

/// Who was ahead in the course of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeadFacts {
    /// Number of times that the lead went from one player to the other.
    pub changes: u32,
    /// True if the loser expected [`NEARLY_WON`] or more at some time; `None` without a winner.
    pub comeback: Option<bool>,
    /// The ply, from 1, whose search saw the winner ahead, as all later ones did; the last ply if the winner was not ahead
    /// at the end. `None` without a winner.
    pub settled: Option<u32>,
}

/// Observes the values of a game.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LeadObserver {
    ply: u32,
    searches: u32,
    changes: u32,
    /// The player who is ahead, and the ply since which.
    ahead: Option<(Player, u32)>,
    /// The largest expected score of White and of Black.
    most: [f64; 2],
}

impl LeadObserver {
    /// Observes the next ply. `value` is White's expected score by the search that chose it, if there was one.
    pub fn ply(&mut self, value: Option<f64>) {
        self.ply += 1;
        let Some(value) = value else { return };
        self.searches += 1;
        for (most, value) in self.most.iter_mut().zip([value, 1.0 - value]) {
            *most = most.max(value);
        }
        let ahead = match value {
            value if value >= AHEAD => Player::White,
            value if value <= 1.0 - AHEAD => Player::Black,
            _ => return,
        };
        match self.ahead {
            Some((same, _)) if same == ahead => {}
            other => {
                self.changes += u32::from(other.is_some());
                self.ahead = Some((ahead, self.ply));
            }
        }
    }

    /// The facts; `None` without searches.
    pub fn finish(self, outcome: Outcome) -> Option<LeadFacts> {
        let winner = match outcome {
            Outcome::Win(winner) => Some(winner),
            Outcome::Draw | Outcome::Truncated => None,
        };
        (self.searches > 0).then(|| LeadFacts {
            changes: self.changes,
            comeback: winner.map(|winner| self.most[!winner as usize] >= NEARLY_WON),
            settled: winner.map(|winner| match self.ahead {
                Some((ahead, since)) if ahead == winner => since,
                _ => self.ply,
            }),
        })
    }
}

#[cfg(test)]
mod tests {
    use chase_statistics::generator;
    use rand::RngExt;

    use super::*;

    fn lead(values: &[Option<f64>], outcome: Outcome) -> Option<LeadFacts> {
        let mut observer = LeadObserver::default();
        values.iter().for_each(|&value| observer.ply(value));
        observer.finish(outcome)
    }

    #[test]
    fn the_lead_changes_when_the_other_player_is_ahead() {
        // White is ahead at ply 2, Black from ply 4 and nearly won at ply 5, White again from ply 7.
        let values = [0.5, 0.7, 0.5, 0.3, 0.2, 0.45, 0.6, 0.55].map(Some);
        let won = lead(&values, Outcome::Win(Player::White));
        let expected = LeadFacts {
            changes: 2,
            comeback: Some(true),
            settled: Some(7),
        };
        assert_eq!(won, Some(expected));
        // White expected 0.7 at most. Black is never seen ahead again: its win is settled by the last ply.
        let lost = lead(&values, Outcome::Win(Player::Black));
        assert_eq!(
            lost.map(|lead| (lead.comeback, lead.settled)),
            Some((Some(false), Some(8)))
        );
        let drawn = lead(&values, Outcome::Draw);
        assert_eq!(drawn.map(|lead| (lead.comeback, lead.settled)), Some((None, None)));
    }

    #[test]
    fn forced_plies_count_as_plies_without_a_value() {
        let one_way = lead(&[None, Some(0.55), None, Some(0.9)], Outcome::Win(Player::White));
        let expected = LeadFacts {
            changes: 0,
            comeback: Some(false),
            settled: Some(4),
        };
        assert_eq!(one_way, Some(expected));
        assert_eq!(lead(&[None, None], Outcome::Win(Player::White)), None);
    }

    /// Values that are right on average and change by a hundredth at a time.
    #[test]
    fn a_quarter_of_games_are_comebacks_if_values_are_right() {
        let (games, mut comebacks) = (4000, 0);
        for game in 0..games {
            let mut rng = generator(1, &[game]);
            let (mut hundredths, mut observer) = (50_i32, LeadObserver::default());
            while 0 < hundredths && hundredths < 100 {
                observer.ply(Some(f64::from(hundredths) / 100.0));
                hundredths += if rng.random::<bool>() { 1 } else { -1 };
            }
            let winner = if hundredths == 0 { Player::Black } else { Player::White };
            let facts = observer.finish(Outcome::Win(winner));
            comebacks += u32::from(facts.and_then(|lead| lead.comeback) == Some(true));
        }
        // Three standard errors of a share of a quarter are 2.1 points.
        let share = f64::from(comebacks) / games as f64;
        assert!((share - 0.25).abs() < 0.021, "{share}");
    }
}
