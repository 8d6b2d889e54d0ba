//! Calibration: agreement of predicted values with results.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Interval;
use crate::clusters::{BlockSums, share};
use crate::regression::{RegressionRow, linear};

/// A predicted score, and the result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// The game of the prediction: predictions of one game have the same result, and depend on each other.
    pub game: u64,
    /// The expected score, from 0 to 1, of the player whose result it is.
    pub value: f64,
    /// The score: 0, one half or 1.
    pub result: f64,
}

/// Reliability of predictions: a reliability diagram in numbers (Murphy and Winkler 1977), with errors by games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Number of predictions.
    pub predictions: u64,
    /// Number of their games.
    pub games: u64,
    /// Mean of value minus result: positive if expectations are too high.
    pub bias: f64,
    /// Its standard error, robust to any dependence within games.
    pub bias_error: f64,
    /// Interval of the bias; `None` with fewer than ten games.
    pub bias_interval: Option<Interval>,
    /// Slope of results by values (Miller, Hui and Tierney 1991): below 1 if values are too extreme. `None` if values
    /// do not vary.
    pub slope: Option<f64>,
    /// Its standard error, by games.
    pub slope_error: Option<f64>,
    /// Interval of the slope; `None` with fewer than ten games.
    pub slope_interval: Option<Interval>,
    /// Expected calibration error: the mean distance between mean value and mean result of a bin (Naeini, Cooper and
    /// Hauskrecht 2015). It is positive by chance alone.
    pub expected_error: f64,
    /// Its value by chance, if predictions were right on average in every bin.
    pub expected_by_chance: f64,
    /// Bins of equal width from 0 to 1 that contain predictions.
    pub bins: Vec<CalibrationBin>,
    /// The level of each single interval.
    pub level: f64,
}

/// Predictions with similar values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct CalibrationBin {
    /// Lower end of the values.
    pub from: f64,
    /// Upper end of the values, excluded except in the last bin, which contains 1.
    pub to: f64,
    /// Number of predictions in the bin.
    pub predictions: u64,
    /// Number of their games.
    pub games: u64,
    /// Mean of the values.
    pub value: f64,
    /// Mean of the results.
    pub result: f64,
    /// Interval of the mean result, by games: Wilson's for the number of independent games with this error. `None` with
    /// fewer than ten games.
    pub interval: Option<Interval>,
    /// Standard error of mean value minus mean result, by games.
    pub error: f64,
}

impl Calibration {
    /// The calibration of predictions in this many bins of equal width, with intervals of this level. `None` without
    /// predictions or bins, or if a value or a result is not between 0 and 1.
    pub fn of(predictions: &[Prediction], bins: usize, level: f64) -> Option<Self> {
        let sensible = |prediction: &Prediction| {
            [prediction.value, prediction.result]
                .iter()
                .all(|number| (0.0..=1.0).contains(number))
        };
        if predictions.is_empty() || bins == 0 || !predictions.iter().all(sensible) {
            return None;
        }
        let place = |prediction: &Prediction| ((prediction.value * bins as f64) as usize).min(bins - 1);
        let mut members: BTreeMap<usize, Vec<Prediction>> = BTreeMap::new();
        for prediction in predictions {
            members.entry(place(prediction)).or_default().push(*prediction);
        }
        let edge = |index: usize| index as f64 / bins as f64;
        let bins: Option<Vec<CalibrationBin>> = members
            .iter()
            .map(|(&index, members)| CalibrationBin::of((edge(index), edge(index + 1)), members, level))
            .collect();
        let bins = bins?;
        let mean = |of: &dyn Fn(&CalibrationBin) -> f64| {
            let sum: f64 = bins.iter().map(|bin| of(bin) * bin.predictions as f64).sum();
            sum / predictions.len() as f64
        };
        let bias = linear(&differences(predictions))?;
        let slope = linear(&results(predictions));
        Some(Self {
            predictions: predictions.len() as u64,
            games: bias.blocks,
            bias: bias.coefficients[0],
            bias_error: bias.errors[0],
            bias_interval: bias.interval(0, level),
            slope: slope.map(|fit| fit.coefficients[0]),
            slope_error: slope.map(|fit| fit.errors[0]),
            slope_interval: slope.and_then(|fit| fit.interval(0, level)),
            expected_error: mean(&|bin| (bin.value - bin.result).abs()),
            // The mean absolute value of a normal number, in standard deviations.
            expected_by_chance: mean(&|bin| bin.error) * (2.0 / std::f64::consts::PI).sqrt(),
            bins,
            level,
        })
    }
}

impl CalibrationBin {
    fn of((from, to): (f64, f64), members: &[Prediction], level: f64) -> Option<Self> {
        let mut games: BTreeMap<u64, BlockSums> = BTreeMap::new();
        for member in members {
            games.entry(member.game).or_default().add(member.result);
        }
        let results: Vec<BlockSums> = games.into_values().collect();
        let result = share(&results, level)?;
        let difference = linear(&differences(members))?;
        Some(Self {
            from,
            to,
            predictions: result.observations,
            games: result.blocks,
            value: members.iter().map(|member| member.value).sum::<f64>() / members.len() as f64,
            result: result.value,
            interval: result.interval,
            error: difference.errors[0],
        })
    }
}

/// Value minus result, with a constant as only covariate.
fn differences(predictions: &[Prediction]) -> Vec<RegressionRow<1>> {
    let row = |prediction: &Prediction| RegressionRow {
        block: prediction.game,
        response: prediction.value - prediction.result,
        covariates: [1.0],
    };
    predictions.iter().map(row).collect()
}

/// The result, with a constant and the value as covariates.
fn results(predictions: &[Prediction]) -> Vec<RegressionRow<2>> {
    let row = |prediction: &Prediction| RegressionRow {
        block: prediction.game,
        response: prediction.result,
        covariates: [prediction.value, 1.0],
    };
    predictions.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;
    use crate::generator;

    #[test]
    fn bins_by_hand() {
        let prediction = |game, value, result| Prediction { game, value, result };
        let found = Calibration::of(
            &[
                prediction(1, 0.1, 0.0),
                prediction(2, 0.3, 1.0),
                prediction(3, 0.8, 1.0),
                prediction(4, 1.0, 0.5),
            ],
            2,
            0.95,
        )
        .expect("predictions");
        let [low, high] = found.bins[..] else {
            panic!("{found:?}");
        };
        for (found, expected) in [
            (low.value, 0.2),
            (low.result, 0.5),
            (high.value, 0.9),
            (high.result, 0.75),
            (high.from, 0.5),
            (found.expected_error, 0.5 * (0.3 + 0.15)),
            (found.bias, -0.075),
        ] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(
            (found.games, low.games, low.interval, found.bias_interval),
            (4, 2, None, None)
        );
        assert_eq!(Calibration::of(&[], 10, 0.95), None);
        assert_eq!(Calibration::of(&[prediction(1, 1.2, 0.0)], 10, 0.95), None);
        assert_eq!(Calibration::of(&[prediction(1, 0.2, 0.0)], 0, 0.95), None);
        let text = serde_json::to_string(&found).expect("plain data");
        assert_eq!(serde_json::from_str::<Calibration>(&text).ok(), Some(found));
    }

    /// Games of six predictions each, which come true as often as they say minus `bias`.
    fn world(rng: &mut Xoshiro256PlusPlus, games: u64, bias: f64) -> Vec<Prediction> {
        let mut predictions = Vec::new();
        for game in 0..games {
            let chance = rng.random_range(0.2..0.8);
            let result = f64::from(u8::from(rng.random::<f64>() < chance));
            for _ in 0..6 {
                let value = chance + bias;
                predictions.push(Prediction { game, value, result });
            }
        }
        predictions
    }

    /// Stated beforehand: of 400 worlds, the interval of a bias misses it, and those of a bin its probability, in no
    /// more than 5 % and three standard errors (8.3 %). If predictions are treated as games of their own, it misses in
    /// more than 30 %.
    #[test]
    fn intervals_by_games_hold_as_often_as_they_say() {
        let (worlds, most) = (400, 0.05 + 3.0 * (0.05 * 0.95 / 400.0_f64).sqrt());
        for bias in [0.0, 0.1] {
            let (mut missed, mut missed_alone, mut missed_bins, mut bins) = (0, 0, 0, 0);
            for seed in 0..worlds {
                let mut predictions = world(&mut generator(25, &[seed]), 200, bias);
                let found = Calibration::of(&predictions, 10, 0.95).expect("predictions");
                missed += u32::from(!found.bias_interval.is_some_and(|interval| interval.contains(bias)));
                for bin in &found.bins {
                    if let Some(interval) = bin.interval {
                        bins += 1;
                        missed_bins += u32::from(!interval.contains(bin.value - bias));
                    }
                }
                (0..).zip(&mut predictions).for_each(|(index, one)| one.game = index);
                let alone = Calibration::of(&predictions, 10, 0.95).expect("predictions");
                missed_alone += u32::from(!alone.bias_interval.is_some_and(|interval| interval.contains(bias)));
            }
            assert!(f64::from(missed) / worlds as f64 <= most, "{bias}: {missed}");
            assert!(
                f64::from(missed_bins) / f64::from(bins) <= most,
                "{bias}: {missed_bins} of {bins}"
            );
            assert!(f64::from(missed_alone) / worlds as f64 > 0.3, "{bias}: {missed_alone}");
        }
    }

    /// Values that are too far from one half have no bias, but a slope below 1.
    #[test]
    fn values_that_are_too_extreme_are_found_by_the_slope() {
        let (worlds, most) = (400, 0.05 + 3.0 * (0.05 * 0.95 / 400.0_f64).sqrt());
        for stretch in [1.0, 1.6] {
            let (mut missed, mut found_extreme) = (0, 0);
            for seed in 0..worlds {
                let mut predictions = world(&mut generator(27, &[seed]), 200, 0.0);
                for prediction in &mut predictions {
                    prediction.value = 0.5 + stretch * (prediction.value - 0.5);
                }
                let found = Calibration::of(&predictions, 10, 0.95).expect("predictions");
                let interval = found.slope_interval.expect("games");
                missed += u32::from(!interval.contains(1.0 / stretch));
                found_extreme += u32::from(interval.high.is_some_and(|high| high < 1.0));
            }
            assert!(f64::from(missed) / worlds as f64 <= most, "{stretch}: {missed}");
            let least = if stretch > 1.0 { 0.5 } else { 0.0 };
            assert!(
                f64::from(found_extreme) / worlds as f64 >= least,
                "{stretch}: {found_extreme}"
            );
        }
        let alike = [0.0, 1.0].map(|result| Prediction {
            game: result as u64,
            value: 0.5,
            result,
        });
        let found = Calibration::of(&alike, 10, 0.95).expect("predictions");
        assert_eq!((found.slope, found.slope_interval), (None, None));
    }

    /// The error of right predictions is explained by chance, that of others is larger.
    #[test]
    fn the_expected_error_stands_beside_that_of_chance() {
        let of = |bias| Calibration::of(&world(&mut generator(26, &[]), 2000, bias), 10, 0.95).expect("predictions");
        let (right, wrong) = (of(0.0), of(0.1));
        let ratio = right.expected_error / right.expected_by_chance;
        assert!((0.4..1.8).contains(&ratio), "{right:?}");
        assert!(wrong.expected_error > 3.0 * wrong.expected_by_chance, "{wrong:?}");
        assert!((wrong.expected_error - 0.1).abs() < 0.02, "{wrong:?}");
    }
}
