//! Dice without moves, or without safe ones, by speed and by the number of dice that their owner has left.

use chase_engine::chase::{Action, Bitboard, DICE, Position};
use serde::Serialize;

use super::turn::{can_capture, is_attacked, set_down};

/// Counts of dice of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MobilityCounts {
    /// Dice counted.
    pub dice: u32,
    /// Dice without a legal move. Exchanges do not count as moves.
    pub stuck: u32,
    /// Dice that can be captured at once where they are.
    pub attacked: u32,
    /// Dice that can be captured at once wherever they move, and where they are now.
    pub unsafe_everywhere: u32,
}

impl std::ops::AddAssign for MobilityCounts {
    fn add_assign(&mut self, other: Self) {
        self.dice += other.dice;
        self.stuck += other.stuck;
        self.attacked += other.attacked;
        self.unsafe_everywhere += other.unsafe_everywhere;
    }
}

/// Counts of the dice of the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MobilityTable([[MobilityCounts; 6]; DICE + 1]);

impl MobilityTable {
    /// Counts the dice of the player to move, who must have nothing to absorb.
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
            let attacked = is_attacked(position, cell);
            let nowhere_safe = attacked && !has_safe_move.contains(cell);
            let one = MobilityCounts {
                dice: 1,
                stuck: stuck.into(),
                attacked: attacked.into(),
                unsafe_everywhere: nowhere_safe.into(),
            };
            self.add_dice(own.count(), die.speed.pips().into(), one);
        }
    }

    /// Counts dice of a speed whose owner has `dice_left` dice.
    pub(crate) fn add_dice(&mut self, dice_left: usize, pips: usize, counts: MobilityCounts) {
        self.0[dice_left][pips - 1] += counts;
    }

    /// The counts of dice of a speed whose owner has `dice_left` dice.
    pub fn of(&self, dice_left: usize, pips: usize) -> MobilityCounts {
        self.0[dice_left][pips - 1]
    }

    /// Total counts over these numbers of dice left and speeds.
    pub fn total(&self, dice_left: impl IntoIterator<Item = usize>, pips: &[usize]) -> MobilityCounts {
        let mut total = MobilityCounts::default();
        for left in dice_left {
            for &pips in pips {
                total += self.of(left, pips);
            }
        }
        total
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
        // Every die can move forward. Safety is another matter: the 4s and the 5 are safe at home.
        assert_eq!([1, 2, 3, 4].map(|pips| at(&table, 9, pips)), [[2, 0, 0]; 4]);
        assert_eq!(at(&table, 9, 5), [1, 0, 0]);
    }

    #[test]
    fn a_die_with_neighbours_all_round_is_stuck_and_safe_nowhere() {
        // White's 6 on C5 has black dice on all six sides, two of them 1s that can capture it. The 5s move freely.
        let table = count("9/9/E2E2E2/9/9/4ff3/3aFa3/4ef3/D8 w");
        assert_eq!(at(&table, 5, 6), [1, 1, 1]);
        assert_eq!(at(&table, 5, 5)[..2], [3, 0]);
    }
}
