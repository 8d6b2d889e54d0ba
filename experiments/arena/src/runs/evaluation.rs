//! The figures of an evaluation in `metrics.jsonl`, by the names that [`crate::NetworkReport::values`] gives them.

use chase_training::metrics::MetricRecord;

use super::score::{Rating, Versus, wilson_interval};
use chase_statistics::Interval;

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
