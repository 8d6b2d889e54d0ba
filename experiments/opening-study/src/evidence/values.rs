//! Expectations of searches in finished games, compared with the results.

use chase_engine::Outcome;

use super::score::score;

/// Interval in plies at which the value of a search is kept.
pub const SNAPSHOT_PLIES: u32 = 10;

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamePhase {
    /// Plies 1 to 20.
    Opening,
    /// Plies 21 to 60.
    Middle,
    /// All plies after that.
    Late,
}

impl GamePhase {
    /// All phases, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::Late];

    /// The phase of a ply, counted from 1.
    pub const fn of(ply: u32) -> Self {
        match ply {
            0..=20 => Self::Opening,
            21..=60 => Self::Middle,
            _ => Self::Late,
        }
    }

    /// Description of the phase.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "plies 1 to 20",
            Self::Middle => "plies 21 to 60",
            Self::Late => "after ply 60",
        }
    }
}

/// Expectations of searches in a game, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFacts {
    /// Index of the player.
    pub player: usize,
    /// Number of the block that the game belongs to.
    pub block: u64,
    /// White's score; `None` if the game was truncated.
    pub score: Option<f64>,
    /// Searches, one every [`SNAPSHOT_PLIES`] plies: the number of the ply that it chose, from 1, and White's expected
    /// score.
    pub snapshots: Vec<(u32, f64)>,
}

impl ValueFacts {
    /// The facts of a finished game of a player against itself, given White's expected score by the search that chose
    /// each ply. Blocks of even number sample plies 10, 20, 30, …, the others 5, 15, 25, …, so that White and Black are
    /// sampled alike.
    pub(crate) fn of(player: usize, block: u64, values: &[Option<f64>], outcome: Outcome) -> Self {
        let first = if block.is_multiple_of(2) {
            SNAPSHOT_PLIES
        } else {
            SNAPSHOT_PLIES / 2
        };
        let plies = (first..=values.len() as u32).step_by(SNAPSHOT_PLIES as usize);
        Self {
            player,
            block,
            score: score(outcome),
            snapshots: plies.filter_map(|ply| Some((ply, values[ply as usize - 1]?))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_kept_every_tenth_ply_of_white_and_of_black() {
        let values: Vec<Option<f64>> = (1..=64)
            .map(|ply| (ply != 30).then(|| f64::from(ply) / 100.0))
            .collect();
        let kept = |block| ValueFacts::of(0, block, &values, Outcome::Draw).snapshots;
        assert_eq!(
            kept(0).iter().map(|kept| kept.0).collect::<Vec<_>>(),
            [10, 20, 40, 50, 60]
        );
        assert_eq!(kept(1)[..2], [(5, 0.05), (15, 0.15)]);
        assert_eq!(ValueFacts::of(0, 1, &values[..4], Outcome::Draw).snapshots, []);
    }
}
