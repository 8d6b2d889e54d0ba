//! Findings from forks on claims C1 to C4.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::method::agents;
use super::method::forks::{ForkEstimate, ForkResult, ForkStudy};
use crate::claim_test::tests;
use crate::evidence::forks::{Fork, ForkKind, Way};
use crate::evidence::games::Design;
use crate::{Against, Finding};

/// Results of all forks of one kind, with equal weight for each player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ForkSummary {
    /// The kind.
    pub kind: ForkKind,
    /// Description of the comparison.
    pub about: String,
    /// Forks played, including those with truncated games.
    pub forks: u64,
    /// Forks at which the game itself continued with the action.
    pub went_by_action: u64,
    /// Forks at which it continued with the rival.
    pub went_by_rival: u64,
    /// The mover's score after the action minus that after the rival; `None` without results.
    pub difference: Option<ForkEstimate>,
    /// The mover's score after the action minus that after the control of the same fork; `None` for a kind without one,
    /// and without results.
    pub over_control: Option<ForkEstimate>,
}

/// Findings from forks on claims C1 to C4: for all players with forks, with the finding of each alone. Without forks
/// the claims are open, and the findings say so. `command` becomes the command that reproduces them.
pub fn findings(design: &Design, forks: &[Fork], command: &str) -> Vec<Finding> {
    let results: Vec<ForkResult> = forks.iter().map(ForkResult::from).collect();
    let players: BTreeSet<usize> = results.iter().map(|result| result.player).collect();
    let players: Vec<usize> = players.into_iter().collect();
    let names: Vec<&str> = players
        .iter()
        .map(|&player| design.players[player].name.as_str())
        .collect();
    agents::together_and_apart(&names, |place, shared_by| {
        let player = place.map(|place| players[place]);
        let own = results
            .iter()
            .filter(|result| player.is_none_or(|player| result.player == player));
        let own: Vec<ForkResult> = own.copied().collect();
        let findings = of_study(&study(&own, design, shared_by)).into_iter();
        findings.map(|finding| finding.with_command(command)).collect()
    })
}

/// Results of forks by kind; empty if none were played.
pub fn summaries(design: &Design, forks: &[Fork]) -> Vec<ForkSummary> {
    let results: Vec<ForkResult> = forks.iter().map(ForkResult::from).collect();
    let study = study(&results, design, 1);
    let summary = |kind: ForkKind| {
        let of_kind = || forks.iter().filter(|fork| fork.turn.kind == kind);
        let went = |way| of_kind().filter(|fork| fork.went == Some(way)).count() as u64;
        ForkSummary {
            kind,
            about: kind.in_words(),
            forks: of_kind().count() as u64,
            went_by_action: went(Way::Action),
            went_by_rival: went(Way::Rival),
            difference: study.estimate(kind, Against::Rival, None),
            over_control: study.estimate(kind, Against::Control, None),
        }
    };
    let kinds = ForkKind::ALL.into_iter().filter(|_| !forks.is_empty());
    kinds.map(summary).collect()
}

fn study<'a>(results: &'a [ForkResult], design: &'a Design, shared_by: usize) -> ForkStudy<'a> {
    ForkStudy {
        results,
        config: &design.config,
        shared_by,
        seed: design.seed,
    }
}

/// The findings, to which the caller adds the players and the command.
fn of_study(study: &ForkStudy<'_>) -> Vec<Finding> {
    tests().iter().filter_map(|test| study.ask(test)).collect()
}

/// Invented forks with a known truth.
#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_statistics::{Verdict, generator};
    use rand::RngExt;

    use super::*;
    use crate::claims::method::dice::DECIDING;
    use crate::evidence::games::GamesConfig;
    use crate::{ClaimId, Role};

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

    /// Forks of two players, in blocks with a random effect each; differences are −1, −½, 0, ½ or 1.
    fn forks(world: &World, each: u64, seed: u64) -> Vec<ForkResult> {
        let mut rng = generator(seed, &[1]);
        let fortunes: Vec<f64> = (0..40).map(|_| 0.1 * (rng.random::<f64>() - 0.5)).collect();
        let mut results = Vec::new();
        for player in 0..2 {
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
        of_study(&ForkStudy {
            results,
            config: &GamesConfig::default(),
            shared_by: 1,
            seed: 1,
        })
    }

    fn deciding(findings: &[Finding]) -> Vec<(ClaimId, Verdict)> {
        let deciding = findings.iter().filter(|finding| finding.role == Role::Deciding);
        deciding.map(|finding| (finding.claim, finding.verdict)).collect()
    }

    #[test]
    fn false_verdicts_are_as_rare_as_promised() {
        let worlds = 400;
        // Two of the eight deciding intervals are not tested here.
        let share = 6.0 / DECIDING;
        for each in [24, 120] {
            let fails = |seed: &u64| {
                // Counted even if they are too few to decide.
                let findings = ask(&forks(&AT_THE_THRESHOLDS, each, *seed)).into_iter();
                let asked = findings.filter(|finding| finding.test_evidence().planned.is_some());
                let verdicts: Vec<_> = asked.map(|finding| (finding.claim, finding.verdict)).collect();
                assert_eq!(verdicts.len() as f64, share * DECIDING);
                verdicts.iter().any(|(_, verdict)| *verdict != Verdict::Inconclusive)
            };
            let failed = (0..worlds).filter(fails).count() as f64;
            let promised = 0.05 * share * worlds as f64;
            assert!(
                failed <= promised + 3.0 * promised.sqrt(),
                "{failed} of {worlds} worlds with {each}"
            );
        }
    }

    #[test]
    fn every_claim_comes_out_either_way() {
        use ClaimId::{C1, C2, C3, C4};
        use Verdict::{Inconclusive, Refuted, Supported};
        // Everything as the claims say, by 20 points; and the opposite.
        let [first, gaining, small, large, clumping, quiet] = AT_THE_THRESHOLDS;
        let moved = |(best, control): (f64, f64), by: f64| (best + by, control + by);
        let world = |by: f64| {
            [
                moved(first, -by),
                moved(gaining, by),
                moved(small, by),
                moved(large, -by),
                moved(clumping, by),
                quiet,
            ]
        };
        for (by, expected) in [(0.2, Supported), (-0.2, Refuted)] {
            let findings = ask(&forks(&world(by), 1500, 1));
            let all = [C1, C2, C3, C3, C3, C4].map(|claim| (claim, expected));
            assert_eq!(deciding(&findings), all, "{by}");
        }
        // Any action is as good as its control, and worse than the best other one: entering costs nothing against the
        // control, but it does against the best, and neither alone is a verdict. Gaining a die passes neither bar.
        let mut nothing = [(-0.08, 0.0); 6];
        nothing[ForkKind::GainingEntry as usize] = (-0.12, -0.04);
        let findings = ask(&forks(&nothing, 12_000, 2));
        assert_eq!(deciding(&findings)[..2], [(C1, Inconclusive), (C2, Refuted)]);
        assert!(findings[0].summary.contains("no verdict"), "{}", findings[0].summary);
        // As good as the best other action: by both comparisons entering costs nothing and capturing pays.
        let good = (0.05, 0.11);
        let as_good = [good, good, good, good, good, quiet];
        let verdicts = deciding(&ask(&forks(&as_good, 12_000, 3)));
        assert_eq!(
            verdicts[..4],
            [(C1, Refuted), (C2, Supported), (C3, Supported), (C3, Refuted)]
        );
        // Better than the control, and worse than the best other action: passing the low bar alone supports nothing.
        let between = [
            (-0.12, 0.0),
            (-0.06, 0.06),
            (-0.06, 0.06),
            (-0.12, 0.0),
            (0.0, 0.0),
            quiet,
        ];
        let verdicts = deciding(&ask(&forks(&between, 12_000, 4)));
        assert_eq!(verdicts[1..3], [(C2, Inconclusive), (C3, Inconclusive)]);
    }

    /// A control that is not fair decides nothing.
    #[test]
    fn a_placebo_with_an_effect_withholds_the_verdicts() {
        let [first, gaining, small, mut large, clumping, _] = AT_THE_THRESHOLDS;
        // Else both kinds of captures are equally good, which is the threshold of C3's third part.
        large = (large.0 - 0.15, large.1 - 0.15);
        let clear = |(best, control): (f64, f64)| (best - 0.2, control - 0.2);
        let world = |placebo| [first, gaining, small, large, clumping, placebo].map(clear);
        let verdicts = |placebo: f64| deciding(&ask(&forks(&world((0.0, placebo + 0.2)), 3000, 1)));
        assert!(
            verdicts(0.0)
                .iter()
                .all(|(_, verdict)| *verdict != Verdict::Inconclusive)
        );
        let withheld = verdicts(0.15);
        assert_eq!(withheld.len(), 6);
        let (c4, others) = withheld.split_last().unwrap();
        assert!(
            others.iter().all(|(_, verdict)| *verdict == Verdict::Inconclusive),
            "{others:?}"
        );
        assert_eq!(*c4, (ClaimId::C4, Verdict::Refuted));
    }

    /// Stated beforehand: with 256 forks of one player, half widths are about 12 points, more than the ten by which
    /// worlds differ, so nothing decides; with 768 they are below ten.
    #[test]
    fn too_few_forks_decide_nothing_and_say_so() {
        for (each, able) in [(24, 0), (128, 0), (384, 6), (1500, 6)] {
            let findings = ask(&forks(&AT_THE_THRESHOLDS, each, 1));
            assert_eq!(deciding(&findings).len(), able, "{each}");
            let refused = findings
                .iter()
                .filter(|finding| finding.summary.contains("decides nothing"));
            assert_eq!(refused.count(), 6 - able, "{each}");
        }
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
            let study = ForkStudy {
                results,
                config: &GamesConfig::default(),
                shared_by: 1,
                seed: 1,
            };
            study.estimate(ForkKind::Quiet, Against::Rival, None)
        };
        let both = of(&results).unwrap();
        assert_eq!((both.value, both.forks, both.blocks), (0.0, 40, 30));
        // Without variation, the interval still allows for values that were not observed.
        let interval = of(&results[..30]).unwrap().interval.unwrap();
        assert!(
            interval.high.unwrap() > -0.9 && interval.low == Some(-1.0),
            "{interval:?}"
        );
        // Games without results do not count, and few blocks give no interval.
        results.iter_mut().for_each(|result| result.difference = None);
        assert_eq!(of(&results), None);
        assert_eq!(of(&[result(ForkKind::Quiet, 0, 1, 1.0)]).unwrap().interval, None);
    }

    #[test]
    fn without_forks_the_claims_are_open_and_say_why() {
        let findings = ask(&[]);
        assert_eq!(deciding(&findings).len(), 6);
        for finding in findings {
            assert_eq!((finding.verdict, finding.n), (Verdict::Inconclusive, 0));
            assert!(finding.summary.contains("no forks"), "{}", finding.summary);
        }
    }
}
