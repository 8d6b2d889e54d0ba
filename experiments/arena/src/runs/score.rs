//! Scores and ratings of a run, with their intervals, and their figures in `metrics.jsonl`, by the names that
//! [`crate::NetworkReport::values`] gives them.

use chase_statistics::{Interval, wilson};
use chase_training::metrics::MetricRecord;
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

const ELO: &str = "eval/elo";
const ELO_LOW: &str = "eval/elo_low";
const ELO_HIGH: &str = "eval/elo_high";
const SECONDS: &str = "eval/seconds";
/// The colour-swap test.
pub(crate) const SWAP_DIFFERENCE: &str = "eval/swap_difference";
/// The network's value of the initial position.
pub(crate) const INITIAL_SCORE: &str = "eval/initial_score";
const SCORE: &str = "eval/score/";
const SCORE_LOW: &str = "eval/score_low/";
const SCORE_HIGH: &str = "eval/score_high/";
const GAMES: &str = "eval/games/";
const TRUNCATED: &str = "eval/truncated/";

/// Names of the baselines in a record, each once.
pub(crate) fn baselines(record: &MetricRecord) -> impl Iterator<Item = &str> {
    record.figures().filter_map(|(name, _)| name.strip_prefix(SCORE))
}

impl Rating {
    /// The rating in a record, if there is one.
    pub(crate) fn new(record: &MetricRecord) -> Option<Self> {
        let [elo, low, high] = [ELO, ELO_LOW, ELO_HIGH].map(|name| record.figure(name));
        elo.or(low).or(high)?;
        Some(Self {
            generation: record.generation,
            elo,
            interval: Interval { low, high },
            seconds: record.figure(SECONDS),
        })
    }
}

impl Versus {
    /// The score against a baseline in a record, if there is one.
    pub(crate) fn new(record: &MetricRecord, baseline: &str) -> Option<Self> {
        let figure = |name: &str| record.figure(&format!("{name}{baseline}"));
        let score = figure(SCORE)?;
        let games = figure(GAMES).map(|games| games as u64);
        let interval = match (figure(SCORE_LOW), figure(SCORE_HIGH)) {
            (None, None) => games
                .filter(|&games| games > 0)
                .map(|games| wilson_interval(score, games)),
            (low, high) => Some(Interval { low, high }),
        };
        Some(Self {
            generation: record.generation,
            score,
            interval,
            games,
            truncated: figure(TRUNCATED).map(|games| games as u64),
        })
    }
}
