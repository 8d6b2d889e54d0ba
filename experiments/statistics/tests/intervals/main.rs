//! Miss rates and widths of intervals of means, looked at after every block, at the designs of the opening study.
//!
//! The small form runs with the tests. The full one prints the tables of study 0018:
//! `cargo test --release -p chase-statistics --test intervals -- --ignored --nocapture`.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, reason = "the full form prints tables")]

mod robbins;
mod worlds;

use chase_statistics::interval::Z;
use chase_statistics::{AnytimeMean, MeanMethod, RandomEffects, generator, student_quantile};
use rand_distr::{Distribution, StandardNormal};
use robbins::Robbins;
use worlds::{WORLDS, World};

/// `None` if an interval never left out the mean of a world; else true if it lay above the mean then.
type Misses = fn(&World, f64, &[f64]) -> Option<bool>;

/// The share of runs of this many blocks in which each of some intervals ever left out the mean: above it, below it.
fn missed<const N: usize>(world: &World, runs: u64, blocks: usize, each: [(Misses, f64); N]) -> [[f64; 2]; N] {
    let mut counts = [[0; 2]; N];
    for run in 0..runs {
        let numbers = world.numbers(blocks, &mut generator(18, &[run]));
        for (counts, (misses, error)) in counts.iter_mut().zip(each) {
            if let Some(above) = misses(world, error, &numbers) {
                counts[usize::from(!above)] += 1;
            }
        }
    }
    counts.map(|counts| counts.map(|count| f64::from(count) / runs as f64))
}

const BETTING: Misses = |world, error, numbers| ever(world, MeanMethod::Betting, error, numbers);
const STUDENT: Misses = |world, error, numbers| ever(world, MeanMethod::Student, error, numbers);
const BOTH: Misses = |world, error, numbers| ever(world, MeanMethod::Both, error, numbers);
const ASYMPTOTIC: Misses = |world, error, numbers| Robbins::new(error, world.horizon).ever(numbers, world.mean);
/// A normal interval at every look.
const NORMAL: Misses = |world, error, numbers| {
    assert_eq!(error, 0.05);
    (16..=numbers.len()).find_map(|n| {
        let (mean, error) = mean_and_error(&numbers[..n]);
        ((mean - world.mean).abs() > Z * error).then_some(mean > world.mean)
    })
};
/// The error of one of sixty comparisons.
const SIXTIETH: f64 = 0.05 / 60.0;

/// Three standard errors above an error that is measured in this many runs.
fn most(error: f64, runs: u64) -> f64 {
    error + 3.0 * (error * (1.0 - error) / runs as f64).sqrt()
}

/// A mean that was left out once stays out: the last interval shows those of all moments.
fn ever(world: &World, method: MeanMethod, error: f64, numbers: &[f64]) -> Option<bool> {
    let mean = AnytimeMean::new(method, world.range, error, world.horizon);
    let interval = mean.estimate(numbers).unwrap().interval;
    (!interval.contains(world.mean)).then(|| interval.low.unwrap() > world.mean)
}

/// Stated before: with 1000 runs of up to 512 blocks, at 95 % no interval of either method, nor of both, misses in more
/// than 5 % and three standard errors (7.1 %) in the worlds that it is meant for; and at the level of one of sixty
/// comparisons in no more than 0.083 % and three standard errors (0.36 %: 3 runs).
#[test]
fn intervals_looked_at_after_every_block_miss_as_rarely_as_they_say() {
    let runs = 1000;
    for world in WORLDS.iter().filter(|world| world.meant) {
        let each = [
            (BETTING, 0.05),
            (STUDENT, 0.05),
            (BOTH, 0.05),
            (BETTING, SIXTIETH),
            (STUDENT, SIXTIETH),
            (BOTH, SIXTIETH),
        ];
        let found = missed(world, runs, 512, each);
        for (found, (_, error)) in found.iter().zip(each) {
            assert!(
                found[0] + found[1] <= most(error, runs),
                "{}, {error}: {found:?}",
                world.name
            );
        }
    }
}

/// The other way round: what does miss too often is seen to. A normal interval at every look, in any world; and the
/// t-martingale where one block of a hundred holds nearly all that there is to be seen, and has not come yet.
#[test]
fn what_misses_too_often_is_seen_to() {
    let runs = 400;
    for world in &WORLDS[..2] {
        let [normal] = missed(world, runs, 256, [(NORMAL, 0.05)]);
        assert!(
            normal[0] + normal[1] > 2.0 * most(0.05, runs),
            "{}: {normal:?}",
            world.name
        );
    }
    let rare = WORLDS.iter().find(|world| world.name == "rare and large").unwrap();
    let found = missed(rare, runs, 256, [(BETTING, 0.05), (STUDENT, 0.05)]);
    let too_often = found.map(|found| found[0] + found[1] > most(0.05, runs));
    assert_eq!(too_often, [false, true], "{found:?}");
}

/// Stated before. Bets of at most 0.9 / 0.5 on numbers in a range of 24 dice need at least ln(2 / α) · 24 / (1.8 · 256)
/// dice to either side after 256 blocks: 0.25 at the level of three comparisons, or 12 standard errors of this world,
/// as in study 0015. The t-martingale needs √r = 3.4 for r − 1 = ln r − 2 ln α, and hardly more for this many blocks;
/// what its intervals of all moments have in common is narrower, but holds as often, so it is wider than the interval of
/// one look, of 2.4 standard errors.
/// So the t-martingale leaves out a mean that is 11 standard errors off in every run, and betting in less than half of
/// them.
#[test]
fn a_wide_range_is_no_matter_to_the_t_martingale() {
    let world = WORLDS.iter().find(|world| world.name == "dice").unwrap();
    let (runs, error) = (100, 0.05 / 3.0);
    let threshold = world.mean + 0.232;
    for (method, widths, decided) in [
        (MeanMethod::Betting, 11.5..f64::INFINITY, 0..runs / 2),
        (MeanMethod::Student, 2.4..3.6, runs..runs + 1),
    ] {
        let (mut width, mut decisions) = (0.0, 0);
        for run in 0..runs {
            let numbers = world.numbers(256, &mut generator(19, &[run]));
            let mean = AnytimeMean::new(method, world.range, error, 256);
            let estimate = mean.estimate(&numbers).unwrap();
            width += estimate.interval.half_width().unwrap() / estimate.error() / runs as f64;
            decisions += u64::from(estimate.interval.high.unwrap() < threshold);
        }
        assert!(widths.contains(&width), "{method:?}: {width}");
        assert!(decided.contains(&decisions), "{method:?}: {decisions}");
    }
}

/// Where White wins nearly always, or always, the t-martingale is silent, as it must be: and both ways together decide,
/// at a cost in width of no more than a tenth where it is not.
#[test]
fn what_is_nearly_certain_is_decided_by_both_ways_together() {
    let runs = 100;
    let certain = WORLDS.iter().filter(|world| world.range.1 == 1.0 && world.mean > 0.99);
    let certain: Vec<&World> = certain.collect();
    assert_eq!(certain.len(), 2);
    for world in certain {
        for (method, decided) in [(MeanMethod::Student, 0..10), (MeanMethod::Both, runs..runs + 1)] {
            let mean = AnytimeMean::new(method, world.range, 0.05, world.horizon);
            let decides = |&run: &u64| {
                let numbers = world.numbers(64, &mut generator(28, &[run]));
                mean.estimate(&numbers).unwrap().interval.low.unwrap() > 0.52
            };
            let found = (0..runs).filter(decides).count() as u64;
            assert!(decided.contains(&found), "{}, {method:?}: {found}", world.name);
        }
    }
    let world = &WORLDS[2];
    let width = |method| -> f64 {
        let half = |run| {
            let numbers = world.numbers(256, &mut generator(29, &[run]));
            let estimate = AnytimeMean::new(method, world.range, 0.05, 256)
                .estimate(&numbers)
                .unwrap();
            assert_eq!(estimate.method, method);
            estimate.interval.half_width().unwrap()
        };
        (0..runs).map(half).sum()
    };
    let ratio = width(MeanMethod::Both) / width(MeanMethod::Student);
    assert!(ratio < 1.1, "{ratio}");
}

fn mean_and_error(numbers: &[f64]) -> (f64, f64) {
    let n = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / n;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

#[test]
#[ignore = "prints the tables of study 0018, in minutes"]
fn tables() {
    let runs = 10_000;
    println!(
        "\nmissed below / above, % of {runs} runs, looked at after every block until 1024; nominal 5 and 0.083 in all"
    );
    println!(
        "| world | horizon | betting 95 % | t 95 % | asymptotic 95 % | betting 99.917 % | t 99.917 % | asymptotic 99.917 % |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for world in &WORLDS {
        print!("| {} | {} ", world.name, world.horizon);
        let each = [0.05, SIXTIETH].map(|error| [BETTING, STUDENT, ASYMPTOTIC].map(|misses| (misses, error)));
        let [a, b, c, d, e, f] = std::array::from_fn(|index| each[index / 3][index % 3]);
        for [above, below] in missed(world, runs, 1024, [a, b, c, d, e, f]) {
            // An interval above the mean has missed on its low side.
            print!("| {:.2} / {:.2} ", 100.0 * above, 100.0 * below);
        }
        println!("|");
    }
    let runs = 400;
    println!(
        "\nhalf width of the interval in standard errors, mean of {runs} runs; in brackets the share of runs that say nothing yet"
    );
    println!("| world | level | blocks | betting | t | asymptotic | one look |");
    println!("|---|---|---|---|---|---|---|");
    for world in &WORLDS {
        for error in [0.05, SIXTIETH] {
            for blocks in [64, 256, 1024] {
                let widths = widths(world, error, blocks, runs);
                let level = 100.0 * (1.0 - error);
                println!("| {} | {level:.3} | {blocks} | {} |", world.name, widths.join(" | "));
            }
        }
    }
}

/// Half widths by each method, planned for this many blocks.
fn widths(world: &World, error: f64, blocks: usize, runs: u64) -> [String; 4] {
    let mut sums = [(0.0, 0.0); 4];
    for run in 0..runs {
        let numbers = world.numbers(blocks, &mut generator(21, &[run]));
        let (_, standard) = mean_and_error(&numbers);
        let by = |method| {
            let estimate = AnytimeMean::new(method, world.range, error, blocks as u64).estimate(&numbers);
            let half = estimate.unwrap().interval.half_width().unwrap();
            (half < (world.range.1 - world.range.0) / 2.0).then_some(half)
        };
        let quantile = student_quantile(blocks as f64 - 1.0, 1.0 - error).unwrap();
        let halves = [
            by(MeanMethod::Betting),
            by(MeanMethod::Student),
            Robbins::new(error, blocks as u64).half_width(&numbers),
            Some(quantile * standard),
        ];
        for (sum, half) in sums.iter_mut().zip(halves) {
            if let Some(half) = half.filter(|_| standard > 0.0) {
                *sum = (sum.0 + half / standard, sum.1 + 1.0);
            }
        }
    }
    sums.map(|(sum, said)| {
        let silent = 1.0 - said / runs as f64;
        let mean = if said > 0.0 {
            format!("{:.2}", sum / said)
        } else {
            "–".into()
        };
        if silent > 0.0 {
            format!("{mean} ({:.0} %)", 100.0 * silent)
        } else {
            mean
        }
    })
}

/// Miss rate of both ways together, and their width relative to that of each way alone.
#[test]
#[ignore = "prints a table of study 0018"]
fn both_ways() {
    let runs = 10_000;
    println!(
        "\nboth ways: missed, % of {runs} runs until 1024 blocks, nominal 5 and 0.083; half width at 256 blocks against that of either way"
    );
    println!("| world | 95 % | 99.917 % | of betting | of t |");
    println!("|---|---|---|---|---|");
    for world in &WORLDS {
        let found = missed(world, runs, 1024, [(BOTH, 0.05), (BOTH, SIXTIETH)]);
        let [one, other] = found.map(|[above, below]| 100.0 * (above + below));
        let width = |method| -> f64 {
            let mean = AnytimeMean::new(method, world.range, 0.05, 256);
            let half = |run| {
                let estimate = mean.estimate(&world.numbers(256, &mut generator(30, &[run]))).unwrap();
                estimate.interval.half_width().unwrap()
            };
            (0..400).map(half).sum()
        };
        let both = width(MeanMethod::Both);
        let of = |method| both / width(method);
        println!(
            "| {} | {one:.2} | {other:.2} | {:.2} | {:.2} |",
            world.name,
            of(MeanMethod::Betting),
            of(MeanMethod::Student)
        );
    }
}

/// The share of worlds in which each of some intervals of a mean over agents misses it, by the ratio of the differences
/// between agents to the errors of games.
#[test]
#[ignore = "prints a table of study 0018"]
fn agents() {
    let worlds = 20_000;
    println!("\nmissed, % of {worlds} worlds; nominal 5");
    println!("| agents | differ by, in errors of games | random effects | normal quantile | common effect |");
    println!("|---|---|---|---|---|");
    for agents in [3, 5] {
        for (place, times) in [0.0, 1.0, 3.0, 10.0].into_iter().enumerate() {
            let mut missed = [0; 3];
            for world in 0..worlds {
                let rng = &mut generator(27, &[agents, place as u64, world]);
                let mut normal = || {
                    let number: f64 = StandardNormal.sample(rng);
                    number
                };
                let agent = |agent: u64| {
                    let error = 0.03 + 0.005 * agent as f64;
                    (times * 0.03 * normal() + error * normal(), error)
                };
                let effects: Vec<(f64, f64)> = (0..agents).map(agent).collect();
                let found = RandomEffects::of(&effects, 0.95).unwrap();
                let weights: f64 = effects.iter().map(|(_, error)| error.powi(-2)).sum();
                let common = effects
                    .iter()
                    .map(|(effect, error)| effect * error.powi(-2))
                    .sum::<f64>()
                    / weights;
                let misses = [
                    !found.interval.contains(0.0),
                    found.mean.abs() > Z * found.error,
                    common.abs() > Z / weights.sqrt(),
                ];
                (missed.iter_mut().zip(misses)).for_each(|(count, missed)| *count += u32::from(missed));
            }
            let shares = missed.map(|count| format!("{:.2}", 100.0 * f64::from(count) / worlds as f64));
            println!("| {agents} | {times} | {} |", shares.join(" | "));
        }
    }
}
