//! Aggression, by three measures that were fixed before any game was played; the majority decides.
//!
//! A blunder raises none of them: dice that a player *loses* make a game sharp, but no move aggressive.

use serde::Serialize;
use serde_json::json;

use super::games::{Answer, GamesAnalysis, Pool, Sides, still_open, within};
use super::measure::Measure;
use crate::claim_test::ClaimTest;
use crate::{EffectUnit, Finding};
use chase_statistics::{FindingPlan, MeanEstimate, Verdict};

/// Signs of an aggressive first player in the first 20 plies: attacks, dice won, entering the Chamber first.
pub(crate) const AGGRESSION: [Measure; 3] = [Measure::EarlyThreats, Measure::EarlyWins, Measure::EarlyEntry];

/// A difference by each measure, and the verdicts.
pub(crate) struct Battery {
    /// The plan of each measure.
    pub plans: Vec<FindingPlan>,
    measured: [Measured; 3],
}

/// A difference by one measure.
#[derive(Serialize)]
struct Measured {
    measure: &'static str,
    estimate: Option<MeanEstimate>,
    verdict: Verdict,
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
    /// Tests whether the first player is more aggressive after some first moves than after others.
    pub fn more_aggressive(&self, test: &ClaimTest, pool: &Pool, sides: &[Sides]) -> Answer {
        let comparisons = pool.sharing(test.comparisons);
        let battery = self.battery(sides, Asked::More, comparisons);
        let verdict = battery.verdict();
        let test = test
            .clone()
            .measuring_blocks()
            .by(&self.how_measures_share(comparisons));
        let parts = battery.measured.iter().zip(AGGRESSION).map(|(of, measure)| {
            format!(
                "{}: {}, {}",
                of.measure,
                within(of.estimate, measure.unit()),
                of.verdict.name()
            )
        });
        let finding = test.told(battery.blocks(), parts.collect::<Vec<_>>().join("; ") + ".");
        let rows = battery.measured.iter().zip(AGGRESSION).map(|(of, measure)| {
            [
                of.measure.to_owned(),
                within(of.estimate, measure.unit()),
                of.verdict.name().to_owned(),
            ]
        });
        let note = "Each row is one measure of aggression, chosen before any game was played. Most of them decide. The intervals hold \
                    together, and at every moment.";
        let finding = finding
            .with_table("Aggression", note, ["measure", "difference", "says"], rows)
            .with_evidence(json!({ "measures": &battery.measured }));
        Answer {
            finding: Finding {
                verdict,
                ..self.by(pool, finding)
            },
            open: still_open(verdict, sides.iter().flat_map(Sides::series)),
            plans: battery.plans,
        }
    }

    /// How the measures decide, if this many comparisons share the error of the claim.
    pub fn how_measures_share(&self, comparisons: usize) -> String {
        let config = &self.design.config;
        format!(
            "most of {} measures of aggression decide, by {} of a share or {} of what is counted; anytime-valid intervals, the \
             claim's error shared by {} comparisons",
            AGGRESSION.len(),
            config.margin,
            config.dice_margin,
            comparisons * AGGRESSION.len()
        )
    }

    /// Measures a difference. `comparisons` share the claim's error, not counting those between the measures.
    pub fn battery(&self, sides: &[Sides], asked: Asked, comparisons: usize) -> Battery {
        let comparisons = comparisons * AGGRESSION.len();
        let threshold = |measure| match asked {
            Asked::More => self.matters(measure),
            Asked::NoLess => -self.matters(measure),
        };
        let plans = AGGRESSION.map(|measure| self.plan(measure, sides, comparisons, threshold(measure)));
        let measured = AGGRESSION.map(|measure| {
            let estimate = self.estimate(measure, sides, comparisons);
            let threshold = threshold(measure);
            Measured {
                measure: measure.name(),
                estimate,
                verdict: estimate.map_or(Verdict::Inconclusive, |estimate| estimate.greater_than(threshold)),
            }
        });
        Battery {
            plans: plans.into(),
            measured,
        }
    }

    /// The smallest difference that matters.
    fn matters(&self, measure: Measure) -> f64 {
        match measure.unit() {
            EffectUnit::Share | EffectUnit::Score => self.design.config.margin,
            _ => self.design.config.dice_margin,
        }
    }
}

impl Battery {
    /// The verdict of the majority of measures. If most of them agree with the truth, it is wrong only where an
    /// interval misses the truth.
    pub fn verdict(&self) -> Verdict {
        let most = |wanted: &Verdict| {
            let count = self.measured.iter().filter(|of| of.verdict == *wanted).count();
            2 * count > self.measured.len()
        };
        let decided = [Verdict::Supported, Verdict::Refuted].into_iter().find(most);
        decided.unwrap_or(Verdict::Inconclusive)
    }

    /// Number of blocks of the measures.
    pub fn blocks(&self) -> u64 {
        let blocks = self.measured.iter().filter_map(|of| Some(of.estimate?.n));
        blocks.max().unwrap_or(0)
    }
}
