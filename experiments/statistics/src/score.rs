//! Score and Elo difference of two contestants, with intervals.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use crate::interval::{Interval, Z, student_quantile, wilson, wilson_at};
use crate::{PairCounts, WinDrawLoss};

/// Variance of the distance of a score from one half, by the delta method for one unit, below which the method fails.
// A choice: it is 1 for even scores, and 0 for pairs with 1.5 and 2 points at 2 : 1. Not measured.
const LEAST_DISTANCE_VARIANCE: f64 = 0.05;

/// A contestant's strength relative to one opponent, estimated from results.
///
/// Intervals are for 95 %: Wilson's, for the number of trials with the error that was observed between units (games, or
/// pairs of games), with the quantile of Student's distribution. From eight units on they hold in 95 % of cases or very
/// nearly, however one-sided the results, where those of the normal distribution hold in 87 to 99 %. If all units are
/// equal, each counts as a trial. No number here is infinite: `None` means that the data do not bound it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreEstimate {
    /// Number of units with a result: games, or pairs.
    pub units: u32,
    /// Mean score, from 0 to 1, with 0.5 for a draw.
    pub score: f64,
    /// The score's standard error; `None` without variance.
    #[serde(default)]
    pub score_error: Option<f64>,
    /// Interval of the true score.
    pub score_interval: Interval,
    /// Elo difference of the score on the logistic curve; `None` for a score of 0 or 1.
    pub elo: Option<f64>,
    /// Interval of the Elo difference.
    pub elo_interval: Interval,
    /// Normalised Elo: the score's distance from one half in standard deviations of a game, times 800 / ln 10 (Van den
    /// Bergh, *Normalized Elo*); `None` without variance.
    pub normalised_elo: Option<f64>,
    /// Half width of the interval of the normalised Elo, from its large-sample error. The standard deviation counts as
    /// estimated too, which makes the intervals of lopsided results wider. `None` too where a change of the results does
    /// not change the distance to first order.
    pub normalised_elo_error: Option<f64>,
    /// Likelihood of superiority: the probability, from 0 to 1, that the contestant is the stronger one, by the same
    /// distribution as the interval of the score; `None` without variance.
    pub superiority: Option<f64>,
}

impl ScoreEstimate {
    /// The estimate from games, assumed independent; `None` if none has a result.
    pub fn from_games(games: &WinDrawLoss) -> Option<Self> {
        Self::new(&games.distribution(), 1.0)
    }

    /// The estimate from pairs, whose two games may depend on each other; `None` if none has a result.
    pub fn from_pairs(pairs: &PairCounts) -> Option<Self> {
        Self::new(&pairs.distribution(), 2.0)
    }

    fn new(distribution: &[(f64, u32)], games_a_unit: f64) -> Option<Self> {
        let units: u32 = distribution.iter().map(|&(_, count)| count).sum();
        if units == 0 {
            return None;
        }
        let n = f64::from(units);
        let mean_of = |f: &dyn Fn(f64) -> f64| {
            let terms = distribution.iter().map(|&(score, count)| f(score) * f64::from(count));
            terms.sum::<f64>() / n
        };
        let score = mean_of(&|score| score);
        let variance = mean_of(&|other| (other - score).powi(2));
        let varies = |number| (variance > 0.0).then_some(number);
        let score_error = varies((variance / (n - 1.0)).sqrt());
        let student = score_error.and_then(|error| Some((error, student_quantile(n - 1.0, 0.95)?)));
        let (low, high) = match student {
            Some((error, t)) => wilson_at(score, score * (1.0 - score) / error.powi(2), t),
            None => wilson(score, n),
        };
        let superiority = score_error.and_then(|error| {
            let student = StudentsT::new(0.0, 1.0, n - 1.0).ok()?;
            Some(student.cdf((score - 0.5) / error))
        });
        // The error of (mean − ½) / σ by the delta method, with the skewness and the kurtosis of the units.
        let moment = |power: i32| mean_of(&|other| ((other - score) / variance.sqrt()).powi(power));
        let distance = (score - 0.5) / variance.sqrt();
        let distance_variance = 1.0 - moment(3) * distance + distance * distance * (moment(4) - 1.0) / 4.0;
        // Where it vanishes, the distance has an extreme, and the method says nothing of the error.
        let distance_error = (distance_variance > LEAST_DISTANCE_VARIANCE).then(|| (distance_variance / n).sqrt());
        // The deviation of a single game if games were independent.
        let deviation = (variance * games_a_unit).sqrt();
        // 347: near an even score, Elo and normalised Elo are then equal where no game is drawn.
        let per_deviation = 800.0 / std::f64::consts::LN_10;
        Some(Self {
            units,
            score,
            score_error,
            score_interval: Interval {
                low: Some(low),
                high: Some(high),
            },
            elo: elo_from_score(score),
            elo_interval: Interval {
                low: elo_from_score(low),
                high: elo_from_score(high),
            },
            normalised_elo: varies((score - 0.5) / deviation * per_deviation),
            normalised_elo_error: distance_error
                .and_then(|error| varies(Z * per_deviation * error / games_a_unit.sqrt())),
            superiority,
        })
    }
}

/// The Elo difference with this expected score: −400 · log₁₀(1/s − 1). `None` for 0 and 1 and beyond.
pub fn elo_from_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

/// The expected score at an Elo difference, between 0 and 1.
pub fn score_from_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use statrs::function::erf::erfc;

    use super::*;

    fn close(value: Option<f64>, expected: f64) {
        let value = value.unwrap_or(f64::NAN);
        assert!(
            (value - expected).abs() <= 0.005_000_001,
            "{value} is not {expected} to two digits"
        );
    }

    fn check(estimate: Option<ScoreEstimate>, games_a_unit: f64, expected: [f64; 6]) {
        let estimate = estimate.expect("there are games");
        let [score, elo, elo_error, normalised, normalised_error, los] = expected;
        assert!((estimate.score - score).abs() <= 0.000_500_001, "{}", estimate.score);
        close(estimate.elo, elo);
        // Theirs uses the normal distribution, with the variance of these units alone.
        let n = f64::from(estimate.units);
        let error = Z * estimate.score_error.unwrap_or(f64::NAN) * ((n - 1.0) / n).sqrt();
        let [low, high] = [estimate.score - error, estimate.score + error].map(elo_from_score);
        close(Interval { low, high }.half_width(), elo_error);
        // With this many games ours has nearly the same width, if it is compared on the linear scale of scores.
        let ours = estimate.score_interval.half_width().unwrap_or(f64::NAN);
        assert!((ours / error - 1.0).abs() < 0.02, "{ours} {error}");
        close(estimate.normalised_elo, normalised);
        let games = n * games_a_unit;
        // Theirs takes the deviation as known, which is nearly the same near even scores.
        let per_deviation = 800.0 / std::f64::consts::LN_10;
        close(Some(Z * per_deviation / games.sqrt()), normalised_error);
        let ours = estimate.normalised_elo_error.unwrap_or(f64::NAN);
        let near = (estimate.score - 0.5).abs() < 0.1;
        assert!((ours / normalised_error - 1.0).abs() < 0.05 || !near, "{ours}");
        // Theirs uses the normal distribution here too.
        let normal = 0.5 * erfc((0.5 - estimate.score) * Z / error / std::f64::consts::SQRT_2);
        close(Some(100.0 * normal), los);
        let ours = estimate.superiority.unwrap_or(f64::NAN);
        assert!((ours - normal).abs() < 0.001, "{ours} {normal}");
    }

    /// The numbers of fastchess's own tests, all to two digits.
    #[test]
    fn games_agree_with_fastchess() {
        for ((wins, losses, draws), expected) in [
            ((76, 89, 123), [0.477, -15.69, 30.46, -20.76, 40.13, 15.53]),
            ((136, 96, 111), [0.558, 40.70, 30.43, 49.77, 36.77, 99.60]),
            ((34, 356, 0), [0.087, -407.99, 63.16, -508.44, 34.48, 0.00]),
        ] {
            let games = WinDrawLoss {
                wins,
                draws,
                losses,
                truncated: 7,
            };
            check(ScoreEstimate::from_games(&games), 1.0, expected);
        }
    }

    #[test]
    fn pairs_agree_with_fastchess() {
        for ([ll, ld, wl, dd, wd, ww], expected) in [
            ([34, 54, 31, 32, 64, 75], [0.579, 55.58, 27.65, 57.94, 28.28, 100.00]),
            ([332, 433, 457, 41, 333, 334], [0.488, -8.64, 10.33, -9.17, 10.96, 5.05]),
            (
                [7895, 8757, 5485, 200, 568, 9999],
                [0.470, -21.04, 2.95, -19.01, 2.65, 0.00],
            ),
        ] {
            let pairs = PairCounts {
                ll,
                ld,
                wl,
                dd,
                wd,
                ww,
                truncated: 3,
            };
            check(ScoreEstimate::from_pairs(&pairs), 2.0, expected);
        }
    }

    /// Without draws the distance has a closed form in the share p of games won, and so has its error: 1 / (4 p (1 − p)
    /// √n).
    #[test]
    fn the_error_of_a_normalised_difference_counts_that_of_the_deviation() {
        let games = WinDrawLoss {
            wins: 356,
            losses: 34,
            ..WinDrawLoss::default()
        };
        let p = 356.0 / 390.0;
        let expected = Z * 800.0 / std::f64::consts::LN_10 / (4.0 * p * (1.0 - p) * 390_f64.sqrt());
        let estimate = ScoreEstimate::from_games(&games).expect("there are games");
        close(estimate.normalised_elo_error, expected);
        // A pair with two equal results has as much information as one game.
        let pairs = PairCounts {
            ww: 356,
            ll: 34,
            ..PairCounts::default()
        };
        let estimate = ScoreEstimate::from_pairs(&pairs).expect("there are pairs");
        close(
            estimate.normalised_elo_error.map(|error| error * 2_f64.sqrt()),
            expected,
        );
    }

    /// Over all outcomes of a few pairs of equal players, counts those that claim at 97.5 % that the first is the
    /// stronger one.
    #[test]
    fn superiority_of_equals_is_claimed_no_more_often_than_it_says() {
        let binomial = |n: u32, k: u32| (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
        for n in [4, 8, 16, 40] {
            let mut claimed = 0.0;
            for ww in 0..=n {
                for wl in 0..=n - ww {
                    let pairs = PairCounts {
                        ll: n - ww - wl,
                        wl,
                        ww,
                        ..PairCounts::default()
                    };
                    let estimate = ScoreEstimate::from_pairs(&pairs).expect("there are pairs");
                    if estimate.superiority.is_some_and(|sure| sure >= 0.975) {
                        claimed += binomial(n, ww)
                            * binomial(n - ww, wl)
                            * 4_f64.powi(-((n - wl) as i32))
                            * 0.5_f64.powi(wl as i32);
                    }
                }
            }
            assert!(claimed <= 0.03, "{n} pairs: {claimed}");
        }
    }

    /// Over all outcomes of a few pairs with these probabilities of 0, one half and 1, counts those with the truth in
    /// the interval.
    #[test]
    fn intervals_of_few_pairs_hold_as_often_as_they_say() {
        let binomial = |n: u32, k: u32| (0..k).map(|i| f64::from(n - i) / f64::from(k - i)).product::<f64>();
        for n in [8, 10, 16, 40] {
            for [lost, even, won] in [
                [0.25, 0.5, 0.25],
                [0.05, 0.5, 0.45],
                [0.0, 0.2, 0.8],
                [0.0, 0.1, 0.9],
                [0.1, 0.8, 0.1],
            ] {
                let truth = even / 2.0 + won;
                let (mut all, mut holds) = (0.0, 0.0);
                for ww in 0..=n {
                    for wl in 0..=n - ww {
                        let ll = n - ww - wl;
                        let pairs = PairCounts {
                            ll,
                            wl,
                            ww,
                            ..PairCounts::default()
                        };
                        let probability = binomial(n, ww)
                            * binomial(n - ww, wl)
                            * f64::powi(lost, ll as i32)
                            * f64::powi(even, wl as i32)
                            * f64::powi(won, ww as i32);
                        let interval = ScoreEstimate::from_pairs(&pairs)
                            .expect("there are pairs")
                            .score_interval;
                        all += probability;
                        holds += probability * f64::from(u8::from(interval.contains(truth)));
                    }
                }
                assert!((all - 1.0_f64).abs() < 1e-9, "{all}");
                assert!(holds > 0.945, "{n} {lost} {even} {won}: {holds}");
            }
        }
    }

    #[test]
    fn a_better_result_has_a_higher_interval() {
        let interval = |ww: u32| {
            let pairs = PairCounts {
                ww,
                wl: 10 - ww,
                ..PairCounts::default()
            };
            let interval = ScoreEstimate::from_pairs(&pairs)
                .expect("there are pairs")
                .score_interval;
            (interval.low.expect("bounded"), interval.high.expect("bounded"))
        };
        for ww in 2..9 {
            let (worse, better) = (interval(ww), interval(ww + 1));
            assert!(worse.0 < better.0 && worse.1 < better.1, "{worse:?} {better:?}");
        }
        // 18 : 0 : 2, by hand.
        let (low, high) = interval(8);
        assert!(
            (low - 0.662).abs() < 0.001 && (high - 0.976).abs() < 0.001,
            "{low} {high}"
        );
    }

    #[test]
    fn one_sided_results_give_bounds_and_no_infinity() {
        let games = WinDrawLoss {
            wins: 20,
            ..WinDrawLoss::default()
        };
        let estimate = ScoreEstimate::from_games(&games).expect("there are games");
        assert_eq!(
            (estimate.score, estimate.elo, estimate.elo_interval.high),
            (1.0, None, None)
        );
        // Wilson's lower end for 20 of 20 is 20 / (20 + z²).
        close(estimate.score_interval.low, 20.0 / (20.0 + Z * Z));
        close(estimate.elo_interval.low, 400.0 * (20.0 / (Z * Z)).log10());
        assert_eq!((estimate.normalised_elo, estimate.superiority), (None, None));
        assert_eq!(ScoreEstimate::from_games(&WinDrawLoss::default()), None);
        let drawn = WinDrawLoss {
            draws: 10,
            ..WinDrawLoss::default()
        };
        let interval = ScoreEstimate::from_games(&drawn).expect("there are games").elo_interval;
        assert!(interval.half_width().is_some_and(|width| width > 50.0), "{interval:?}");
        let json = serde_json::to_string(&estimate).expect("plain data");
        assert_eq!(
            serde_json::from_str::<ScoreEstimate>(&json).ok(),
            Some(estimate),
            "{json}"
        );
    }

    #[test]
    fn wilson_agrees_with_published_numbers() {
        // Newcombe (1998), Statistics in Medicine 17, table I, method 3 (without continuity correction).
        for (r, n, low, high) in [
            (81.0, 263.0, 0.2553, 0.3662),
            (15.0, 148.0, 0.0624, 0.1605),
            (0.0, 20.0, 0.0, 0.1611),
            (1.0, 29.0, 0.0061, 0.1718),
        ] {
            let (l, h) = wilson(r / n, n);
            assert!(
                (l - low).abs() < 0.00005 && (h - high).abs() < 0.00005,
                "{r}/{n}: {l} {h}"
            );
        }
    }
}
