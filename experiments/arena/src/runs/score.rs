//! Scores and ratings of a run, with their intervals.

use chase_statistics::{Interval, wilson};
use chase_training::openings::Tally;
use serde::Serialize;

/// A rating in Elo, the first opponent being 0.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Rating {
    /// The generation.
    pub generation: u64,
    /// The most likely rating; `None` where the games give only a bound.
    pub elo: Option<f64>,
    /// 95 %; a side that the games do not bound is `None`.
    pub interval: Interval,
    /// Seconds that the evaluation took.
    pub seconds: Option<f64>,
}

/// The score of a generation against a baseline.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Versus {
    /// The generation.
    pub generation: u64,
    /// From 0 to 1, a draw counting half.
    pub score: f64,
    /// 95 %.
    pub interval: Option<Interval>,
    /// Games with a result, if known.
    pub games: Option<u64>,
    /// Games without a result, if known.
    pub truncated: Option<u64>,
}

/// A mean score from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Score {
    /// The score, a draw counting half.
    pub score: f64,
    /// Wilson's 95 % interval; for scores with draws it is wider than need be.
    pub interval: Interval,
    /// Games with a result.
    pub games: u64,
}

impl Score {
    /// Points of White; `None` if no game has a result.
    pub fn of_first_player(tally: &Tally) -> Option<Self> {
        Self::new(tally.first_player_score()?, tally.decided())
    }

    /// A score or share of this many games; `None` without games.
    pub fn new(score: f64, games: u64) -> Option<Self> {
        (games > 0).then(|| Self {
            score,
            interval: wilson_interval(score, games),
            games,
        })
    }
}

/// Wilson's 95 % interval of a share of this many games, which must not be 0.
pub(crate) fn wilson_interval(score: f64, games: u64) -> Interval {
    let (low, high) = wilson(score, games as f64);
    Interval {
        low: Some(low),
        high: Some(high),
    }
}
