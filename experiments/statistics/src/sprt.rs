//! Sequential tests: games are played until one of two hypotheses is accepted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{PairCounts, WinDrawLoss, score_from_elo};

/// The meaning of an Elo difference in a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EloModel {
    /// The score on the logistic curve.
    Logistic,
    /// The distance of the score from one half in standard deviations. It needs about the same number of games whatever
    /// the share of draws.
    #[default]
    Normalised,
}

/// A generalised sequential probability ratio test of "the difference is `elo1`" against "it is `elo0`".
///
/// The likelihood of each hypothesis is that of the most likely distribution of results with this difference (Van den
/// Bergh, *Comments on Normalized Elo*, propositions 1.1 and section 4.1), as in fastchess and fishtest; a result that
/// has not occurred counts as a thousandth of an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "Hypotheses")]
pub struct Sprt {
    #[serde(flatten)]
    hypotheses: Hypotheses,
}

/// Unchecked hypotheses of a test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Hypotheses {
    /// Lower hypothesis: the first player's Elo advantage.
    elo0: f64,
    /// Higher hypothesis.
    elo1: f64,
    /// Rate of false acceptance of `elo1`; by default 0.05.
    #[serde(default = "usual_error")]
    alpha: f64,
    /// Rate of false acceptance of `elo0`; by default 0.05.
    #[serde(default = "usual_error")]
    beta: f64,
    /// Elo scale: `normalised` (default) or `logistic`.
    #[serde(default)]
    model: EloModel,
}

/// The largest difference of a hypothesis: far beyond it, floats no longer distinguish an expected score from 1.
const MOST_ELO: f64 = 2000.0;

const fn usual_error() -> f64 {
    // The usual rates of tests of chess programs, as in fishtest.
    0.05
}

/// The decision of a test so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SprtDecision {
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
    /// Undecided: more games are needed.
    Continue,
}

/// Error returned for invalid settings of the test.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The hypotheses are in the wrong order.
    #[error("SPRT with elo0 = {elo0} and elo1 = {elo1}: expected elo0 < elo1")]
    Order {
        /// The lower hypothesis, in Elo.
        elo0: f64,
        /// The higher hypothesis, in Elo.
        elo1: f64,
    },
    /// A hypothesis is out of range.
    #[error("SPRT with elo0 = {elo0} and elo1 = {elo1}: expected both from -{MOST_ELO} to {MOST_ELO}")]
    Range {
        /// The lower hypothesis, in Elo.
        elo0: f64,
        /// The higher hypothesis, in Elo.
        elo1: f64,
    },
    /// The error rates are out of range.
    #[error("SPRT with alpha = {alpha} and beta = {beta}: expected both above 0, and less than 1 together")]
    Errors {
        /// Rate of false acceptance of the higher hypothesis.
        alpha: f64,
        /// Rate of false acceptance of the lower hypothesis.
        beta: f64,
    },
}

impl TryFrom<Hypotheses> for Sprt {
    type Error = SprtError;

    fn try_from(hypotheses: Hypotheses) -> Result<Self, SprtError> {
        let Hypotheses {
            elo0,
            elo1,
            alpha,
            beta,
            ..
        } = hypotheses;
        let finite = elo0.is_finite() && elo1.is_finite();
        if !finite || elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        if elo0 < -MOST_ELO || elo1 > MOST_ELO {
            return Err(SprtError::Range { elo0, elo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors { alpha, beta });
        }
        Ok(Self { hypotheses })
    }
}

impl Sprt {
    /// A test of `elo1` against `elo0` that falsely accepts `elo1` with a probability of about `alpha`, and `elo0` with
    /// about `beta`.
    ///
    /// # Errors
    /// If `elo0` is not below `elo1`, one is beyond ±2000, an error rate is not a probability above 0, or both rates
    /// add up to 1 or more.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Self, SprtError> {
        Self::try_from(Hypotheses {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The hypotheses as text: `normalised Elo 10 against 0`.
    pub fn question(&self) -> String {
        let Hypotheses { elo0, elo1, model, .. } = self.hypotheses;
        let scale = match model {
            EloModel::Logistic => "Elo",
            EloModel::Normalised => "normalised Elo",
        };
        format!("{scale} {elo1} against {elo0}")
    }

    /// The bounds at which the lower and the higher hypothesis are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        let Hypotheses { alpha, beta, .. } = self.hypotheses;
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of pairs of games: positive if they support the higher hypothesis.
    pub fn log_likelihood_ratio(&self, pairs: &PairCounts) -> f64 {
        self.ratio(&pairs.distribution(), 2.0)
    }

    /// Like [`Sprt::log_likelihood_ratio`], for games that are assumed independent.
    pub fn log_likelihood_ratio_of_games(&self, games: &WinDrawLoss) -> f64 {
        self.ratio(&games.distribution(), 1.0)
    }

    /// The decision for a log-likelihood ratio.
    pub fn verdict(&self, log_likelihood_ratio: f64) -> SprtDecision {
        let (lower, upper) = self.bounds();
        if log_likelihood_ratio >= upper {
            SprtDecision::AcceptH1
        } else if log_likelihood_ratio <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        }
    }

    fn ratio<const N: usize>(&self, distribution: &[(f64, u32); N], games_a_unit: f64) -> f64 {
        let counts = distribution.map(|(_, count)| if count == 0 { 1e-3 } else { f64::from(count) });
        let scores = distribution.map(|(score, _)| score);
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|count| count / total);
        let Hypotheses { elo0, elo1, model, .. } = self.hypotheses;
        let likely = |elo: f64| match model {
            EloModel::Logistic => {
                let expected = score_from_elo(elo);
                tilted(&observed, &scores.map(|score| score - expected))
            }
            EloModel::Normalised => {
                // A standard deviation of a game is 800 / ln 10 = 347 normalised Elo; the mean of two independent
                // games has one smaller by √2.
                let distance = elo * games_a_unit.sqrt() * std::f64::consts::LN_10 / 800.0;
                with_distance(&observed, &scores, distance)
            }
        };
        let (under0, under1) = (likely(elo0), likely(elo1));
        let terms = (0..N).map(|i| observed[i] * (under1[i] / under0[i]).ln());
        total * terms.sum::<f64>()
    }
}

/// The distribution p that makes the observed one most likely among those with Σ pᵢ xᵢ = 0: observed / (1 + θx), where
/// θ satisfies the condition. The values x must have both signs.
fn tilted<const N: usize>(observed: &[f64; N], values: &[f64; N]) -> [f64; N] {
    let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = |theta: f64| {
        let terms = (0..N).map(|i| observed[i] * values[i] / (1.0 + theta * values[i]));
        terms.sum::<f64>()
    };
    // The mean falls from +∞ to −∞ between the poles.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        if mean(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = low + (high - low) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + theta * values[i]))
}

/// The distribution that makes the observed one most likely among those whose mean is this many standard deviations
/// above one half, by the fixed-point iteration of section 4.1 of the paper.
fn with_distance<const N: usize>(observed: &[f64; N], scores: &[f64; N], distance: f64) -> [f64; N] {
    // Starts with the distribution of this distance on the worst and the best score: from one that is too far off, the
    // first step may be stuck.
    let best = 0.5 + 0.5 * distance / (1.0 + distance * distance).sqrt();
    let mut likely = [0.0; N];
    (likely[0], likely[N - 1]) = (1.0 - best, best);
    for _ in 0..ITERATIONS {
        let mean: f64 = (0..N).map(|i| likely[i] * scores[i]).sum();
        let variance: f64 = (0..N).map(|i| likely[i] * (scores[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let slopes = scores.map(|score| {
            let standardised = (score - mean) / deviation;
            score - 0.5 - 0.5 * distance * deviation * (1.0 + standardised * standardised)
        });
        let next = tilted(observed, &slopes);
        let change = (0..N).map(|i| (next[i] - likely[i]).abs()).fold(0.0, f64::max);
        likely = next;
        // Ratios of likelihoods need no more digits.
        if change < 1e-12 {
            break;
        }
    }
    likely
}

/// More than any match needs: the iteration gains about one digit per step.
const ITERATIONS: usize = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    const fn pairs([ll, ld, wl, dd, wd, ww]: [u32; 6]) -> PairCounts {
        PairCounts {
            ll,
            ld,
            wl,
            dd,
            wd,
            ww,
            truncated: 0,
        }
    }

    /// The cases of fastchess's own tests, which give two digits and allow 1 %.
    #[test]
    fn ratios_agree_with_fastchess() {
        use EloModel::{Logistic, Normalised};
        let test = |elo0, elo1, model| Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test");
        let close = |ratio: f64, expected: f64| {
            assert!(
                (ratio - expected).abs() <= 0.005_000_001,
                "{ratio} is not {expected} to two digits"
            );
        };
        for (elo0, elo1, model, [wins, losses, draws], expected) in [
            (0.0, 2.0, Normalised, [36433, 36027, 68692], 0.92),
            (-1.75, 0.25, Normalised, [10871, 10650, 20431], 2.30),
            (0.5, 2.5, Logistic, [21404, 21184, 40708], -1.57),
            (0.0, 2.0, Logistic, [57433, 57030, 106_593], -2.59),
        ] {
            let games = WinDrawLoss {
                wins,
                draws,
                losses,
                truncated: 0,
            };
            close(test(elo0, elo1, model).log_likelihood_ratio_of_games(&games), expected);
        }
        for (elo0, elo1, model, counts, expected) in [
            (0.0, 2.0, Normalised, [365, 16618, 36029, 200, 16974, 390], 2.25),
            (-1.75, 0.25, Normalised, [127, 4883, 10311, 401, 5150, 104], 3.01),
            (0.5, 2.5, Logistic, [223, 9863, 20279, 1000, 10037, 246], -3.07),
            (0.0, 2.0, Logistic, [871, 26175, 55003, 980, 26678, 821], -4.98),
        ] {
            close(test(elo0, elo1, model).log_likelihood_ratio(&pairs(counts)), expected);
        }
    }

    /// If all pairs are won, the most likely distributions have two values, and the ratio has a closed form, apart from
    /// the thousandths for results that have not occurred.
    #[test]
    fn ratios_of_extreme_results_have_their_closed_form() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, EloModel::Normalised).expect("a test");
        // (w − ½) / √(w (1 − w)) = t
        let t = 5.0 * 2_f64.sqrt() * std::f64::consts::LN_10 / 800.0;
        let w = 0.5 + 0.5 * t / (1.0 + t * t).sqrt();
        let expected = 104.0 * (2.0 * w).ln();
        let ratio = sprt.log_likelihood_ratio(&pairs([0, 0, 0, 0, 0, 104]));
        assert!((ratio - expected).abs() < 0.001, "{ratio} is not {expected}");
    }

    #[test]
    fn likely_distributions_have_the_difference_that_they_stand_for() {
        let observed = [0.01, 0.2, 0.4, 0.3, 0.09];
        let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
        for distance in [-8.0, -1.7, -0.8, -0.1, 0.0, 0.05, 0.7, 1.7, 8.0] {
            let likely = with_distance(&observed, &scores, distance);
            let mean: f64 = (0..5).map(|i| likely[i] * scores[i]).sum();
            let variance: f64 = (0..5).map(|i| likely[i] * (scores[i] - mean).powi(2)).sum();
            assert!((likely.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{likely:?}");
            assert!(((mean - 0.5) / variance.sqrt() - distance).abs() < 1e-9, "{likely:?}");
        }
    }

    /// The closed form of a match with only wins holds at any distance.
    #[test]
    fn tests_of_large_differences_are_decided() {
        for (elo1, model) in [
            (230.0, EloModel::Normalised),
            (240.0, EloModel::Normalised),
            (400.0, EloModel::Normalised),
            (2000.0, EloModel::Normalised),
            (2000.0, EloModel::Logistic),
        ] {
            let sprt = Sprt::new(0.0, elo1, 0.05, 0.05, model).expect("a test");
            for (counts, verdict) in [
                ([0, 0, 0, 0, 0, 60], SprtDecision::AcceptH1),
                ([60, 0, 0, 0, 0, 0], SprtDecision::AcceptH0),
                ([10, 20, 30, 5, 20, 10], SprtDecision::AcceptH0),
            ] {
                let ratio = sprt.log_likelihood_ratio(&pairs(counts));
                assert_eq!(sprt.verdict(ratio), verdict, "{elo1} {model:?} {counts:?}: {ratio}");
            }
        }
        for (elo0, elo1) in [(-2001.0, 0.0), (0.0, 1e5)] {
            let error = Sprt::new(elo0, elo1, 0.05, 0.05, EloModel::Normalised).expect_err("beyond all sense");
            assert!(
                error.to_string().contains("expected both from -2000 to 2000"),
                "{error}"
            );
        }
    }

    #[test]
    fn verdicts_follow_the_bounds_and_senseless_tests_are_refused() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.1, EloModel::Normalised).expect("a test");
        let (lower, upper) = sprt.bounds();
        assert!((lower - (0.1_f64 / 0.95).ln()).abs() < 1e-12 && (upper - 18_f64.ln()).abs() < 1e-12);
        let verdicts = [lower, 0.0, upper].map(|ratio| sprt.verdict(ratio));
        assert_eq!(
            verdicts,
            [SprtDecision::AcceptH0, SprtDecision::Continue, SprtDecision::AcceptH1]
        );
        for (elo0, elo1, alpha, beta) in [
            (5.0, 5.0, 0.05, 0.05),
            (0.0, f64::NAN, 0.05, 0.05),
            (0.0, 5.0, 0.0, 0.05),
            (0.0, 5.0, 0.5, 0.5),
        ] {
            assert!(
                Sprt::new(elo0, elo1, alpha, beta, EloModel::Logistic).is_err(),
                "{elo0} {elo1} {alpha} {beta}"
            );
        }
        let json = serde_json::to_string(&sprt).expect("plain data");
        assert_eq!(serde_json::from_str::<Sprt>(&json).ok(), Some(sprt));
        let wrong = json.replace("10.0", "-10.0");
        let error = serde_json::from_str::<Sprt>(&wrong).expect_err(&wrong);
        assert!(error.to_string().contains("expected elo0 < elo1"), "{error}");
    }
}
