//! Tests on facts about dice in games: shares, means, and differences of them, from observations in blocks of games.

use std::collections::BTreeMap;

use chase_engine::Player;
use chase_engine::chase::DICE;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Deserialize;

use crate::Finding;
use crate::claim_test::{ClaimTest, Estimate};
use crate::evidence::dice::{Capture, DiceFacts, EntryCounts, LATE, MobilityCounts};
use crate::evidence::forks::LARGER;
use chase_report::number;
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};
use chase_statistics::{Interval, generator};

/// Speeds that count as large, and as small.
const LARGE: [usize; 2] = [5, 6];
const SMALL: [usize; 2] = [1, 2];

/// Claims C5 and C6, and context of C1 to C4 and D3, from facts of finished games of equal players.
#[derive(Clone, Copy, Debug)]
pub struct DiceStudy<'a> {
    /// The games, in any order.
    pub facts: &'a [DiceFacts],
    /// Seed of all randomness in the statistics.
    pub seed: u64,
    /// The error of a claim at the first look; each claim has one deciding test.
    pub error: f64,
    /// Studies with the same tests that share the error, one for each of several agents: 1 for the one that decides.
    pub shared_by: usize,
    /// Number of times that the study was enlarged after its verdicts had been seen. Each time the error is halved,
    /// since these intervals are for one look: all looks together have at most twice the error of the first.
    pub enlarged: usize,
}

/// What is observed in a game. The numbers select the random numbers of the bootstraps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DiceMeasure {
    /// First entries that lost one of the new dice, minus ordinary moves that lost theirs.
    EntryLost = 1,
    /// Scores of players who entered first.
    EntryScore,
    /// Changes of the expected score by captures of larger dice.
    SmallTakesLarge,
    /// Changes of the expected score by captures of smaller dice.
    LargeTakesSmall,
    /// The first of these minus the second.
    Captures,
    /// Large dice without a move, minus small ones.
    LargeStuck,
    /// Entries into the Chamber of 5s late in the game, minus those of 4s.
    Entered,
    /// The same of dice that could enter.
    Able,
    /// Large dice without a move late in the game.
    LateAndStuck,
    /// Large dice that are safe nowhere late in the game.
    LateAndUnsafe,
    /// The same, minus small ones.
    LateAndUnsafeApart,
    /// Large dice that are safe nowhere late in the game, among those that are attacked.
    LateAndTrapped,
}

/// True for the capture of a larger die.
fn small_takes_large(capture: &Capture) -> bool {
    capture.taker.pips() + LARGER <= capture.taken.pips()
}

fn large_takes_small(capture: &Capture) -> bool {
    capture.taken.pips() + LARGER <= capture.taker.pips()
}

impl DiceMeasure {
    /// Adds the observations of a game: those of the first group, and of the group that it is compared with.
    fn add(self, facts: &DiceFacts, [first, second]: &mut [BlockSums; 2]) {
        let count = |sums: &mut BlockSums, happened: u32, of: u32| {
            sums.total += f64::from(happened);
            sums.count += f64::from(of);
        };
        let changes = |sums: &mut BlockSums, fits: fn(&Capture) -> bool| {
            let captures = facts.captures.iter().filter(|capture| fits(capture));
            captures
                .filter_map(|capture| capture.change)
                .for_each(|change| sums.add(change));
        };
        let mobility = |sums: &mut BlockSums, most: usize, pips: &[usize], of: fn(&MobilityCounts) -> u32| {
            let counts = facts.mobility.total(0..=most, pips);
            count(sums, of(&counts), counts.dice);
        };
        let entries = |sums: &mut BlockSums, pips: usize, of: fn(&EntryCounts) -> u32| {
            let counts = facts.entries.of(pips);
            count(sums, of(&counts), counts.dice);
        };
        match self {
            Self::EntryLost => {
                count(second, facts.ordinary_lost, facts.ordinary_moves);
                if let Some(entry) = facts.entry {
                    count(first, entry.lost.into(), 1);
                }
            }
            Self::EntryScore => {
                let white = facts.entry.is_some_and(|entry| entry.player == Player::White);
                if let (Some(score), true) = (facts.score, facts.entry.is_some()) {
                    first.add(if white { score } else { 1.0 - score });
                }
            }
            Self::SmallTakesLarge => changes(first, small_takes_large),
            Self::LargeTakesSmall => changes(first, large_takes_small),
            Self::Captures => {
                changes(first, small_takes_large);
                changes(second, large_takes_small);
            }
            Self::LargeStuck => {
                mobility(first, DICE, &LARGE, |counts| counts.stuck);
                mobility(second, DICE, &SMALL, |counts| counts.stuck);
            }
            Self::Entered => {
                entries(first, 5, |counts| counts.entered);
                entries(second, 4, |counts| counts.entered);
            }
            Self::Able => {
                entries(first, 5, |counts| counts.able);
                entries(second, 4, |counts| counts.able);
            }
            Self::LateAndStuck => mobility(first, LATE, &LARGE, |counts| counts.stuck),
            Self::LateAndTrapped => {
                let counts = facts.mobility.total(0..=LATE, &LARGE);
                count(first, counts.unsafe_everywhere, counts.attacked);
            }
            Self::LateAndUnsafe => mobility(first, LATE, &LARGE, |counts| counts.unsafe_everywhere),
            Self::LateAndUnsafeApart => {
                mobility(first, LATE, &LARGE, |counts| counts.unsafe_everywhere);
                mobility(second, LATE, &SMALL, |counts| counts.unsafe_everywhere);
            }
        }
    }
}

impl DiceStudy<'_> {
    /// The level of each interval.
    pub(crate) fn level(&self) -> f64 {
        1.0 - self.error / 2_f64.powi(self.enlarged as i32) / self.shared_by.max(1) as f64
    }

    /// The number that is observed, with the description of its interval.
    fn estimate(&self, measure: DiceMeasure) -> (Option<ClusterEstimate>, &'static str) {
        let mut blocks: BTreeMap<u64, [BlockSums; 2]> = BTreeMap::new();
        for facts in self.facts {
            measure.add(facts, blocks.entry(facts.block).or_default());
        }
        let both: Vec<[BlockSums; 2]> = blocks.into_values().collect();
        let first: Vec<BlockSums> = both.iter().map(|[first, _]| *first).collect();
        let rng: &mut Xoshiro256PlusPlus = &mut generator(self.seed, &[measure as u64]);
        let bootstrap = "studentised bootstrap over blocks";
        match measure {
            DiceMeasure::LateAndStuck | DiceMeasure::LateAndUnsafe | DiceMeasure::LateAndTrapped => {
                (clusters::share(&first, self.level()), "Wilson interval over blocks")
            }
            DiceMeasure::EntryScore | DiceMeasure::SmallTakesLarge | DiceMeasure::LargeTakesSmall => {
                (clusters::mean(&first, self.level(), rng), bootstrap)
            }
            _ => (clusters::difference(&both, self.level(), rng), bootstrap),
        }
    }

    /// The finding of a test whose measure is in `tests.toml`; `None` for other tests.
    pub(crate) fn ask(&self, test: &ClaimTest) -> Option<Finding> {
        let (estimate, construction) = self.estimate(test.dice?);
        let statement = test
            .constant_statement()
            .expect("a test on dice has a constant threshold");
        let test = test.clone().by(&self.method(construction));
        let found = estimate.map(|estimate| Estimate::of_clusters(&estimate, self.level()));
        Some(test.estimated(found, Some(statement)))
    }

    /// The interval's construction, for the description of a test.
    pub(crate) fn method(&self, construction: &str) -> String {
        let again = match self.enlarged {
            0 => String::new(),
            times => format!("; the study was enlarged {times} times after a look, and the error halved each time"),
        };
        format!("{construction}, level {:.2} %{again}", 100.0 * self.level())
    }
}

/// A difference of shares or scores with its interval, in percentage points, with a sign.
pub(crate) fn points(value: f64, interval: Option<Interval>) -> String {
    let write = |end: f64| number::decimal(100.0 * end, 1);
    let interval = interval.map(|interval| format!(" {}", number::interval(&interval, write)));
    number::difference(100.0 * value, 1) + &interval.unwrap_or_default()
}
