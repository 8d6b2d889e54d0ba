//! Events of a finished game that concern the Chamber and dice.

use chase_engine::chase::{Action, Bitboard, Position, Speed, geometry};
use chase_engine::{Outcome, Player};

use super::entry_table::EntryTable;
use super::mobility_table::MobilityTable;
use super::turn::{can_capture, captured, set_down};
use crate::evidence::score::score;
use chase_arena::games::Replayed;

/// Plies at which the players' numbers of dice are compared.
pub const LEAD_PLIES: [u32; 3] = [20, 40, 60];
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
    /// White's dice minus Black's after the plies in [`LEAD_PLIES`]; `None` if the game had ended.
    pub leads: [Option<i32>; LEAD_PLIES.len()],
    /// Turns that captured one die, in order.
    pub captures: Vec<Capture>,
    /// Positions of the game, one every [`SNAPSHOT_PLIES`] plies, except those where a player has to absorb.
    pub shapes: Vec<Formations>,
    /// Dice without moves in these positions.
    pub mobility: MobilityTable,
    /// Entries into the Chamber late in the game, in all positions.
    pub entries: EntryTable,
}

/// The first move of a game through the Chamber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChamberEntry {
    /// The player who entered.
    pub player: Player,
    /// Speed of the die that entered.
    pub speed: Speed,
    /// True if the opponent could capture one of the new dice in the next turn.
    pub exposed: bool,
    /// True if the opponent did.
    pub lost: bool,
}

/// A turn that captured one die.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capture {
    /// The player who captured.
    pub player: Player,
    /// Speed of the die that captured.
    pub taker: Speed,
    /// Speed of the die that was captured.
    pub taken: Speed,
    /// Expected score of the capturing player after the capture minus before it; `None` where either is unknown.
    pub change: Option<f64>,
}

/// The formations of dice in a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formations {
    /// White's formation minus Black's.
    pub difference: Formation,
    /// The player to move.
    pub to_move: Player,
    /// Expected score of White; `None` where it is unknown.
    pub score: Option<f64>,
}

/// Counts of one player's dice, or differences of such counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Formation {
    /// Dice.
    pub dice: i32,
    /// Dice of speed 3 or 4.
    pub middle: i32,
    /// Pairs of adjacent dice.
    pub adjacent: i32,
    /// Pairs of adjacent dice that both have speed 3 or 4.
    pub clumped: i32,
}

impl Formation {
    /// The formation of a player.
    pub fn of(position: &Position, player: Player) -> Self {
        let dice = position.dice(player);
        let is_middle = |cell| position.die(cell).is_some_and(|die| matches!(die.speed.pips(), 3 | 4));
        let middle: Bitboard = dice.into_iter().filter(|&cell| is_middle(cell)).collect();
        // Every pair is counted from both ends.
        let pairs = |set: Bitboard| {
            let ends = set.into_iter().map(|cell| (geometry::neighbours(cell) & set).count());
            (ends.sum::<usize>() / 2) as i32
        };
        Self {
            dice: dice.count() as i32,
            middle: middle.count() as i32,
            adjacent: pairs(dice),
            clumped: pairs(middle),
        }
    }

    /// White's formation minus Black's.
    pub fn difference(position: &Position) -> Self {
        let [white, black] = Player::BOTH.map(|player| Self::of(position, player));
        Self {
            dice: white.dice - black.dice,
            middle: white.middle - black.middle,
            adjacent: white.adjacent - black.adjacent,
            clumped: white.clumped - black.clumped,
        }
    }
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
    /// White's expected score before each ply.
    values: Vec<Option<f64>>,
    /// The ply after each capture, and after each sampled shape.
    captured_at: Vec<usize>,
    shaped_at: Vec<usize>,
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
                leads: [None; LEAD_PLIES.len()],
                captures: Vec::new(),
                shapes: Vec::new(),
                mobility: MobilityTable::default(),
                entries: EntryTable::default(),
            },
            plies: 0,
            watch: None,
            values: Vec::new(),
            captured_at: Vec::new(),
            shaped_at: Vec::new(),
        }
    }

    /// Observes the next ply. `value` is White's expected score before it, if known.
    pub fn ply(&mut self, ply: &Replayed<'_>, value: Option<f64>) {
        self.look(ply.before);
        self.values.push(value);
        self.plies += 1;
        if matches!(ply.action, Action::Absorb { .. }) {
            return;
        }
        self.facts.entries.count(ply);
        let captured = captured(ply.before, ply.after);
        self.answer(captured);
        self.watch_over(ply, captured);
        self.count_capture(ply.before, captured, ply.after);
    }

    /// The facts of the finished game.
    pub fn finish(self, outcome: Outcome) -> DiceFacts {
        let Self {
            mut facts, mut values, ..
        } = self;
        facts.score = score(outcome);
        values.push(facts.score);
        for (capture, &ply) in facts.captures.iter_mut().zip(&self.captured_at) {
            let sign = if capture.player == Player::White { 1.0 } else { -1.0 };
            let (before, after) = (values[ply - 1], values[ply]);
            capture.change = before.zip(after).map(|(before, after)| sign * (after - before));
        }
        for (shape, &ply) in facts.shapes.iter_mut().zip(&self.shaped_at) {
            shape.score = values[ply];
        }
        facts
    }

    /// Samples a position of the unfinished game.
    fn look(&mut self, position: &Position) {
        let difference = Formation::difference(position);
        if let Some(index) = LEAD_PLIES.iter().position(|&ply| ply == self.plies) {
            self.facts.leads[index] = Some(difference.dice);
        }
        if self.plies > 0 && self.plies.is_multiple_of(SNAPSHOT_PLIES) && position.missing() == 0 {
            self.facts.mobility.count(position);
            self.facts.shapes.push(Formations {
                difference,
                to_move: position.to_move(),
                score: None,
            });
            self.shaped_at.push(self.plies as usize);
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
        if let (true, Action::Move { from, .. }) = (entry, ply.action) {
            self.facts.entry = ply.before.die(from).map(|die| ChamberEntry {
                player: die.player,
                speed: die.speed,
                exposed: can_capture(ply.after, cells),
                lost: false,
            });
        }
        self.watch = Some(Watch { cells, entry, ordinary });
    }

    fn count_capture(&mut self, before: &Position, captured: Bitboard, after: &Position) {
        let mut cells = captured.into_iter();
        let (Some(cell), None) = (cells.next(), cells.next()) else {
            return;
        };
        if let (Some(taken), Some(taker)) = (before.die(cell), after.die(cell)) {
            self.facts.captures.push(Capture {
                player: taker.player,
                taker: taker.speed,
                taken: taken.speed,
                change: None,
            });
            self.captured_at.push(self.plies as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Observes actions from a position, with the given values before them.
    fn observe(start: &str, plies: &[(&str, f64)], outcome: Outcome) -> DiceFacts {
        let mut observer = DiceObserver::new(0, 3);
        let mut position: Position = start.parse().unwrap();
        for &(action, value) in plies {
            let action = action.parse().unwrap();
            let after = position.play(action).unwrap();
            let ply = Replayed {
                ply: 0,
                before: &position,
                action,
                after: &after,
            };
            observer.ply(&ply, Some(value));
            position = after;
        }
        observer.finish(outcome)
    }

    const INITIAL: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";

    #[test]
    fn a_die_that_is_taken_at_once_is_counted_and_valued() {
        // The 4 on A4 moves to E6, where the 4 of I4 captures it; White then chooses between the 1s to absorb with.
        let facts = observe(
            INITIAL,
            &[("A4NE", 0.6), ("I4SE", 0.3), ("=A1", 0.1), ("1A6A7", 0.2)],
            Outcome::Truncated,
        );
        assert_eq!((facts.block, facts.score, facts.entry), (3, None, None));
        assert_eq!((facts.ordinary_moves, facts.ordinary_lost), (1, 1));
        let [capture] = facts.captures[..] else {
            panic!("{:?}", facts.captures)
        };
        assert_eq!(capture.player, Player::Black);
        assert_eq!((capture.taker, capture.taken), (Speed::FOUR, Speed::FOUR));
        // White's expected score falls from 0.3 to 0.1: Black gains 0.2.
        assert!((capture.change.unwrap() - 0.2).abs() < 1e-12);
    }

    #[test]
    fn the_first_entry_is_followed_into_the_next_turn() {
        // The 4 on A7 enters heading north-west and comes out as 2s on D5 and E6; the 4 on I4 reaches E6.
        let start = "abcdedcba/9/9/9/9/9/9/9/ABCDECDBA w";
        let entry = |lost| ChamberEntry {
            player: Player::White,
            speed: Speed::FOUR,
            exposed: true,
            lost,
        };
        let white_wins = Outcome::Win(Player::White);
        let taken = observe(start, &[("A7NW", 0.5), ("I4SE", 0.5)], white_wins);
        assert_eq!(
            (taken.entry, taken.ordinary_moves, taken.score),
            (Some(entry(true)), 0, Some(1.0))
        );
        // Later events, or events elsewhere, do not count; nor do moves after the entry.
        let later = [("A7NW", 0.5), ("1I6I7", 0.5), ("1A3A4", 0.5), ("I4SE", 0.5)];
        let spared = observe(start, &later, white_wins);
        assert_eq!((spared.entry, spared.ordinary_moves), (Some(entry(false)), 0));
        assert_eq!(spared.captures.len(), 1);
    }

    #[test]
    fn positions_are_looked_at_every_so_many_plies() {
        // Two dice move back and forth; draw conventions are ignored here.
        let round = ["A1NE", "I1SE", "B2SW", "H2NW"];
        let plies: Vec<_> = round
            .into_iter()
            .cycle()
            .zip(0..41)
            .map(|(action, ply)| (action, f64::from(ply)))
            .collect();
        let facts = observe(INITIAL, &plies, Outcome::Draw);
        assert_eq!(facts.leads, [Some(0), Some(0), None]);
        let scores: Vec<_> = facts.shapes.iter().map(|shape| shape.score.unwrap()).collect();
        assert_eq!(scores, [10.0, 20.0, 30.0, 40.0]);
        // At plies 20 and 40 all dice are back home; at 10 and 30 each side has moved a 1 out.
        assert_eq!(facts.mobility.total(0..=10, &[1, 2, 3, 4, 5, 6]).dice, 36);
        assert_eq!(
            (facts.score, facts.ordinary_moves, facts.ordinary_lost),
            (Some(0.5), 41, 0)
        );
    }

    #[test]
    fn pairs_of_dice_are_counted_once_each() {
        // Initially nine dice in a row around the cylinder: nine adjacent pairs, of which 3–4 and 4–3 are clumped.
        let initial = Formation::of(&Position::initial(), Player::White);
        let expected = Formation {
            dice: 9,
            middle: 4,
            adjacent: 9,
            clumped: 2,
        };
        assert_eq!(initial, expected);
        assert_eq!(Formation::difference(&Position::initial()), Formation::default());
    }
}
