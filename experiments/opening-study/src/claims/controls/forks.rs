//! Forks from invented positions, in which the true score after every action is known: what the comparison with the
//! control finds, and what it found when the mean of other forks was the control.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use chase_statistics::{Verdict, generator};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::tell;
use crate::claims::fork_findings::of_study;
use crate::claims::method::forks::{ForkResult, ForkStudy};
use crate::evidence::forks::ForkKind;
use crate::{Against, ClaimId};

const MARGIN: f64 = 0.02;
/// Standard deviation of true scores of the actions of a position, and of the errors of the searches that rank them.
/// The best of two then scores about 15 points less than the best of twenty, as quiet moves do in study 0025.
const SPREAD: f64 = 0.12;
const ERROR: f64 = 0.06;
/// Quiet moves of a position. Everything else that could be the best other action is among them.
const QUIET: usize = 24;
/// Most actions of a kind.
const MOST: usize = 3;

/// Points by which actions of a kind score more than quiet moves, in the order of [`ForkKind::ALL`].
type World = [f64; ForkKind::ALL.len()];

/// The kinds do not matter.
const NOTHING: World = [0.0; 6];
/// Everything as the claims say.
const AS_CLAIMED: World = [-0.15, 0.3, 0.3, -0.1, 0.15, 0.0];
/// Everything to the contrary.
const CONTRARY: World = [0.3, -0.1, -0.1, 0.3, -0.15, 0.0];
/// The difference from the control lies on the threshold of C1, of C2 and of both parts of C3, and the best other
/// action is better. C4 lies on its threshold.
const ON_THE_THRESHOLDS: World = [-MARGIN, MARGIN, MARGIN, MARGIN, MARGIN, 0.0];

fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
    // The sum of three is nearly normal, with a variance of one quarter.
    2.0 * (0..3).map(|_| rng.random::<f64>()).sum::<f64>() - 3.0
}

/// An action: its true score, and what a search says.
type Scored = (f64, f64);

/// The true score of the best, by searches.
fn best(of: &[Scored]) -> f64 {
    let best = of.iter().max_by(|one, other| one.1.total_cmp(&other.1));
    best.unwrap().0
}

/// One fork: the true score after the action, the rival and the control.
fn fork(kind: ForkKind, world: &World, rng: &mut Xoshiro256PlusPlus) -> [f64; 3] {
    let position = 0.5 + 0.15 * normal(rng);
    let action = |more: f64, rng: &mut Xoshiro256PlusPlus| -> Scored {
        let score = (position + more + SPREAD * normal(rng)).clamp(0.0, 1.0);
        (score, score + ERROR * normal(rng))
    };
    let count = rng.random_range(1..=MOST);
    let more = world[kind as usize];
    let actions: Vec<Scored> = (0..count).map(|_| action(more, rng)).collect();
    let mut quiet: Vec<Scored> = (0..QUIET).map(|_| action(0.0, rng)).collect();
    if kind == ForkKind::Clumping {
        quiet.truncate(count);
    }
    // Independent of each other, so that the first are as good as drawn.
    [best(&actions), best(&quiet), best(&quiet[..count])]
}

/// Forks of some players: results of games that are won with the true score.
fn forks(world: &World, players: usize, each: u64, seed: u64) -> Vec<ForkResult> {
    let mut rng = generator(seed, &[2]);
    let mut results = Vec::new();
    for player in 0..players {
        for kind in ForkKind::ALL {
            for number in 0..each {
                let [action, rival, control] = fork(kind, world, &mut rng).map(|score| won(score, &mut rng));
                results.push(ForkResult {
                    kind,
                    player,
                    block: number % 120,
                    difference: Some(action - rival),
                    controlled: kind.has_control(),
                    over_control: kind.has_control().then_some(action - control),
                });
            }
        }
    }
    results
}

fn won(score: f64, rng: &mut impl Rng) -> f64 {
    f64::from(u8::from(rng.random::<f64>() < score))
}

fn study(results: &[ForkResult]) -> ForkStudy<'_> {
    ForkStudy {
        results,
        margin: MARGIN,
        shared_by: 1,
        seed: 1,
    }
}

/// Verdicts on C1, C2, the three parts of C3, and C4.
fn verdicts(results: &[ForkResult]) -> [Verdict; 6] {
    use ClaimId::{C1, C2, C3, C4};
    let findings = of_study(&study(results));
    let planned = findings
        .iter()
        .filter(|finding| finding.test_evidence().planned.is_some());
    let verdicts: Vec<_> = planned.map(|finding| (finding.claim, finding.verdict)).collect();
    let claims: Vec<_> = verdicts.iter().map(|(claim, _)| *claim).collect();
    assert_eq!(claims, [C1, C2, C3, C3, C3, C4]);
    std::array::from_fn(|index| verdicts[index].1)
}

/// The mean true difference of a kind from the rival and from the control.
fn truth(kind: ForkKind, world: &World, forks: u32) -> [f64; 2] {
    let mut rng = generator(kind as u64, &[3]);
    let mut sums = [0.0; 2];
    for _ in 0..forks {
        let [action, rival, control] = fork(kind, world, &mut rng);
        sums[0] += action - rival;
        sums[1] += action - control;
    }
    sums.map(|sum| sum / f64::from(forks))
}

/// Where kinds do not matter, the best other action is much better all the same, and the control is not.
#[test]
fn the_control_is_worth_what_the_action_is_if_kinds_do_not_matter() {
    for kind in ForkKind::ALL {
        let [rival, control] = truth(kind, &NOTHING, 20_000);
        assert!(control.abs() < 0.004, "{kind}: {control}");
        if kind.has_control() {
            assert!(rival < -0.1, "{kind}: {rival}");
        }
    }
    // What actions are worth more is what the control finds, but for scores that cannot exceed 1.
    let [_, control] = truth(ForkKind::GainingEntry, &AS_CLAIMED, 20_000);
    assert!((0.25..0.3).contains(&control), "{control}");
}

#[test]
fn tests_on_forks_come_out_as_the_world_is() {
    use Verdict::{Inconclusive, Refuted, Supported};
    for (world, each, expected) in [
        (AS_CLAIMED, 2000, [Supported; 6]),
        (CONTRARY, 2000, [Refuted; 6]),
        // Entering is as good as moving quietly, and worse than the best other action. Captures do not pay, whichever
        // die is larger, and neither kind more than the other, which is the threshold of the third part.
        (
            NOTHING,
            12_000,
            [Inconclusive, Refuted, Refuted, Supported, Inconclusive, Refuted],
        ),
    ] {
        assert_eq!(verdicts(&forks(&world, 3, each, 1)), expected, "{world:?}");
    }
}

/// The share of worlds with a verdict that the threshold makes false, of those whose difference from the control is on
/// it: all six intervals together at most 5 % times six of eight.
#[test]
fn false_verdicts_on_the_thresholds_are_rare() {
    let worlds = 200;
    let wrong = (0..worlds)
        .into_par_iter()
        .filter(|&seed| is_wrong(&verdicts(&forks(&ON_THE_THRESHOLDS, 3, 128, seed))));
    let wrong = wrong.count() as f64;
    let promised = 0.05 * 6.0 / 8.0 * worlds as f64;
    assert!(wrong <= promised + 3.0 * promised.sqrt(), "{wrong} of {worlds}");
}

/// True if a verdict goes against the world on the thresholds. That the best other action is better is true there.
fn is_wrong(verdicts: &[Verdict; 6]) -> bool {
    use Verdict::{Inconclusive, Refuted, Supported};
    verdicts[0] == Supported
        || verdicts[1] == Refuted
        || verdicts[2] == Refuted
        || verdicts[3] == Supported
        || verdicts[4] != Inconclusive
        || verdicts[5] != Inconclusive
        || verdicts[0] == Refuted
        || verdicts[1] == Supported
}

/// The full form: the frequency of each verdict by number of forks, and by how far the truth lies from the threshold;
/// and the same had the mean of the placebo been the control, as until study 0025.
#[test]
#[ignore = "prints the tables of study 0029, in minutes"]
fn tables() {
    let worlds: u32 = 400;
    let percent = |count: usize| 100.0 * count as f64 / f64::from(worlds);
    tell(format_args!(
        "| world | forks of a kind | C1 | C2 | C3 small | C3 large | C3 order | C4 |"
    ));
    for (name, world) in [
        ("as claimed", AS_CLAIMED),
        ("to the contrary", CONTRARY),
        ("kinds do not matter", NOTHING),
        ("on the thresholds", ON_THE_THRESHOLDS),
    ] {
        for each in [85, 256, 512] {
            let found = (0..worlds).into_par_iter();
            let found = found.map(|seed| verdicts(&forks(&world, 3, each, u64::from(seed))));
            let found: Vec<[Verdict; 6]> = found.collect();
            let shares: Vec<String> = (0..6)
                .map(|index| {
                    let share = |verdict| percent(found.iter().filter(|verdicts| verdicts[index] == verdict).count());
                    format!("{:.1} / {:.1}", share(Verdict::Supported), share(Verdict::Refuted))
                })
                .collect();
            let wrong = percent(found.iter().filter(|verdicts| is_wrong(verdicts)).count());
            tell(format_args!(
                "| {name} | {} | {} | (any against the thresholds {wrong:.1})",
                3 * each,
                shares.join(" | ")
            ));
        }
    }
    tell(format_args!(
        "| forks of a kind | points from the threshold of C2 | control of the same fork: supported, refuted, half width | mean of \
         the placebo: the same |"
    ));
    for each in [85, 256, 512] {
        for points in [-0.2, -0.1, 0.1, 0.2] {
            let mut world = NOTHING;
            world[ForkKind::GainingEntry as usize] = MARGIN + points;
            let found = (0..worlds).into_par_iter().map(|seed| {
                let results = forks(&world, 3, each, u64::from(seed));
                let study = study(&results);
                [(Against::Control, None), (Against::Rival, Some(ForkKind::Quiet))].map(|(against, less)| {
                    let estimate = study.estimate(ForkKind::GainingEntry, against, less).unwrap();
                    let interval = estimate.interval.unwrap();
                    (Verdict::greater_than(&interval, MARGIN), interval.half_width().unwrap())
                })
            });
            let found: Vec<_> = found.collect();
            let ways = [0, 1].map(|way| {
                let share = |verdict| percent(found.iter().filter(|ways| ways[way].0 == verdict).count());
                let width = found.iter().map(|ways| ways[way].1).sum::<f64>() / found.len() as f64;
                format!(
                    "{:.1}, {:.1}, {:.1}",
                    share(Verdict::Supported),
                    share(Verdict::Refuted),
                    100.0 * width
                )
            });
            tell(format_args!(
                "| {} | {:+.0} | {} |",
                3 * each,
                100.0 * points,
                ways.join(" | ")
            ));
        }
    }
}
