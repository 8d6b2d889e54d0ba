//! Anytime-valid estimates of a mean, by either of two methods.

use serde::{Deserialize, Serialize};

use crate::{Interval, Verdict};

/// Construction of the interval of a mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeanMethod {
    /// By betting within a known range (Waudby-Smith and Ramdas 2024): exact for any numbers in it, and the narrower
    /// one for shares and scores of single games.
    Betting,
    /// By the t-martingale (Wang and Ramdas 2023): exact for normal numbers, and a good approximation for means of
    /// several games; far narrower if numbers hardly vary within their range. It gives no interval for numbers that are
    /// all equal, or too skewed for their count.
    Student,
    /// The intersection of both, each with half of the error: for means that are usually nearly normal, but may lie at
    /// an end of their range, where the t-martingale gives no interval. At 95 % it is up to 8 % wider than the
    /// t-martingale alone where that gives one.
    Both,
}

impl MeanMethod {
    /// Description for the text of a test.
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
    /// Construction of the interval.
    pub method: MeanMethod,
    /// The smallest and the largest possible number.
    pub range: (f64, f64),
    /// Numbers seen so far.
    pub n: u64,
    /// Mean of the numbers, in their unit.
    pub mean: f64,
    /// Their standard deviation; 0 for one number.
    pub deviation: f64,
    /// Interval of the true mean: the intersection of the intervals of all moments until now. Its ends never move apart
    /// again, so each may have been set by an early stretch of luck.
    pub interval: Interval,
    /// 1 minus the probability that the interval ever misses the true mean.
    pub level: f64,
}

impl MeanEstimate {
    /// True if the mean lies in its interval. If later numbers contradict earlier ones it may lie outside, since a mean
    /// once excluded stays excluded: then the interval has missed, or the numbers had no common mean.
    pub fn is_consistent(&self) -> bool {
        self.interval.contains(self.mean)
    }

    /// The verdict that the true mean is greater than a threshold. If the mean is outside its interval there is no
    /// verdict.
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
}
