//! Frequency of entries into the Chamber late in the game, by speed of the die.

use chase_engine::chase::{Action, Bitboard};
use serde::Serialize;

use chase_arena::games::Replayed;

/// It is late in the game for a player with at most this many dice: two more than a lost player has.
pub(crate) const LATE: usize = 6;

/// Counts of dice of one speed, each die once for every turn of its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EntryCounts {
    /// Dice whose owner was to move.
    pub dice: u32,
    /// Dice that could enter the Chamber in this turn.
    pub able: u32,
    /// Dice that did.
    pub entered: u32,
}

/// Counts by speed, for players to move who have at most `LATE` dice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EntryTable([EntryCounts; 6]);

impl EntryTable {
    /// Counts a ply, other than an absorption, if it is late for the player who acts.
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

    /// Adds the counts of another table.
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

    /// Adds a die of a speed that entered or not, for tests of the statistics.
    #[cfg(test)]
    pub(crate) fn add_die(&mut self, pips: usize, entered: bool) {
        self.0[pips - 1].dice += 1;
        self.0[pips - 1].entered += u32::from(entered);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Position;

    use super::*;

    /// Counts of an action from a position, by speed: dice, those that could enter, and those that did.
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
        // White's 5 on E1 enters around the cylinder, the 4 on A7 heading north-west; no other die can.
        let six_dice = "abcdedcba/9/9/9/E8/9/9/9/FF4DCA w";
        let [one, three] = [[1, 0, 0]; 2];
        for (action, four, five) in [("A7NW", 1, 0), ("E1W", 0, 1), ("A9NE", 0, 0)] {
            let expected = [one, [0, 0, 0], three, [1, 1, four], [1, 1, five], [2, 0, 0]];
            assert_eq!(count(six_dice, action), expected, "{action}");
        }
        // With seven dice it is not late yet: nothing is counted.
        assert_eq!(count("abcdedcba/9/9/9/E8/9/9/9/FEA3DCA w", "A7NW"), [[0; 3]; 6]);
    }
}
