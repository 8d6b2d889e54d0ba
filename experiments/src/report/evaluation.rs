//! The figures of an evaluation by name: what writes them into `metrics.jsonl`, and what a report reads, agree here.

use super::figures::{Rating, Versus, wilson_interval};
use super::run::Record;
use crate::evaluation::EvaluationReport;
use crate::rating::Interval;

const ELO: &str = "eval/elo";
const ELO_LOW: &str = "eval/elo_low";
const ELO_HIGH: &str = "eval/elo_high";
const SECONDS: &str = "eval/seconds";
const SCORE: &str = "eval/score/";
const SCORE_LOW: &str = "eval/score_low/";
const SCORE_HIGH: &str = "eval/score_high/";
const GAMES: &str = "eval/games/";
const TRUNCATED: &str = "eval/truncated/";

/// The figures of an evaluation by name, for a run's metrics. NaN, which JSON lines hold as `null`, stands for what the
/// games do not say.
///
/// `eval/elo`, `eval/elo_low` and `eval/elo_high` are the rating above the anchor and the ends of its 95 % interval, or a
/// bound alone; `eval/seconds` is the time; and for each baseline `eval/score/NAME`, `eval/score_low/NAME` and
/// `eval/score_high/NAME` are the score and its interval, `eval/games/NAME` the games that it rests on, and
/// `eval/truncated/NAME` those without a result.
pub fn evaluation_figures(report: &EvaluationReport) -> Vec<(String, f64)> {
    let or_nan = |figure: Option<f64>| figure.unwrap_or(f64::NAN);
    let interval = report.rating.interval();
    let mut figures = vec![
        (ELO.to_owned(), or_nan(report.rating.elo())),
        (ELO_LOW.to_owned(), or_nan(interval.low)),
        (ELO_HIGH.to_owned(), or_nan(interval.high)),
        (SECONDS.to_owned(), report.cost.seconds),
    ];
    for opponent in &report.opponents {
        let score = opponent.score.as_ref();
        let of = |name: &str, figure: f64| (format!("{name}{}", opponent.baseline), figure);
        figures.extend([
            of(SCORE, or_nan(score.map(|score| score.score))),
            of(SCORE_LOW, or_nan(score.and_then(|score| score.score_interval.low))),
            of(SCORE_HIGH, or_nan(score.and_then(|score| score.score_interval.high))),
            of(GAMES, 2.0 * f64::from(opponent.pairs.decided())),
            of(TRUNCATED, f64::from(opponent.games.truncated)),
        ]);
    }
    figures
}

/// Names of the baselines in a record, each once.
pub(super) fn baselines(record: &Record) -> impl Iterator<Item = &str> {
    record.figures().filter_map(|(name, _)| name.strip_prefix(SCORE))
}

impl Rating {
    /// The rating in a record, if there is one.
    pub(super) fn new(record: &Record) -> Option<Self> {
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
    pub(super) fn new(record: &Record, baseline: &str) -> Option<Self> {
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
