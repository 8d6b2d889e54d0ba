//! Invented facts about dice with a known truth.

use chase_engine::Player;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::world::design_of_agents;
use crate::claims::dice::DiceStudy;
use crate::claims::games::Pool;
use crate::claims::study::by_dice;
use crate::evidence::dice::{ChamberEntry, DiceFacts, MobilityCounts, MobilityTable};
use crate::evidence::games::{Design, GamesConfig};
use crate::{ClaimId, Finding, Role};
use chase_statistics::{Verdict, generator};

/// Deciding intervals: C1, C5 and C6.
const DECIDING: usize = 3;

/// A world in which every effect exceeds the claims' thresholds by this much.
struct World {
    above: f64,
}

impl World {
    /// Games in blocks with a random effect each.
    fn facts(&self, rng: &mut Xoshiro256PlusPlus) -> Vec<DiceFacts> {
        let mut facts = Vec::new();
        for block in 0..60 {
            let fortune = 0.04 * (rng.random::<f64>() - 0.5);
            facts.extend((0..4).map(|_| self.game(block, fortune, rng)));
        }
        facts
    }

    fn game(&self, block: u64, fortune: f64, rng: &mut Xoshiro256PlusPlus) -> DiceFacts {
        let above = self.above;
        let mut happens = |probability: f64| rng.random::<f64>() < probability;
        let entry = ChamberEntry {
            player: Player::White,
            lost: happens(0.25 + above + fortune),
        };
        let ordinary_lost = (0..5).map(|_| u32::from(happens(0.2 + fortune))).sum();
        let die = |stuck: bool, unsafe_everywhere: bool| MobilityCounts {
            dice: 1,
            stuck: stuck.into(),
            attacked: unsafe_everywhere.into(),
            unsafe_everywhere: unsafe_everywhere.into(),
        };
        let mut mobility = MobilityTable::default();
        for _ in 0..4 {
            let large = die(happens(0.1 + above + fortune), happens(0.08 + above + fortune));
            mobility.add_dice(6, 6, large);
            mobility.add_dice(6, 1, die(happens(0.08 + fortune), happens(0.08 + fortune)));
        }
        DiceFacts {
            player: 0,
            block,
            score: Some(f64::from(u8::from(happens(0.5)))),
            entry: Some(entry),
            ordinary_moves: 5,
            ordinary_lost,
            mobility,
        }
    }

    fn findings(&self, seed: u64) -> Vec<Finding> {
        let facts = self.facts(&mut generator(seed, &[0]));
        by_dice(&Design { seed, ..design() }, &facts)
    }
}

fn design() -> Design {
    design_of_agents(1, GamesConfig::default())
}

fn deciding(findings: Vec<Finding>) -> Vec<Finding> {
    let deciding = findings.into_iter().filter(|finding| finding.role == Role::Deciding);
    deciding.collect()
}

#[test]
fn looks_and_agents_share_the_error() {
    let level = |pool: &Pool, enlarged: usize| {
        let raised = vec![1; enlarged];
        let design = Design { raised, ..design() };
        DiceStudy {
            design: &design,
            facts: &[],
        }
        .level(pool, 1)
    };
    let [all, one_of_two] = [Pool::all(vec![0]), Pool::alone(0, 2)];
    assert!((level(&all, 0) - 0.95).abs() < 1e-12 && (level(&one_of_two, 0) - 0.975).abs() < 1e-12);
    // However often it is enlarged, all looks together have an error of at most 10 %.
    let together: f64 = (0..50).map(|times| 1.0 - level(&all, times)).sum();
    assert!((together - 0.1).abs() < 1e-9, "{together}");
}

#[test]
fn false_verdicts_are_as_rare_as_promised() {
    // Every effect lies exactly at a claim's threshold, so that every verdict is false.
    let worlds = 60;
    let fails = |world: &u64| {
        let findings = deciding(World { above: 0.0 }.findings(*world));
        assert_eq!(findings.len(), DECIDING);
        findings.iter().any(|finding| finding.verdict != Verdict::Inconclusive)
    };
    let failed = (0..worlds).filter(fails).count() as f64;
    let promised = 0.05 * DECIDING as f64 * worlds as f64;
    assert!(failed <= promised + 4.0 * promised.sqrt(), "{failed} of {worlds}");
}

#[test]
fn what_is_true_is_found() {
    let verdicts = |above: f64| deciding(World { above }.findings(1)).into_iter();
    assert!(verdicts(0.2).all(|finding| finding.verdict == Verdict::Supported));
    // In so few games shares near 0 are far from certain.
    let mut stuck = verdicts(-0.06).filter(|finding| finding.claim == ClaimId::new('C', 6));
    assert_eq!(stuck.next().map(|finding| finding.verdict), Some(Verdict::Refuted));
}

#[test]
fn without_games_nothing_is_said() {
    for finding in by_dice(&design(), &[]) {
        assert_eq!(
            (finding.verdict, finding.n),
            (Verdict::Inconclusive, 0),
            "{}",
            finding.part
        );
        assert!(finding.effect.is_none() && !finding.summary.is_empty());
    }
}
