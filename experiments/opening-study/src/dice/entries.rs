//! Claim D3, the part that games decide: how often dice enter the Chamber late in the game, by speed.

use serde_json::json;

use super::entry_table::{EntryCounts, EntryTable, LATE};
use super::study::{DiceStudy, verdict};
use crate::{ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_statistics::clusters::{self, ClusterEstimate, Sums};

const HOW: &str = "dice of the player to move who has six dice or fewer, once for each turn of theirs (choices of a die that absorbs \
                   are no turns)";

/// Claim D3, by games: entries into the Chamber for each 5 and turn, less those for each 4 and turn.
pub(super) fn finding(study: &DiceStudy<'_>) -> Finding {
    let mut all = EntryTable::default();
    study.facts.iter().for_each(|facts| all.add(&facts.entries));
    let contrast = |count: fn(&EntryCounts) -> u32, number: u64| {
        let sums = study.by_block(|facts, sums: &mut [Sums; 2]| {
            for (sums, pips) in sums.iter_mut().zip([5, 4]) {
                let counts = facts.entries.of(pips);
                sums.total += f64::from(count(&counts));
                sums.count += f64::from(counts.dice);
            }
        });
        clusters::difference(&sums, study.level(), &mut study.rng(number))
    };
    let (entered, able) = (contrast(|counts| counts.entered, 7), contrast(|counts| counts.able, 8));
    let rate = |pips: usize, count: fn(&EntryCounts) -> u32| {
        let counts = all.of(pips);
        100.0 * f64::from(count(&counts)) / f64::from(counts.dice.max(1))
    };
    let points = |estimate: &ClusterEstimate| {
        let range = super::study::range(estimate.interval, 100.0, 2);
        format!("{:+.2}{range}", 100.0 * estimate.value)
    };
    let summary = match (entered, able) {
        (Some(entered), Some(able)) => format!(
            "Late in the game {:.2} % of the 5s whose owner was to move entered the Chamber with that move, and {:.2} % of the 4s: \
             a difference of {} percentage points. {:.1} % and {:.1} % could have, a difference of {}.",
            rate(5, |counts| counts.entered),
            rate(4, |counts| counts.entered),
            points(&entered),
            rate(5, |counts| counts.able),
            rate(4, |counts| counts.able),
            points(&able),
        ),
        _ => "No player came down to six dice with a 5 among them, or none with a 4.".to_owned(),
    };
    let test = format!(
        "share of 5s that enter the Chamber less that of 4s; {HOW}; more is more, for the claim names no size: above 0; {}",
        study.method("studentised bootstrap over blocks")
    );
    let effect = "Chamber entries for each 5 and turn late in the game, less those for each 4 and turn";
    let part = "Chamber entries late in the game";
    let verdict = verdict(entered, 0.0);
    let mut finding = study.finding(
        ClaimId::D3,
        part,
        verdict,
        summary,
        entered,
        effect,
        "dice and turns",
        test,
    );
    finding.evidence = json!({
        "late": LATE, "entries_by_speed": all,
        "able": able.map(|able| json!({ "difference": able.value, "error": able.error, "interval": able.interval })),
    });
    finding.exhibits.push(table(&all).into());
    finding
}

fn table(all: &EntryTable) -> Table {
    let row = |pips: usize| {
        let EntryCounts { dice, able, entered } = all.of(pips);
        let share = |count: u32| match dice {
            0 => "–".to_owned(),
            dice => format!("{:.2} %", 100.0 * f64::from(count) / f64::from(dice)),
        };
        vec![
            pips.to_string(),
            dice.to_string(),
            share(able),
            format!("{} ({entered})", share(entered)),
        ]
    };
    Table {
        title: "Entries into the Chamber late in the game".to_owned(),
        note: format!("Shares of {HOW}; in brackets the number of entries."),
        headings: ["speed", "dice and turns", "could enter", "entered"]
            .map(str::to_owned)
            .to_vec(),
        rows: (1..=6).map(row).collect(),
    }
}
