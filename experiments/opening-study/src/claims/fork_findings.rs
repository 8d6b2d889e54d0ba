//! Findings from forks on claims C1 to C4.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::method::agents;
use super::method::forks::{ForkEstimate, ForkResult, ForkStudy};
use crate::claim_test::tests;
use crate::evidence::forks::{Fork, ForkKind, Way};
use crate::evidence::games::{Design, GamesConfig};
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
    let name = |player: usize| design.players[player].name.as_str();
    let findings = of_results(&results, &design.config, name).into_iter();
    findings.map(|finding| finding.with_command(command)).collect()
}

/// The findings from the results of forks, with the names of their players.
fn of_results<'a>(results: &[ForkResult], config: &GamesConfig, name: impl Fn(usize) -> &'a str) -> Vec<Finding> {
    let players: BTreeSet<usize> = results.iter().map(|result| result.player).collect();
    let players: Vec<usize> = players.into_iter().collect();
    let names: Vec<&str> = players.iter().map(|&player| name(player)).collect();
    agents::together_and_apart(&names, |place, shared_by| {
        let player = place.map(|place| players[place]);
        let own = results
            .iter()
            .filter(|result| player.is_none_or(|player| result.player == player));
        let results: &[ForkResult] = &own.copied().collect::<Vec<_>>();
        let study = ForkStudy {
            results,
            config,
            shared_by,
        };
        tests().iter().filter_map(|test| study.ask(test)).collect()
    })
}

/// Results of forks by kind; empty if none were played.
pub fn summaries(design: &Design, forks: &[Fork]) -> Vec<ForkSummary> {
    let results: Vec<ForkResult> = forks.iter().map(ForkResult::from).collect();
    let study = ForkStudy {
        results: &results,
        config: &design.config,
        shared_by: 1,
    };
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

/// Invented forks with a known truth.
#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_statistics::{Verdict, generator};
    use rand::RngExt;

    use super::*;
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
        of_results(results, &GamesConfig::default(), |player| {
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
        use ClaimId::{C2, C3, C4};
        use Verdict::{Refuted, Supported};
        for (kind, claim, seen, rival, each) in [
            (ForkKind::SmallTakesLarge, C3, 0.15, -0.06, 154),
            (ForkKind::GainingEntry, C2, 0.05, -0.14, 154 * 32),
            (ForkKind::Clumping, C4, 0.055, 0.0, 154 * 16),
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
            [ClaimId::C4]
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
            let study = ForkStudy {
                results,
                config: &GamesConfig::default(),
                shared_by: 1,
            };
            study.estimate(ForkKind::Quiet, Against::Rival, None)
        };
        let both = of(&results).unwrap();
        assert_eq!((both.value, both.forks, both.blocks), (0.0, 40, 30));
        // Without variation, the interval still allows for values that were not observed.
        let interval = of(&results[..30]).unwrap().interval.unwrap();
        assert!(
            interval.high.unwrap() > -0.95 && interval.low == Some(-1.0),
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
        assert_eq!(deciding(&findings).len(), 3);
        for finding in findings {
            assert_eq!((finding.verdict, finding.n), (Verdict::Inconclusive, 0));
            assert!(finding.summary.contains("no forks"), "{}", finding.summary);
        }
    }
}
