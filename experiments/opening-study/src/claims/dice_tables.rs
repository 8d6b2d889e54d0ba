//! Tables of what happens to dice in games, beside the findings about them.

use chase_engine::chase::{DICE, LOST};

use super::method::dice::{DiceMeasure, DiceStudy};
use crate::Finding;
use crate::evidence::dice::{EntryTable, MobilityCounts, MobilityTable};
use chase_report::exhibit::Table;
use chase_report::number::{self, NONE};
use chase_statistics::clusters::BlockSums;

/// A count, as a share of another.
fn share(count: u64, of: u64) -> String {
    match of {
        0 => NONE.to_owned(),
        of => number::percent(count as f64 / of as f64),
    }
}

impl DiceStudy<'_> {
    /// Adds the table that belongs to a measure, if there is one.
    pub(super) fn with_table(&self, finding: Finding, measure: DiceMeasure) -> Finding {
        match measure {
            DiceMeasure::EntryLost => self.with_entries(finding),
            DiceMeasure::SmallTakesLarge => finding.with_exhibit(self.captures()),
            DiceMeasure::LateAndStuck | DiceMeasure::LargeStuck => {
                finding.with_exhibit(self.mobility("Dice without a legal move", |counts| counts.stuck))
            }
            DiceMeasure::LateAndUnsafeApart => {
                finding.with_exhibit(self.mobility("Dice that are safe nowhere", |counts| counts.unsafe_everywhere))
            }
            DiceMeasure::Entered => self.with_late_entries(finding),
            _ => finding,
        }
    }

    /// C1: first entries into the Chamber.
    fn with_entries(&self, finding: Finding) -> Finding {
        let entries = || self.facts.iter().filter_map(|facts| facts.entry);
        let rows = [
            ("entered", entries().count()),
            (
                "a new die could be captured",
                entries().filter(|entry| entry.exposed).count(),
            ),
            ("a new die was captured", entries().filter(|entry| entry.lost).count()),
        ];
        let rows = rows.map(|(name, count)| {
            [
                name.to_owned(),
                count.to_string(),
                share(count as u64, entries().count() as u64),
            ]
        });
        let note = format!("In {} games, by replay.", self.facts.len());
        finding.with_table("First entries into the Chamber", note, ["", "games", "share"], rows)
    }

    /// C3: the number of captures, and the mean change of value, by speeds of the capturing and the captured die.
    fn captures(&self) -> Table {
        let mut table = [[(0, BlockSums::default()); 6]; 6];
        for capture in self.facts.iter().flat_map(|facts| &facts.captures) {
            let [taker, taken] = [capture.taker, capture.taken].map(|speed| usize::from(speed.pips()) - 1);
            let (count, sums) = &mut table[taker][taken];
            *count += 1;
            if let Some(change) = capture.change {
                sums.add(change);
            }
        }
        let cell = |(captures, sums): (u32, BlockSums)| match (captures, sums.count) {
            (0, _) => NONE.to_owned(),
            (_, 0.0) => format!("{captures}, not valued"),
            (_, count) => format!("{} ({captures})", number::difference(100.0 * sums.total / count, 1)),
        };
        by_speed(
            "What captures change",
            "Mean change of the capturer's expected score in percentage points, and the number of captures.",
            "captured by",
            (1..=6).map(|taker| (format!("speed {taker}"), table[taker - 1].map(cell))),
        )
    }

    /// C5 and C6: dice of players to move.
    fn mobility(&self, title: &str, count: fn(&MobilityCounts) -> u32) -> Table {
        let mut all = MobilityTable::default();
        self.facts.iter().for_each(|facts| all.add(&facts.mobility));
        let cell = |left: usize, pips: usize| {
            let counts = all.of(left, pips);
            match counts.dice {
                0 => NONE.to_owned(),
                dice => format!("{} of {dice}", share(count(&counts).into(), dice.into())),
            }
        };
        let rows = (LOST + 1..=DICE).rev();
        by_speed(
            title,
            "By speed, and by the number of dice that their owner has; dice of the player to move, in every tenth ply's position.",
            "dice left",
            rows.map(|left| (left.to_string(), [1, 2, 3, 4, 5, 6].map(|pips| cell(left, pips)))),
        )
    }

    /// D3: entries into the Chamber late in the game.
    fn with_late_entries(&self, finding: Finding) -> Finding {
        let mut all = EntryTable::default();
        self.facts.iter().for_each(|facts| all.add(&facts.entries));
        let rows = [1, 2, 3, 4, 5, 6].map(|pips: usize| {
            let counts = all.of(pips);
            let [able, entered] = [counts.able, counts.entered].map(|count| share(count.into(), counts.dice.into()));
            let entered = format!("{entered} ({})", counts.entered);
            [pips.to_string(), counts.dice.to_string(), able, entered]
        });
        let headings = ["speed", "dice and turns", "could enter", "entered"];
        let note = "Dice of players to move who have six dice or fewer, once for each turn; in brackets the number of entries.";
        finding.with_table("Entries into the Chamber late in the game", note, headings, rows)
    }
}

/// A table with a column for each speed.
fn by_speed(title: &str, note: &str, of: &str, rows: impl Iterator<Item = (String, [String; 6])>) -> Table {
    let speeds = (1..=6).map(|pips| format!("speed {pips}"));
    Table {
        title: title.to_owned(),
        note: note.to_owned(),
        headings: std::iter::once(of.to_owned()).chain(speeds).collect(),
        rows: rows
            .map(|(name, cells)| std::iter::once(name).chain(cells).collect())
            .collect(),
    }
}
