//! Diversity of lines of play: entropy and effective number of lines, as in Tomašev, Paquet, Hassabis and Kramnik,
//! *Assessing game balance with AlphaZero* (2020).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::function::gamma::digamma;

/// The diversity of the opening lines of games.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diversity {
    /// Number of games.
    pub games: u64,
    /// Number of different lines.
    pub lines: u64,
    /// Shannon entropy of the lines, in nats: the estimator of Chao, Wang and Jost (2013), which corrects for lines
    /// that were not observed.
    pub entropy: f64,
    /// exp of the entropy: the number of equally frequent lines with the same entropy.
    pub effective_lines: f64,
    /// Estimated probability that the line of one more game is among those observed (Good and Turing). If it is small,
    /// the entropy is little more than the logarithm of the number of games, and only a lower bound.
    pub coverage: f64,
}

impl Diversity {
    /// The diversity of lines, one for each game; `None` without games.
    pub fn of<T: Ord>(lines: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut counts: BTreeMap<T, u64> = BTreeMap::new();
        for line in lines {
            *counts.entry(line).or_default() += 1;
        }
        let counts: Vec<u64> = counts.into_values().collect();
        let games: u64 = counts.iter().sum();
        if games == 0 {
            return None;
        }
        let with = |count: u64| counts.iter().filter(|&&other| other == count).count() as f64;
        let entropy = entropy(&counts, games as f64, with(1), with(2));
        Some(Self {
            games,
            lines: counts.len() as u64,
            entropy,
            effective_lines: entropy.exp(),
            coverage: 1.0 - with(1) / games as f64,
        })
    }
}

/// Equation 4 of Chao, Wang and Jost, *Entropy and the species accumulation curve*, Methods in Ecology and Evolution 4
/// (2013): the contribution of the observed lines, and an estimate for the unobserved ones from those seen once and
/// twice.
fn entropy(counts: &[u64], n: f64, once: f64, twice: f64) -> f64 {
    let terms = counts.iter().map(|&count| count as f64);
    let seen: f64 = terms.map(|count| count / n * (digamma(n) - digamma(count))).sum();
    if once == 0.0 || n < 2.0 {
        return seen;
    }
    let unseen_share = if twice > 0.0 {
        2.0 * twice / ((n - 1.0) * once + 2.0 * twice)
    } else {
        2.0 / ((n - 1.0) * (once - 1.0) + 2.0)
    };
    if unseen_share >= 1.0 {
        return seen;
    }
    // (1 − A)^(1 − n) · (−ln A − Σ_{r<n} (1 − A)^r / r), which is the tail of the series of −ln A, shifted to its
    // beginning. A short series is summed from its end, since the difference would cancel there.
    let ratio = 1.0 - unseen_share;
    let tail = if unseen_share * n > 1.0 {
        let (mut tail, mut power, mut r) = (0.0, ratio, n);
        // Terms below the digits that are shown.
        while power / r > 1e-12 * tail {
            tail += power / r;
            power *= ratio;
            r += 1.0;
        }
        tail
    } else {
        let (mut head, mut power, mut r) = (0.0, ratio, 1.0);
        while r < n {
            head += power / r;
            power *= ratio;
            r += 1.0;
        }
        (-unseen_share.ln() - head) * ratio.powf(1.0 - n)
    };
    seen + once / n * tail
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::generator;

    #[test]
    fn equal_lines_have_no_entropy() {
        let one = Diversity::of(vec!["a"; 50]).expect("there are games");
        assert!(one.entropy.abs() < 1e-9 && one.lines == 1, "{one:?}");
        assert_eq!(one.coverage, 1.0);
        assert_eq!(Diversity::of(Vec::<u8>::new()), None);
    }

    /// The plain estimate misses much of the entropy of many lines; this estimate recovers it.
    #[test]
    fn the_bias_of_small_samples_is_mostly_taken_away() {
        let lines = 300;
        let (mut found, mut plain) = (0.0, 0.0);
        for repetition in 0..40 {
            let mut rng = generator(7, &[repetition]);
            let drawn: Vec<u32> = (0..300).map(|_| rng.random_range(0..lines)).collect();
            let diversity = Diversity::of(drawn.iter()).expect("there are games");
            found += diversity.effective_lines / 40.0;
            let mut counts = BTreeMap::new();
            drawn
                .iter()
                .for_each(|line| *counts.entry(line).or_insert(0.0) += 1.0 / 300.0);
            plain += counts.values().map(|p: &f64| -p * p.ln()).sum::<f64>().exp() / 40.0;
        }
        assert!(plain < 200.0, "{plain}");
        assert!((found - 300.0).abs() < 30.0, "{found}");
    }

    #[test]
    fn coverage_tells_when_a_sample_is_too_small() {
        let all_different = Diversity::of(0..100).expect("there are games");
        assert_eq!(all_different.coverage, 0.0);
        assert!(all_different.entropy.is_finite());
    }
}
