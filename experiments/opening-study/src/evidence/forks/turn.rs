//! Turns of finished games that could become forks: one for each game and kind, drawn while the game is replayed. A
//! second draw, among games, selects the forks.

use chase_engine::chase::{Action, Position};
use chase_engine::seed;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::kind::{ForkKind, kinds_of};
use chase_arena::games::Replayed;

/// The drawn turns of a finished game, and the game up to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct GameTurns {
    /// Index of the player.
    pub player: usize,
    /// Id of its series.
    pub series: String,
    /// Its number in the series, which is its block.
    pub block: u32,
    /// Its number among all games of the study.
    pub game: u64,
    /// All its actions.
    pub actions: Vec<Action>,
    /// The drawn turn for each kind of [`ForkKind::ALL`]; `None` if the game has none.
    pub drawn: [Option<DrawnTurn>; ForkKind::ALL.len()],
}

/// A turn drawn uniformly from those of one kind in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnTurn {
    /// Plies before it.
    pub ply: usize,
    /// Random number for the game and the kind; games with the smallest ones become forks first.
    pub rank: u64,
}

/// A turn of a finished game that becomes a fork.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForkTurn {
    /// The kind of the fork.
    pub kind: ForkKind,
    /// Index of the player.
    pub player: usize,
    /// Id of the game's series.
    pub series: String,
    /// Number of the game in its series, which is its block.
    pub block: u32,
    /// Number of the game among all of the study.
    pub game: u64,
    /// The actions before the turn, and the one that was played there, in exact form.
    pub line: Vec<String>,
}

impl ForkTurn {
    /// The ply of the turn in its game, from 1.
    pub const fn ply(&self) -> usize {
        self.line.len()
    }

    /// The actions of [`ForkTurn::line`]; `None` if one cannot be parsed.
    pub(super) fn actions(&self) -> Option<Vec<Action>> {
        self.line.iter().map(|text| text.parse().ok()).collect()
    }
}

/// A reservoir of one: the turns of one kind seen so far, of which one is kept.
#[derive(Debug)]
struct Reservoir {
    rng: Xoshiro256PlusPlus,
    seen: u64,
    kept: Option<usize>,
}

/// Observes a game ply by ply.
#[derive(Debug)]
pub(crate) struct TurnObserver {
    entered: bool,
    reservoirs: [Reservoir; ForkKind::ALL.len()],
    actions: Vec<Action>,
}

impl TurnObserver {
    /// An observer before the first ply of the game with this number among all games of the study.
    pub fn new(seed: u64, game: u64) -> Self {
        Self {
            entered: false,
            reservoirs: std::array::from_fn(|kind| Reservoir {
                rng: seed::named("fork turn", &[seed, game, kind as u64]),
                seen: 0,
                kept: None,
            }),
            actions: Vec::new(),
        }
    }

    /// Observes the next ply.
    pub fn ply(&mut self, ply: &Replayed<'_>) {
        self.look(ply.before);
        self.entered |= ply.enters_chamber();
        self.actions.push(ply.action);
    }

    fn look(&mut self, position: &Position) {
        // The choice of an absorbing die is not a turn.
        if position.missing() > 0 {
            return;
        }
        let kinds = kinds_of(position, self.entered);
        for (reservoir, _) in self.reservoirs.iter_mut().zip(kinds).filter(|(_, fits)| *fits) {
            reservoir.seen += 1;
            // Each of n turns is kept with probability 1/n.
            if reservoir.rng.random_range(0..reservoir.seen) == 0 {
                reservoir.kept = Some(self.actions.len());
            }
        }
    }

    /// The turns drawn, for a game of this player, series and block, with this number among all games.
    pub fn finish(self, player: usize, series: String, block: u32, game: u64) -> GameTurns {
        let drawn = self.reservoirs.map(|mut reservoir| {
            let rank = reservoir.rng.next_u64();
            reservoir.kept.map(|ply| DrawnTurn { ply, rank })
        });
        GameTurns {
            player,
            series,
            block,
            game,
            actions: self.actions,
            drawn,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    /// Observes the actions from the initial position as the game with this number.
    fn observe(game: u64, actions: &[&str]) -> GameTurns {
        let mut observer = TurnObserver::new(1, game);
        let mut position = Position::initial();
        for (ply, action) in actions.iter().enumerate() {
            let action = action.parse().unwrap();
            let after = position.play(action).unwrap();
            observer.ply(&Replayed {
                ply,
                before: &position,
                action,
                after: &after,
            });
            position = after;
        }
        observer.finish(0, "0/free".into(), 0, game)
    }

    fn plies(kind: ForkKind, actions: &[&str], games: u64) -> Vec<usize> {
        let drawn = (0..games).filter_map(|game| observe(game, actions).drawn[kind as usize]);
        let mut counts = vec![0; actions.len()];
        drawn.for_each(|turn| counts[turn.ply] += 1);
        counts
    }

    #[test]
    fn every_turn_of_a_kind_is_drawn_as_often_as_any_other() {
        // The choice of an absorbing die, at ply 2, is not a turn.
        let actions = ["A4NE", "I4SE", "=A1", "1A6A7", "I1SE"];
        let counts = plies(ForkKind::Quiet, &actions, 2000);
        assert_eq!((counts[2], counts.iter().sum::<usize>()), (0, 2000));
        for (ply, &count) in counts.iter().enumerate().filter(|&(ply, _)| ply != 2) {
            assert!(count.abs_diff(500) < 80, "{ply}: {count}");
        }
        // The 4 can be captured at one turn only, by a 4: no capture of either kind.
        assert_eq!(plies(ForkKind::SmallTakesLarge, &actions, 10), [0; 5]);
    }

    #[test]
    fn entries_are_first_until_somebody_has_entered() {
        // After the exchanges the 4s on A7 and I3 can enter at every turn; White's does at ply 4.
        let actions = ["1A6A7", "1I4I3", "A1NE", "I1SE", "A7NW", "H2NW"];
        let open = |kind| -> Vec<usize> {
            let counts = plies(kind, &actions, 300);
            (0..counts.len()).filter(|&ply| counts[ply] > 0).collect()
        };
        assert_eq!(open(ForkKind::FirstEntry), [2, 3, 4]);
        assert_eq!(open(ForkKind::GainingEntry), [2, 3, 4, 5]);
    }
}
