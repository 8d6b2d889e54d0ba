//! What is known of a mean, by either of the two ways to estimate one that may be looked at at any time.

use serde::{Deserialize, Serialize};

use crate::t_martingale::TMartingale;
use crate::{Interval, Verdict, betting};

/// How the interval of a mean comes about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeanMethod {
    /// By betting within a known range (Waudby-Smith and Ramdas 2024): exact for any numbers in it, and the narrower one for shares
    /// and scores of single games.
    #[default]
    Betting,
    /// By the t-martingale (Wang and Ramdas 2023): exact for normal numbers, and near enough for means of several games; far narrower
    /// where numbers hardly vary within their range. It says nothing of numbers that are all alike, or too skewed for so few.
    Student,
    /// What both ways leave, each with half of the error: for means that are nearly normal mostly, but may come to lie at an end of
    /// their range, where the t-martingale is silent. At 95 % it is up to 8 % wider than the t-martingale alone where that
    /// speaks.
    Both,
}

impl MeanMethod {
    /// In words, for the description of a test.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Betting => "by betting",
            Self::Student => "by the t-martingale",
            Self::Both => "by betting and by the t-martingale, half of the error each",
        }
    }
}

/// The mean of numbers with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeanEstimate {
    /// How it was estimated. (Estimates that do not say were by betting.)
    #[serde(default)]
    pub method: MeanMethod,
    /// The least and the greatest number that there could be.
    pub range: (f64, f64),
    /// How many numbers.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation; 0 for one number.
    pub deviation: f64,
    /// Where the true mean lies: in what the intervals of all moments until now have in common. Its ends never move apart again,
    /// so that each may have been set by an early stretch of luck: see [`MeanEstimate::current`].
    pub interval: Interval,
    /// The interval that the numbers give at this moment alone, whatever it was before. It holds at the same level, contains
    /// [`MeanEstimate::interval`]. `None` in estimates that were stored before there was one.
    #[serde(default)]
    pub current: Option<Interval>,
    /// 1 less the probability that the interval ever misses it.
    pub level: f64,
}

impl MeanEstimate {
    /// Whether the mean lies in its interval. Where numbers later went otherwise than earlier ones it need not, for what was
    /// once excluded stays excluded: then the interval has missed, or the numbers had no common mean.
    pub fn is_consistent(&self) -> bool {
        self.interval.contains(self.mean)
    }

    /// Whether the true mean is greater than a threshold. Where the mean is outside of its interval there is no verdict.
    pub fn greater_than(&self, threshold: f64) -> Verdict {
        if self.is_consistent() {
            Verdict::greater_than(&self.interval, threshold)
        } else {
            Verdict::Inconclusive
        }
    }

    /// The standard error of the mean.
    pub fn error(&self) -> f64 {
        self.deviation / (self.n as f64).sqrt()
    }

    /// Numbers needed in all to make the interval half as wide, if planned for so many and if they vary as those seen do.
    pub fn to_halve(&self) -> u64 {
        let width = self.interval.half_width().unwrap_or(f64::INFINITY) / 2.0;
        let ends = [self.mean - width, self.mean + width];
        let needed = ends.into_iter().filter_map(|end| self.to_exclude(end)).max();
        needed.unwrap_or(self.n)
    }

    /// Numbers needed in all until the interval leaves out `threshold`, if the truth is as estimated; `None` if it is
    /// estimated to lie there.
    ///
    /// By betting it is how long one gambler takes whose stakes are best for these numbers, on top of what the gamblers lose for
    /// not knowing them beforehand; by the t-martingale what it takes if planned for just so many. More than there are, since a
    /// threshold that is left out already is not asked about.
    pub fn to_exclude(&self, threshold: f64) -> Option<u64> {
        let (begin, end) = self.range;
        let scaled = |number: f64| number / (end - begin);
        let gap = (self.mean - threshold).abs();
        let error = 1.0 - self.level;
        let by_betting = |error| {
            // What the gambler supposes, seen from the side from which the bets come.
            let supposed = if self.mean > threshold {
                threshold - begin
            } else {
                end - threshold
            };
            betting::needed(scaled(gap), scaled(supposed), scaled(self.deviation), error)
        };
        let by_student = |error| TMartingale::needed(gap, self.deviation, error);
        let needed = match self.method {
            MeanMethod::Betting => by_betting(error),
            MeanMethod::Student => by_student(error),
            MeanMethod::Both => by_betting(error / 2.0).min(by_student(error / 2.0)),
        };
        (needed < 1e15).then_some((needed.ceil() as u64).max(self.n + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_of_old_studies_are_still_read() {
        let old = r#"{"range":[0.0,1.0],"n":256,"mean":0.58,"deviation":0.28,"interval":{"low":0.55,"high":0.63},"level":0.95}"#;
        let estimate: MeanEstimate = serde_json::from_str(old).expect("an old estimate");
        assert_eq!((estimate.method, estimate.current), (MeanMethod::Betting, None));
        let new = MeanEstimate {
            method: MeanMethod::Student,
            current: Some(estimate.interval),
            ..estimate
        };
        let text = serde_json::to_string(&new).expect("plain data");
        assert!(text.contains(r#""method":"student""#), "{text}");
        assert_eq!(serde_json::from_str::<MeanEstimate>(&text).ok(), Some(new));
    }

    #[test]
    fn halving_takes_about_four_times_as_many_numbers_either_way() {
        let half = 0.12;
        let estimate = |method| MeanEstimate {
            method,
            range: (-1.0, 1.0),
            n: 100,
            mean: 0.1,
            deviation: 0.3,
            interval: Interval {
                low: Some(0.1 - half),
                high: Some(0.1 + half),
            },
            current: None,
            level: 0.95,
        };
        for method in [MeanMethod::Betting, MeanMethod::Student] {
            let one = estimate(method);
            let needed = one.to_halve();
            // To second order 2 ln(1/α) (σ / half)² numbers and what is lost for not knowing: 150 · (1.0 to 1.7).
            assert!((200..400).contains(&needed), "{method:?}: {needed}");
            assert_eq!(one.to_exclude(0.1), None, "{method:?}");
            assert_eq!(one.to_exclude(-0.9), Some(101), "{method:?}");
        }
    }
}
