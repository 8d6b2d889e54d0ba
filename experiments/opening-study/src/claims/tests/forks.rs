//! Invented forks with a known truth.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use chase_statistics::{Verdict, generator};
use rand::RngExt;

use crate::claims::forks::{Against, ForkContrast, ForkResult, ForkStudy};
use crate::claims::games::Pool;
use crate::claims::study::of_results;
use crate::evidence::forks::ForkKind;
use crate::evidence::games::GamesConfig;
use crate::{ClaimId, Finding, Role};

const MARGIN: f64 = 0.02;

/// The mean difference from the best other action and from the control, by kind in the order of [`ForkKind::ALL`].
type World = [(f64, f64); ForkKind::ALL.len()];

/// Both differences lie exactly at each claim's thresholds, so that every verdict is false.
const AT_THE_THRESHOLDS: World = [
    (-MARGIN, -MARGIN),
    (-MARGIN, MARGIN),
    (-MARGIN, MARGIN),
    (-MARGIN, MARGIN),
    (MARGIN, 0.0),
    (-0.06, 0.0),
];

/// Forks of some players, in blocks with a random effect each; differences are −1, −½, 0, ½ or 1.
fn forks(world: &World, players: usize, each: u64, seed: u64) -> Vec<ForkResult> {
    let mut rng = generator(seed, &[1]);
    let fortunes: Vec<f64> = (0..40).map(|_| 0.1 * (rng.random::<f64>() - 0.5)).collect();
    let mut results = Vec::new();
    for player in 0..players {
        for (kind, (best, control)) in ForkKind::ALL.into_iter().zip(world) {
            for _ in 0..each {
                let block = rng.random_range(0..fortunes.len());
                let mut difference = |mean: f64| {
                    // Four results in ten differ, a tenth of them by half a point.
                    let more = (mean + fortunes[block]) / 0.38;
                    let sign = if rng.random::<f64>() < 0.5 + more / 2.0 {
                        1.0
                    } else {
                        -1.0
                    };
                    let size = match rng.random::<f64>() {
                        x if x < 0.36 => 1.0,
                        x if x < 0.4 => 0.5,
                        _ => 0.0,
                    };
                    sign * size
                };
                let (best, control) = (difference(*best), difference(*control));
                results.push(ForkResult {
                    kind,
                    player,
                    block: block as u64,
                    difference: Some(best),
                    over_control: kind.has_control().then_some(control),
                });
            }
        }
    }
    results
}

fn ask(results: &[ForkResult]) -> Vec<Finding> {
    let config = &GamesConfig::default();
    of_results(&ForkStudy { results, config }, |player| {
        ["0", "1", "2", "3", "4"][player]
    })
}

fn deciding(findings: &[Finding]) -> Vec<(ClaimId, Verdict)> {
    let deciding = findings.iter().filter(|finding| finding.role == Role::Deciding);
    deciding.map(|finding| (finding.claim, finding.verdict)).collect()
}

#[test]
fn false_verdicts_are_as_rare_as_promised() {
    let worlds = 400;
    for (players, each) in [(1, 48), (5, 24)] {
        let fails = |seed: &u64| {
            let verdicts = deciding(&ask(&forks(&AT_THE_THRESHOLDS, players, each, *seed)));
            verdicts
                .into_iter()
                .filter(|(_, verdict)| *verdict != Verdict::Inconclusive)
        };
        let failed = (0..worlds).map(|seed| fails(&seed).count()).sum::<usize>() as f64;
        // Three claims.
        let promised = 0.05 * 3.0 * worlds as f64;
        assert!(
            failed <= promised + 3.0 * promised.sqrt(),
            "{failed} in {worlds} worlds of {players} players with {each}"
        );
    }
}

/// The differences from the control that studies 0036 and 0039 saw decide, whatever the best other action scores; and
/// so do differences as far on the other side of the threshold. The smallest need some more forks than they had.
#[test]
fn every_claim_comes_out_either_way_at_effects_of_the_size_seen() {
    use Verdict::{Refuted, Supported};
    let [c2, c3, c4] = [2, 3, 4].map(|number| ClaimId::new('C', number));
    for (kind, claim, seen, rival, each) in [
        (ForkKind::SmallTakesLarge, c3, 0.15, -0.06, 154),
        (ForkKind::GainingEntry, c2, 0.05, -0.14, 154 * 32),
        (ForkKind::Clumping, c4, 0.055, 0.0, 154 * 16),
    ] {
        for (effect, expected) in [(seen, Supported), (2.0 * MARGIN - seen, Refuted)] {
            let mut world = AT_THE_THRESHOLDS;
            world[kind as usize] = if kind.has_control() {
                (rival, effect)
            } else {
                (effect, 0.0)
            };
            let verdicts = deciding(&ask(&forks(&world, 5, each, 1)));
            assert!(verdicts.contains(&(claim, expected)), "{claim} {effect}: {verdicts:?}");
        }
    }
}

/// A control that is not fair decides nothing.
#[test]
fn a_placebo_with_an_effect_withholds_the_verdicts() {
    let verdicts = |placebo: f64| {
        let world = [
            (0.2, 0.2),
            (0.2, 0.2),
            (0.2, 0.2),
            (0.2, 0.2),
            (0.2, 0.2),
            (0.0, placebo),
        ];
        deciding(&ask(&forks(&world, 2, 3000, 1)))
    };
    assert_eq!(verdicts(0.0).len(), 3);
    assert_eq!(
        verdicts(0.15).iter().map(|(claim, _)| *claim).collect::<Vec<_>>(),
        [ClaimId::new('C', 4)]
    );
}

#[test]
fn players_count_alike_and_what_hardly_varies_is_not_certain() {
    let result = |kind, player, block, difference| ForkResult {
        kind,
        player,
        block,
        difference: Some(difference),
        over_control: None,
    };
    // One player has three times as many forks as the other, all lost; the other's are all won.
    let mut results: Vec<_> = (0..30).map(|block| result(ForkKind::Quiet, 0, block, -1.0)).collect();
    results.extend((0..10).map(|block| result(ForkKind::Quiet, 1, block, 1.0)));
    let of = |results: &[ForkResult]| {
        let config = &GamesConfig::default();
        let quiet = ForkContrast {
            kind: ForkKind::Quiet,
            against: Against::Rival,
            less: None,
        };
        ForkStudy { results, config }.estimate(quiet, &Pool::all(vec![0, 1]), 1)
    };
    let both = of(&results).unwrap();
    assert_eq!((both.value, both.n), (0.0, 40));
    // Without variation, the interval still allows for values that were not observed.
    let interval = of(&results[..30]).unwrap().interval.unwrap();
    assert!(
        interval.high.unwrap() > -0.95 && interval.low == Some(-1.0),
        "{interval:?}"
    );
    // Games without results do not count, and few blocks give no interval.
    results.iter_mut().for_each(|result| result.difference = None);
    assert!(of(&results).is_none());
    assert_eq!(of(&[result(ForkKind::Quiet, 0, 1, 1.0)]).unwrap().interval, None);
}

#[test]
fn without_forks_the_claims_are_open_and_say_why() {
    let findings = ask(&[]);
    assert_eq!(deciding(&findings).len(), 3);
    for finding in findings {
        assert_eq!((finding.verdict, finding.n), (Verdict::Inconclusive, 0));
        assert!(finding.summary.ends_with("There are no forks."), "{}", finding.summary);
    }
}
