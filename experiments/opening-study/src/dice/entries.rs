//! Claim D3, the part that games decide: how often dice enter the Chamber late in the game, by speed.

use chase_engine::chase::{Action, Bitboard};
use serde::Serialize;
use serde_json::json;

use super::mobility::LATE;
use super::study::{DiceStudy, verdict};
use crate::{ClaimId, Finding};
use chase_arena::games::Replayed;
use chase_report::exhibit::Table;
use chase_statistics::clusters::{self, ClusterEstimate, Sums};

/// Counts of dice of one speed, each once for every turn of its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EntryCounts {
    /// Dice whose owner was to move.
    pub dice: u32,
    /// Those that could enter the Chamber with this move.
    pub able: u32,
    /// Those that did.
    pub entered: u32,
}

/// Counts by speed of the dice of players to move who have at most `LATE` dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EntryTable([EntryCounts; 6]);

impl EntryTable {
    /// Counts a ply that is no absorption, if it is late for who acts.
    pub fn count(&mut self, ply: &Replayed<'_>) {
        let position = ply.before;
        let own = position.dice(ply.player());
        if own.count() > LATE {
            return;
        }
        let mut able = Bitboard::EMPTY;
        position.for_each_action(|action| {
            if let (Action::Move { from, .. }, true) = (action, (Replayed { action, ..*ply }).enters_chamber()) {
                able = able.with(from);
            }
        });
        let entered = match ply.action {
            Action::Move { from, .. } if ply.enters_chamber() => Some(from),
            _ => None,
        };
        for cell in own {
            let Some(die) = position.die(cell) else { continue };
            let counts = &mut self.0[usize::from(die.speed.pips()) - 1];
            counts.dice += 1;
            counts.able += u32::from(able.contains(cell));
            counts.entered += u32::from(entered == Some(cell));
        }
    }

    /// Adds what another table counted.
    pub fn add(&mut self, other: &Self) {
        for (counts, other) in self.0.iter_mut().zip(&other.0) {
            counts.dice += other.dice;
            counts.able += other.able;
            counts.entered += other.entered;
        }
    }

    /// The counts of dice of a speed.
    pub fn of(&self, pips: usize) -> EntryCounts {
        self.0[pips - 1]
    }

    /// Dice of a speed that went in each turn: for tests of the statistics.
    #[cfg(test)]
    pub(super) fn add_die(&mut self, pips: usize, entered: bool) {
        self.0[pips - 1].dice += 1;
        self.0[pips - 1].entered += u32::from(entered);
    }
}

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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Position;

    use super::*;

    /// What is counted of an action from a position, by speed: dice, those that could enter, and those that did.
    fn count(position: &str, action: &str) -> Vec<[u32; 3]> {
        let before: Position = position.parse().unwrap();
        let action = action.parse().unwrap();
        let after = before.play(action).unwrap();
        let mut table = EntryTable::default();
        table.count(&Replayed {
            ply: 0,
            before: &before,
            action,
            after: &after,
        });
        (1..=6)
            .map(|pips| table.of(pips))
            .map(|counts| [counts.dice, counts.able, counts.entered])
            .collect()
    }

    #[test]
    fn entries_are_counted_for_those_who_have_few_dice() {
        // White's 5 on E1 enters round the cylinder, the 4 on A7 heading north-west; nobody else can.
        let six_dice = "abcdedcba/9/9/9/E8/9/9/9/FF4DCA w";
        let [one, three] = [[1, 0, 0]; 2];
        for (action, four, five) in [("A7NW", 1, 0), ("E1W", 0, 1), ("A9NE", 0, 0)] {
            let expected = [one, [0, 0, 0], three, [1, 1, four], [1, 1, five], [2, 0, 0]];
            assert_eq!(count(six_dice, action), expected, "{action}");
        }
        // Of seven dice none is counted yet.
        assert_eq!(count("abcdedcba/9/9/9/E8/9/9/9/FEA3DCA w", "A7NW"), [[0; 3]; 6]);
    }
}
