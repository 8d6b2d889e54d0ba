//! C5 and C6: large dice that cannot move, or not safely, by games.

use chase_engine::chase::{DICE, LOST};
use serde_json::json;

use super::method::dice::{DiceStudy, percent, points, verdict};
use crate::evidence::dice::{LATE, MobilityCounts, MobilityTable};
use crate::{ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};

/// Speeds that count as large, and as small.
const LARGE: [usize; 2] = [5, 6];

const SMALL: [usize; 2] = [1, 2];

/// Smallest share of dice that counts as often.
const OFTEN: f64 = 0.1;

/// Smallest difference of shares that counts.
const MORE: f64 = 0.02;

const HOW: &str = "dice of the player to move, in every tenth ply's position; a die has no move if no direction is legal for it, exchanges aside";

/// Claims C5 and C6.
pub(crate) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let mut all = MobilityTable::default();
    study.facts.iter().for_each(|facts| all.add(&facts.mobility));
    let late = 0..=LATE;
    let share = |count: fn(&MobilityCounts) -> u32| {
        let sums = study.by_block(|facts, [sums]: &mut [BlockSums; 1]| {
            add_share(sums, &facts.mobility.total(0..=LATE, &LARGE), count);
        });
        clusters::share(sums.as_flattened(), study.level())
    };
    let often = |part, what, estimate: Option<ClusterEstimate>| {
        let verdict = verdict(estimate, OFTEN);
        let summary = match estimate {
            None => "No player came down to six dice with a 5 or a 6 among them in the positions looked at.".to_owned(),
            Some(estimate) => format!(
                "Of the 5s and 6s of players with {LATE} dice or fewer, {} {what}.",
                percent(&estimate)
            ),
        };
        let test = format!(
            "{HOW}; often: at least one in ten; {}",
            study.method("Wilson interval over blocks")
        );
        study.finding(
            ClaimId::C5,
            part,
            verdict,
            summary,
            estimate,
            "share of large dice",
            "dice",
            test,
        )
    };
    let tables = [
        (all.table("Dice without a legal move", |counts| counts.stuck)),
        (all.table("Dice that are safe nowhere", |counts| counts.unsafe_everywhere)),
    ];
    let mut stuck = often(
        "large dice without a move",
        "had no legal move",
        share(|counts| counts.stuck),
    );
    stuck.exhibits.push(tables[0].clone().into());
    stuck.evidence = json!({ "late": late, "counts_by_dice_left_and_speed": all });
    let what = "could be captured at once wherever they moved, and where they stood";
    let mut nowhere = often(
        "large dice without a safe move",
        what,
        share(|counts| counts.unsafe_everywhere),
    );
    nowhere.exhibits.push(tables[1].clone().into());

    let sums = study.by_block(|facts, [large, small]: &mut [BlockSums; 2]| {
        for (sums, pips) in [(large, &LARGE), (small, &SMALL)] {
            add_share(sums, &facts.mobility.total(0..=DICE, pips), |counts| counts.stuck);
        }
    });
    let difference = clusters::difference(&sums, study.level(), &mut study.rng(6));
    let summary = match difference {
        None => "There are no positions with large and small dice.".to_owned(),
        Some(estimate) => format!(
            "The share of dice without a legal move is {} percentage points higher among 5s and 6s than among 1s and 2s.",
            points(&estimate)
        ),
    };
    let test = format!(
        "{HOW}, at all stages; counts from {:.0} points on; {}",
        100.0 * MORE,
        study.method("studentised bootstrap over blocks")
    );
    let mut pinned = study.finding(
        ClaimId::C6,
        "large against small dice",
        verdict(difference, MORE),
        summary,
        difference,
        "difference of the shares of large and small dice without a move",
        "dice",
        test,
    );
    pinned.exhibits.push(tables[0].clone().into());
    vec![
        study.deciding(stuck, OFTEN),
        nowhere.as_context(),
        study.deciding(pinned, MORE),
    ]
}

fn add_share(sums: &mut BlockSums, counts: &MobilityCounts, count: fn(&MobilityCounts) -> u32) {
    sums.total += f64::from(count(counts));
    sums.count += f64::from(counts.dice);
}

impl MobilityTable {
    fn table(&self, title: &str, count: fn(&MobilityCounts) -> u32) -> Table {
        let cell = |left: usize, pips: usize| {
            let counts = self.of(left, pips);
            match counts.dice {
                0 => "–".to_owned(),
                dice => format!("{:.1} % of {dice}", 100.0 * f64::from(count(&counts)) / f64::from(dice)),
            }
        };
        let speeds = 1..=6_usize;
        let mut headings = vec!["dice left".to_owned()];
        headings.extend(speeds.clone().map(|pips| format!("speed {pips}")));
        let rows = (LOST + 1..=DICE).rev().map(|left| {
            let mut row = vec![left.to_string()];
            row.extend(speeds.clone().map(|pips| cell(left, pips)));
            row
        });
        Table {
            title: title.to_owned(),
            note: format!("By speed, and by the number of dice that their owner has. {HOW}."),
            headings,
            rows: rows.collect(),
        }
    }
}
