//! Tests on facts about dice in games: shares, means, and differences of them, from observations in blocks of games.
//!
//! Blocks are games with the same number, of any player: every agent has an equal part in each, so the variation between
//! agents does not enter the intervals, which are about these agents.

use std::collections::BTreeMap;

use chase_engine::chase::DICE;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Deserialize;

use super::games::Pool;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::dice::{DiceFacts, LATE, MobilityCounts};
use crate::evidence::games::Design;
use crate::{ClaimId, Finding};
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};
use chase_statistics::generator;

/// Speeds that count as large, and as small.
const LARGE: [usize; 2] = [5, 6];
const SMALL: [usize; 2] = [1, 2];

/// Facts about dice in finished games of equal players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiceStudy<'a> {
    pub design: &'a Design,
    /// The games, in any order.
    pub facts: &'a [DiceFacts],
}

/// A quantity observed in a game. The numbers select the random numbers of the bootstraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DiceMeasure {
    /// First entries that lost one of the new dice, minus ordinary moves that lost theirs.
    EntryLost = 1,
    /// Scores of players who entered first.
    EntryScore = 2,
    /// Large dice without a move, minus small ones.
    LargeStuck = 6,
    /// Large dice without a move late in the game.
    LateAndStuck = 9,
    /// Large dice that are safe nowhere late in the game.
    LateAndUnsafe = 10,
    /// The same, minus small ones.
    LateAndUnsafeApart = 11,
    /// Large dice that are safe nowhere late in the game, among those that are attacked.
    LateAndTrapped = 12,
}

impl DiceMeasure {
    /// True for a difference of two groups of dice.
    pub const fn is_difference(self) -> bool {
        matches!(self, Self::EntryLost | Self::LargeStuck | Self::LateAndUnsafeApart)
    }

    /// Adds the observations of a game: those of the first group, and of the group that it is compared with.
    fn add(self, facts: &DiceFacts, [first, second]: &mut [BlockSums; 2]) {
        let count = |sums: &mut BlockSums, happened: u32, of: u32| {
            sums.total += f64::from(happened);
            sums.count += f64::from(of);
        };
        let mobility = |sums: &mut BlockSums, most: usize, pips: &[usize], of: fn(&MobilityCounts) -> [u32; 2]| {
            let [happened, dice] = of(&facts.mobility.total(0..=most, pips));
            count(sums, happened, dice);
        };
        let stuck = |counts: &MobilityCounts| [counts.stuck, counts.dice];
        let unsafe_everywhere = |counts: &MobilityCounts| [counts.unsafe_everywhere, counts.dice];
        match self {
            Self::EntryLost => {
                count(second, facts.ordinary_lost, facts.ordinary_moves);
                if let Some(entry) = facts.entry {
                    count(first, entry.lost.into(), 1);
                }
            }
            Self::EntryScore => {
                if let Some((score, entry)) = facts.score.zip(facts.entry) {
                    first.add(entry.player.score(score));
                }
            }
            Self::LargeStuck => {
                mobility(first, DICE, &LARGE, stuck);
                mobility(second, DICE, &SMALL, stuck);
            }
            Self::LateAndStuck => mobility(first, LATE, &LARGE, stuck),
            Self::LateAndUnsafe => mobility(first, LATE, &LARGE, unsafe_everywhere),
            Self::LateAndUnsafeApart => {
                mobility(first, LATE, &LARGE, unsafe_everywhere);
                mobility(second, LATE, &SMALL, unsafe_everywhere);
            }
            Self::LateAndTrapped => {
                let trapped = |counts: &MobilityCounts| [counts.unsafe_everywhere, counts.attacked];
                mobility(first, LATE, &LARGE, trapped);
            }
        }
    }
}

impl DiceStudy<'_> {
    /// The level of each interval of a claim with this many comparisons. Each time that the study was enlarged after its
    /// verdicts had been seen the error is halved, since these intervals are for one look: all looks together have at
    /// most twice the error of the first.
    pub(super) fn level(&self, pool: &Pool, comparisons: usize) -> f64 {
        let halvings = self.design.raised.len() as i32;
        1.0 - self.design.config.error / 2_f64.powi(halvings) / pool.sharing(comparisons) as f64
    }

    /// The number that is observed, with the description of its interval.
    fn estimate(&self, measure: DiceMeasure, pool: &Pool, level: f64) -> (Option<ClusterEstimate>, &'static str) {
        let mut blocks: BTreeMap<u64, [BlockSums; 2]> = BTreeMap::new();
        for facts in self.facts.iter().filter(|facts| pool.players.contains(&facts.player)) {
            measure.add(facts, blocks.entry(facts.block).or_default());
        }
        let both: Vec<[BlockSums; 2]> = blocks.into_values().collect();
        let first: Vec<BlockSums> = both.iter().map(|[first, _]| *first).collect();
        let rng: &mut Xoshiro256PlusPlus = &mut generator(self.design.seed, &[measure as u64]);
        let bootstrap = "studentised bootstrap over blocks";
        match measure {
            _ if measure.is_difference() => (clusters::difference(&both, level, rng), bootstrap),
            DiceMeasure::EntryScore => (clusters::mean(&first, level, rng), bootstrap),
            _ => (clusters::share(&first, level), "Wilson interval over blocks"),
        }
    }

    /// The finding of a test of dice; `None` for other tests.
    pub fn ask(&self, claim: ClaimId, test: &ClaimTest, pool: &Pool) -> Option<Finding> {
        let level = self.level(pool, test.comparisons);
        let (estimate, construction) = self.estimate(test.dice?, pool, level);
        let again = match self.design.raised.len() {
            0 => String::new(),
            times => format!("; the study was enlarged {times} times after a look, and the error halved each time"),
        };
        let test = test
            .clone()
            .by(&format!("{construction}, level {:.2} %{again}", 100.0 * level));
        let found = estimate.map(|estimate| Estimate::of_clusters(&estimate, level));
        Some(test.estimated(claim, found, test.statement(&self.design.config)))
    }
}
