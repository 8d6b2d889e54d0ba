//! Aggression, by three measures that were fixed before any game was played; the majority decides.
//!
//! A blunder raises none of them: dice that a player *loses* make a game sharp, but no move aggressive.

use serde_json::json;

use super::games::{Counted, EARLY_ENTRY, EARLY_THREATS, EARLY_WINS, GamesAnalysis, Sides, bounds};
use crate::EffectUnit;
use chase_report::exhibit::Table;
use chase_statistics::{FindingPlan, MeanEstimate, Verdict};

/// Signs of an aggressive first player in the first 20 plies: attacks, dice won, entering the Chamber first.
pub(crate) const AGGRESSION: [Counted; 3] = [EARLY_THREATS, EARLY_WINS, EARLY_ENTRY];

/// A difference by each measure, and the verdicts.
pub(crate) struct Battery {
    /// The plan of each measure.
    pub plans: Vec<FindingPlan>,
    measured: Vec<(Counted, Option<MeanEstimate>, Verdict)>,
}

/// The direction of a claimed difference.
#[derive(Clone, Copy)]
pub(crate) enum Asked {
    /// More, by at least the amount that matters.
    More,
    /// No less, by the amount that matters.
    NoLess,
}

impl GamesAnalysis<'_> {
    /// Measures a difference. `comparisons` share the claim's error, not counting those between the measures.
    pub fn battery(&self, sides: &[Sides], asked: Asked, comparisons: usize) -> Battery {
        let comparisons = comparisons * AGGRESSION.len();
        let threshold = |counted| match asked {
            Asked::More => self.matters(counted),
            Asked::NoLess => -self.matters(counted),
        };
        let plans = AGGRESSION.map(|counted| self.plan(counted, sides, comparisons, threshold(counted)));
        let measured = AGGRESSION.map(|counted| {
            let estimate = self.estimate(counted, sides, comparisons);
            let threshold = threshold(counted);
            let verdict = estimate.map_or(Verdict::Inconclusive, |estimate| estimate.greater_than(threshold));
            (counted, estimate, verdict)
        });
        Battery {
            plans: plans.into(),
            measured: measured.into(),
        }
    }

    /// The smallest difference that matters.
    fn matters(&self, counted: Counted) -> f64 {
        match counted.unit {
            EffectUnit::Share | EffectUnit::Score => self.design.config.margin,
            _ => self.design.config.dice_margin,
        }
    }
}

impl Battery {
    /// The verdict of the majority of measures. If most of them agree with the truth, it is wrong only where an
    /// interval misses the truth.
    pub fn verdict(&self) -> Verdict {
        let most = |wanted| 2 * self.count(wanted) > self.measured.len();
        match (most(Verdict::Supported), most(Verdict::Refuted)) {
            (true, _) => Verdict::Supported,
            (_, true) => Verdict::Refuted,
            _ => Verdict::Inconclusive,
        }
    }

    /// Number of measures with this verdict.
    pub fn count(&self, wanted: Verdict) -> usize {
        self.measured
            .iter()
            .filter(|(_, _, verdict)| *verdict == wanted)
            .count()
    }

    /// Number of blocks of the measures.
    pub fn blocks(&self) -> u64 {
        let blocks = self
            .measured
            .iter()
            .filter_map(|(_, estimate, _)| Some(estimate.as_ref()?.n));
        blocks.max().unwrap_or(0)
    }

    /// `Dice that …: 0.31 dice [0.1 dice, 0.5 dice], supported.`
    pub fn in_words(&self) -> String {
        let parts = self.measured.iter().map(|(counted, estimate, verdict)| match estimate {
            None => format!("{}: no games", counted.name),
            Some(estimate) => format!(
                "{}: {} {}, {}",
                counted.name,
                counted.unit.in_words(estimate.mean),
                bounds(&estimate.interval, counted.unit),
                verdict.name()
            ),
        });
        parts.collect::<Vec<_>>().join("; ")
    }

    /// The differences as data.
    pub fn evidence(&self) -> serde_json::Value {
        let measured = self.measured.iter().map(
            |(counted, estimate, verdict)| json!({ "measure": counted.name, "estimate": estimate, "verdict": verdict }),
        );
        json!({ "measures": measured.collect::<Vec<_>>() })
    }

    /// The differences as a table.
    pub fn table(&self, title: &str) -> Table {
        let row = |(counted, estimate, verdict): &(Counted, Option<MeanEstimate>, Verdict)| {
            let [mean, interval] = estimate.map_or_else(
                || ["–".to_owned(), "–".to_owned()],
                |estimate| {
                    [
                        counted.unit.in_words(estimate.mean),
                        bounds(&estimate.interval, counted.unit),
                    ]
                },
            );
            vec![counted.name.to_owned(), mean, interval, verdict.name().to_owned()]
        };
        Table {
            title: title.to_owned(),
            note: "Each row is one measure of aggression, chosen before any game was played. Most of them decide. The intervals hold \
                   together, and at every moment."
                .to_owned(),
            headings: ["measure", "difference", "interval", "says"].map(str::to_owned).to_vec(),
            rows: self.measured.iter().map(row).collect(),
        }
    }
}
