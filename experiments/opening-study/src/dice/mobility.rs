//! Dice that cannot move, or not safely, by speed and by the number of dice that their owner has left.

use chase_engine::chase::{Action, Bitboard, DICE, LOST, Position};
use serde::Serialize;
use serde_json::json;

use super::study::{DiceStudy, percent, points, verdict};
use super::turn::{can_capture, is_attacked, set_down};
use crate::{ClaimId, Finding};
use chase_report::exhibit::Table;
use chase_statistics::clusters::{self, ClusterEstimate, Sums};

/// Counts of dice of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MobilityCounts {
    /// Dice seen.
    pub dice: u32,
    /// Those without a legal move. Exchanges do not count as moves.
    pub stuck: u32,
    /// Those that can be captured at once wherever they move, and where they stand.
    pub unsafe_everywhere: u32,
}

/// Counts of the dice of players to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MobilityTable([[MobilityCounts; 6]; DICE + 1]);

impl MobilityTable {
    /// Counts the dice of the player to move, who has nothing to absorb.
    pub fn count(&mut self, position: &Position) {
        let own = position.dice(position.to_move());
        let mut moves = [0_u32; chase_engine::chase::CELLS];
        let mut has_safe_move = Bitboard::EMPTY;
        position.for_each_action(|action| {
            let Action::Move { from, .. } = action else { return };
            moves[from.index()] += 1;
            if !has_safe_move.contains(from) {
                let mut after = *position;
                after.play_unchecked(action);
                if !can_capture(&after, set_down(position, action, &after)) {
                    has_safe_move = has_safe_move.with(from);
                }
            }
        });
        for cell in own {
            let Some(die) = position.die(cell) else { continue };
            let stuck = moves[cell.index()] == 0;
            let nowhere_safe = !has_safe_move.contains(cell) && is_attacked(position, cell);
            self.add_die(own.count(), die.speed.pips().into(), stuck, nowhere_safe);
        }
    }

    /// Counts a die of a speed whose owner has so many dice.
    pub(super) fn add_die(&mut self, dice_left: usize, pips: usize, stuck: bool, nowhere_safe: bool) {
        let counts = &mut self.0[dice_left][pips - 1];
        counts.dice += 1;
        counts.stuck += u32::from(stuck);
        counts.unsafe_everywhere += u32::from(nowhere_safe);
    }

    /// Adds what another table counted.
    pub fn add(&mut self, other: &Self) {
        for (counts, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            counts.dice += other.dice;
            counts.stuck += other.stuck;
            counts.unsafe_everywhere += other.unsafe_everywhere;
        }
    }

    /// The counts of dice of a speed whose owner has so many dice.
    pub fn of(&self, dice_left: usize, pips: usize) -> MobilityCounts {
        self.0[dice_left][pips - 1]
    }

    /// The counts of all dice of these kinds together.
    pub fn total(&self, dice_left: impl IntoIterator<Item = usize>, pips: &[usize]) -> MobilityCounts {
        let mut total = MobilityCounts::default();
        for left in dice_left {
            for &pips in pips {
                let counts = self.of(left, pips);
                total.dice += counts.dice;
                total.stuck += counts.stuck;
                total.unsafe_everywhere += counts.unsafe_everywhere;
            }
        }
        total
    }
}

/// Speeds that count as large, and as small.
const LARGE: [usize; 2] = [5, 6];
const SMALL: [usize; 2] = [1, 2];
/// A player with at most so many dice is late in the game: two more than have lost.
pub(super) const LATE: usize = 6;
/// Share of dice from which on something happens often.
const OFTEN: f64 = 0.1;
/// Difference of shares that counts.
const MORE: f64 = 0.02;

const HOW: &str = "dice of the player to move, in every tenth ply's position; a die has no move if no direction is legal for it, exchanges aside";

/// Claims C5 and C6.
pub(super) fn findings(study: &DiceStudy<'_>) -> Vec<Finding> {
    let mut all = MobilityTable::default();
    study.facts.iter().for_each(|facts| all.add(&facts.mobility));
    let late = 0..=LATE;
    let share = |count: fn(&MobilityCounts) -> u32| {
        let sums = study.by_block(|facts, [sums]: &mut [Sums; 1]| {
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

    let sums = study.by_block(|facts, [large, small]: &mut [Sums; 2]| {
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
    vec![stuck, nowhere.as_context(), pinned]
}

fn add_share(sums: &mut Sums, counts: &MobilityCounts, count: fn(&MobilityCounts) -> u32) {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn count(position: &str) -> MobilityTable {
        let mut table = MobilityTable::default();
        table.count(&position.parse().unwrap());
        table
    }

    fn at(table: &MobilityTable, left: usize, pips: usize) -> [u32; 3] {
        let counts = table.of(left, pips);
        [counts.dice, counts.stuck, counts.unsafe_everywhere]
    }

    #[test]
    fn initially_only_the_row_itself_is_in_the_way() {
        let table = count("abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w");
        // Every die can go forward. Whether it is safe there is another question: the 4s and the 5 stay at home.
        assert_eq!([1, 2, 3, 4].map(|pips| at(&table, 9, pips)), [[2, 0, 0]; 4]);
        assert_eq!(at(&table, 9, 5), [1, 0, 0]);
    }

    #[test]
    fn a_die_with_neighbours_all_round_is_stuck_and_safe_nowhere() {
        // White's 6 on C5 has black dice on all six sides, two of them 1s that can take it. The 5s go about freely.
        let table = count("9/9/E2E2E2/9/9/4ff3/3aFa3/4ef3/D8 w");
        assert_eq!(at(&table, 5, 6), [1, 1, 1]);
        assert_eq!(at(&table, 5, 5)[..2], [3, 0]);
    }
}
