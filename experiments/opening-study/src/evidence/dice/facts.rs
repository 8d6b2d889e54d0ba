//! Events of a finished game that concern the Chamber and dice.

use chase_engine::chase::{Action, Bitboard, Position, geometry};
use chase_engine::{Outcome, Player};

use super::mobility_table::MobilityTable;
use super::turn::{captured, set_down};
use crate::evidence::score::score;
use chase_arena::games::Replayed;

/// Interval in plies at which positions are sampled.
pub const SNAPSHOT_PLIES: u32 = 10;

/// Facts of a game about dice.
#[derive(Clone, Debug, PartialEq)]
pub struct DiceFacts {
    /// Index of the player.
    pub player: usize,
    /// Number of the block that the game belongs to.
    pub block: u64,
    /// White's score; `None` if the game was truncated.
    pub score: Option<f64>,
    /// The first move through the Chamber.
    pub entry: Option<ChamberEntry>,
    /// Ordinary moves before the entry (neither captures nor exchanges); those of the whole game if there is none.
    pub ordinary_moves: u32,
    /// Ordinary moves whose die was captured in the next turn.
    pub ordinary_lost: u32,
    /// Dice without moves, every [`SNAPSHOT_PLIES`] plies, except where a player has to absorb.
    pub mobility: MobilityTable,
}

/// The first move of a game through the Chamber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChamberEntry {
    /// The player who entered.
    pub player: Player,
    /// True if the opponent captured one of the new dice in the next turn.
    pub lost: bool,
}

/// A player's pairs of adjacent dice that both have speed 3 or 4.
pub(crate) fn clumped_pairs(position: &Position, player: Player) -> i32 {
    let is_middle = |cell: &_| position.die(*cell).is_some_and(|die| matches!(die.speed.pips(), 3 | 4));
    let middle: Bitboard = position.dice(player).into_iter().filter(is_middle).collect();
    // Every pair is counted from both ends.
    let ends = middle
        .into_iter()
        .map(|cell| (geometry::neighbours(cell) & middle).count());
    (ends.sum::<usize>() / 2) as i32
}

/// Dice that were just set down, watched until the opponent has answered.
#[derive(Debug)]
struct Watch {
    cells: Bitboard,
    entry: bool,
    ordinary: bool,
}

/// Observes a game ply by ply.
#[derive(Debug)]
pub(crate) struct DiceObserver {
    facts: DiceFacts,
    plies: u32,
    watch: Option<Watch>,
}

impl DiceObserver {
    /// An observer before the first ply of a game of a player against itself.
    pub fn new(player: usize, block: u64) -> Self {
        Self {
            facts: DiceFacts {
                player,
                block,
                score: None,
                entry: None,
                ordinary_moves: 0,
                ordinary_lost: 0,
                mobility: MobilityTable::default(),
            },
            plies: 0,
            watch: None,
        }
    }

    /// Observes the next ply.
    pub fn ply(&mut self, ply: &Replayed<'_>) {
        if self.plies > 0 && self.plies.is_multiple_of(SNAPSHOT_PLIES) && ply.before.missing() == 0 {
            self.facts.mobility.count(ply.before);
        }
        self.plies += 1;
        if matches!(ply.action, Action::Absorb { .. }) {
            return;
        }
        let captured = captured(ply.before, ply.after);
        self.answer(captured);
        self.watch_over(ply, captured);
    }

    /// The facts of the finished game.
    pub fn finish(self, outcome: Outcome) -> DiceFacts {
        DiceFacts {
            score: score(outcome),
            ..self.facts
        }
    }

    /// Ends a turn: checks if it captured dice that the previous one set down.
    fn answer(&mut self, captured: Bitboard) {
        let Some(watch) = self.watch.take() else { return };
        let lost = watch.cells.intersects(captured);
        if let (true, Some(entry)) = (watch.entry, &mut self.facts.entry) {
            entry.lost = lost;
        } else if watch.ordinary {
            self.facts.ordinary_lost += u32::from(lost);
        }
    }

    fn watch_over(&mut self, ply: &Replayed<'_>, captured: Bitboard) {
        if self.facts.entry.is_some() {
            return;
        }
        let cells = set_down(ply.before, ply.action, ply.after);
        let entry = ply.enters_chamber();
        let ordinary = !entry && !cells.is_empty() && captured.is_empty();
        self.facts.ordinary_moves += u32::from(ordinary);
        if entry {
            let player = ply.player();
            self.facts.entry = Some(ChamberEntry { player, lost: false });
        }
        self.watch = Some(Watch { cells, entry, ordinary });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Observes actions from a position.
    fn observe<'a>(start: &str, actions: impl IntoIterator<Item = &'a str>, outcome: Outcome) -> DiceFacts {
        let mut observer = DiceObserver::new(0, 3);
        let mut position: Position = start.parse().unwrap();
        for action in actions {
            let action = action.parse().unwrap();
            let after = position.play(action).unwrap();
            observer.ply(&Replayed {
                ply: 0,
                before: &position,
                action,
                after: &after,
            });
            position = after;
        }
        observer.finish(outcome)
    }

    const INITIAL: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";

    #[test]
    fn a_die_that_is_taken_at_once_is_counted() {
        // The 4 on A4 moves to E6, where the 4 of I4 captures it; White then chooses between the 1s to absorb with.
        let facts = observe(INITIAL, ["A4NE", "I4SE", "=A1", "1A6A7"], Outcome::Truncated);
        assert_eq!((facts.block, facts.score, facts.entry), (3, None, None));
        assert_eq!((facts.ordinary_moves, facts.ordinary_lost), (1, 1));
    }

    #[test]
    fn the_first_entry_is_followed_into_the_next_turn() {
        // The 4 on A7 enters heading north-west and comes out as 2s on D5 and E6; the 4 on I4 reaches E6.
        let start = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w";
        let entry = |lost| ChamberEntry {
            player: Player::White,
            lost,
        };
        let white_wins = Outcome::Win(Player::White);
        let taken = observe(start, ["A7NW", "I4SE"], white_wins);
        assert_eq!(
            (taken.entry, taken.ordinary_moves, taken.score),
            (Some(entry(true)), 0, Some(1.0))
        );
        // Later events, or events elsewhere, do not count; nor do moves after the entry.
        let spared = observe(start, ["A7NW", "1I6I7", "1A3A4", "I4SE"], white_wins);
        assert_eq!((spared.entry, spared.ordinary_moves), (Some(entry(false)), 0));
    }

    #[test]
    fn positions_are_looked_at_every_so_many_plies() {
        // Two dice move back and forth; draw conventions are ignored here.
        let round = ["A1NE", "I1SE", "B2SW", "H2NW"];
        let facts = observe(INITIAL, round.into_iter().cycle().take(41), Outcome::Draw);
        // At plies 20 and 40 all dice are back home; at 10 and 30 each side has moved a 1 out.
        assert_eq!(facts.mobility.total(0..=10, &[1, 2, 3, 4, 5, 6]).dice, 36);
        assert_eq!(
            (facts.score, facts.ordinary_moves, facts.ordinary_lost),
            (Some(0.5), 41, 0)
        );
    }

    #[test]
    fn pairs_of_dice_are_counted_once_each() {
        // Of the nine adjacent pairs around the cylinder 3–4 and 4–3 are clumped.
        assert_eq!(
            Player::BOTH.map(|player| clumped_pairs(&Position::initial(), player)),
            [2, 2]
        );
    }
}
