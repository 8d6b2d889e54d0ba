//! Expectations of searches in finished games, compared with the results.

use chase_engine::chase::Action;
use chase_engine::{Outcome, Player};
use chase_statistics::clusters::BlockSums;

use super::score::score;
use chase_arena::games::Replayed;

/// Interval in plies at which the value of a search is kept.
pub const SNAPSHOT_PLIES: u32 = 10;

/// A phase of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GamePhase {
    /// Plies 1 to 20.
    Opening,
    /// Plies 21 to 60.
    Middle,
    /// All plies after that.
    Late,
}

impl GamePhase {
    /// All phases, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middle, Self::Late];

    /// The phase of a ply, counted from 1.
    pub const fn of(ply: u32) -> Self {
        match ply {
            0..=20 => Self::Opening,
            21..=60 => Self::Middle,
            _ => Self::Late,
        }
    }

    /// Description of the phase.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "plies 1 to 20",
            Self::Middle => "plies 21 to 60",
            Self::Late => "after ply 60",
        }
    }
}

/// Expectations of searches in a game, and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFacts {
    /// Index of the player.
    pub player: usize,
    /// Number of the block that the game belongs to.
    pub block: u64,
    /// True if no ply was forced.
    pub free: bool,
    /// White's score; `None` if the game was truncated.
    pub score: Option<f64>,
    /// Searches, one every [`SNAPSHOT_PLIES`] plies: the number of the ply that it chose, from 1, and White's expected
    /// score.
    pub snapshots: Vec<(u32, f64)>,
    /// Changes of the mover's value after quiet turns, by the phase of the turn.
    pub quiet: [QuietChanges; GamePhase::ALL.len()],
}

/// Changes of the mover's expected score: after its move minus before it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct QuietChanges {
    /// Until the mover's own next search.
    pub own: BlockSums,
    /// Until the next search of the game, which is nearly always the opponent's.
    pub next: BlockSums,
}

/// A quiet turn, waiting for the next search.
#[derive(Clone, Copy, Debug)]
struct Turn {
    player: Player,
    phase: GamePhase,
    /// White's expected score before it.
    before: f64,
}

impl Turn {
    /// Change of the mover's expected score, when White's is `after`.
    fn change(&self, after: f64) -> f64 {
        match self.player {
            Player::White => after - self.before,
            Player::Black => self.before - after,
        }
    }
}

/// Observes a game ply by ply.
#[derive(Debug)]
pub(crate) struct ValueObserver {
    facts: ValueFacts,
    /// The first ply at which the next value is kept, from 1.
    snapshot: u32,
    plies: u32,
    /// Quiet turns without a later search: of White and of Black (`own`), and the last one of both.
    own: [Option<Turn>; 2],
    last: Option<Turn>,
}

impl ValueObserver {
    /// An observer before the first ply of a game of a player against itself. Blocks of even number sample plies 10,
    /// 20, 30, …, the others 5, 15, 25, …, so that White and Black are sampled alike.
    pub fn new(player: usize, block: u64, free: bool) -> Self {
        Self {
            facts: ValueFacts {
                player,
                block,
                free,
                score: None,
                snapshots: Vec::new(),
                quiet: Default::default(),
            },
            snapshot: if block.is_multiple_of(2) {
                SNAPSHOT_PLIES
            } else {
                SNAPSHOT_PLIES / 2
            },
            plies: 0,
            own: [None; 2],
            last: None,
        }
    }

    /// Observes the next ply. `value` is White's expected score by the search that chose it, if there was one.
    pub fn ply(&mut self, ply: &Replayed<'_>, value: Option<f64>) {
        self.plies += 1;
        if self.plies == self.snapshot {
            self.snapshot += SNAPSHOT_PLIES;
            self.facts.snapshots.extend(value.map(|value| (self.plies, value)));
        }
        let Some(value) = value else { return };
        let side = ply.player() as usize;
        let own = self.own[side].take();
        self.count(own, self.last, value);
        let is_quiet = !matches!(ply.action, Action::Absorb { .. }) && ply.captured().next().is_none();
        self.last = is_quiet.then(|| Turn {
            player: ply.player(),
            phase: GamePhase::of(self.plies),
            before: value,
        });
        self.own[side] = self.last;
    }

    /// The facts of the finished game. Its result is the last value, so that turns without a later search count too.
    pub fn finish(mut self, outcome: Outcome) -> ValueFacts {
        self.facts.score = score(outcome);
        if let Some(result) = self.facts.score {
            let [white, black] = self.own;
            self.count(white, self.last, result);
            self.count(black, None, result);
        }
        self.facts
    }

    fn count(&mut self, own: Option<Turn>, last: Option<Turn>, value: f64) {
        if let Some(turn) = own {
            self.facts.quiet[turn.phase as usize].own.add(turn.change(value));
        }
        if let Some(turn) = last {
            self.facts.quiet[turn.phase as usize].next.add(turn.change(value));
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Position;

    use super::*;

    /// Observes actions from the initial position, with White's values before them.
    fn observe(block: u64, plies: &[(&str, Option<f64>)], outcome: Outcome) -> ValueFacts {
        let mut observer = ValueObserver::new(0, block, true);
        let mut position = Position::initial();
        for &(action, value) in plies {
            let action = action.parse().unwrap();
            let after = position.play(action).unwrap();
            let ply = Replayed {
                ply: 0,
                before: &position,
                action,
                after: &after,
            };
            observer.ply(&ply, value);
            position = after;
        }
        observer.finish(outcome)
    }

    fn mean(sums: BlockSums) -> (f64, f64) {
        (sums.count, (1e6 * sums.total / sums.count).round() / 1e6)
    }

    #[test]
    fn quiet_turns_are_valued_by_who_moved_at_its_next_search_or_by_the_result() {
        // White's 4 moves to E4, Black's captures it (not quiet), White absorbs (nor is this) and exchanges; Black
        // wins.
        let plies = [
            ("A4NE", Some(0.6)),
            ("I4SE", Some(0.3)),
            ("=A1", Some(0.1)),
            ("1A6A7", Some(0.2)),
        ];
        let facts = observe(2, &plies, Outcome::Win(Player::Black));
        let opening = facts.quiet[0];
        // White: 0.6 → 0.1 and 0.2 → 0 at its own searches; 0.6 → 0.3 and 0.2 → 0 at the next ones.
        assert_eq!(mean(opening.own), (2.0, -0.35));
        assert_eq!(mean(opening.next), (2.0, -0.25));
        // Forced plies have no search; a truncated game has no result.
        let forced = [("1A6A7", None), ("1I6I7", Some(0.4)), ("1A4A3", Some(0.7))];
        let facts = observe(2, &forced, Outcome::Truncated);
        assert_eq!((facts.score, facts.quiet[0].own.count), (None, 0.0));
        // Black's turn, by White's search: Black expects 0.3 less.
        assert_eq!(mean(facts.quiet[0].next), (1.0, -0.3));
        // Turns of both players are pending at the end, and each counts once.
        let both = observe(2, &forced, Outcome::Win(Player::White));
        assert_eq!(mean(both.quiet[0].own), (2.0, (0.3 - 0.6) / 2.0));
        assert_eq!(both.quiet[0].next.count, 2.0);
    }

    #[test]
    fn values_are_kept_every_tenth_ply_of_white_and_of_black() {
        let round = ["A1NE", "I1SE", "B2SW", "H2NW"];
        let plies: Vec<_> = round
            .into_iter()
            .cycle()
            .zip(1..=64)
            .map(|(action, ply)| (action, Some(f64::from(ply) / 100.0)))
            .collect();
        let kept = |block| observe(block, &plies, Outcome::Draw).snapshots;
        assert_eq!(
            kept(0).iter().map(|kept| kept.0).collect::<Vec<_>>(),
            [10, 20, 30, 40, 50, 60]
        );
        assert_eq!(kept(1)[..2], [(5, 0.05), (15, 0.15)]);
        let facts = observe(0, &plies, Outcome::Draw);
        assert_eq!(facts.quiet.map(|changes| changes.own.count), [20.0, 40.0, 4.0]);
        assert_eq!(GamePhase::ALL.map(|phase| phase as usize), [0, 1, 2]);
    }
}
