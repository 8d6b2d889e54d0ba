//! Facts of a game for statistics, found by replaying it.

use chase_engine::chase::{Action, CELLS, Cell, LOST, Position};
use chase_engine::{Outcome, Player};

use crate::evidence::score::score;
use chase_arena::games::{PlayedGame, Replayed};

/// Plies in which losses are counted: the effect of an opening has shown by then.
pub const EARLY_PLIES: usize = 20;
/// Plies of the lines by which repeated games are recognised.
pub const LINE_PLIES: usize = 8;

/// Facts of a game for statistics.
#[derive(Clone, Debug, PartialEq)]
pub struct GameFacts {
    /// Score of the first player: 0, 0.5 or 1; `None` for a truncated game.
    pub score: Option<f64>,
    /// The outcome.
    pub outcome: Outcome,
    /// Number of plies.
    pub plies: u32,
    /// The ply of the first capture, from 1.
    pub first_capture: Option<u32>,
    /// Dice that White and Black lost in the first [`EARLY_PLIES`] plies.
    pub early_losses: [u32; 2],
    /// Numbers of White's and of Black's plies, among the first [`EARLY_PLIES`], after which the player attacks a die
    /// of the other.
    pub early_threats: [u32; 2],
    /// The ply of the first move into the Chamber, from 1, and its player.
    pub first_chamber: Option<(u32, Player)>,
    /// For each capture of a single 5, in order, the number of dice that its owner promoted for it. Captures that end
    /// the game are left out, since nothing is absorbed then.
    pub fives: Vec<usize>,
    /// The first [`LINE_PLIES`] actions.
    pub line: Vec<String>,
}

/// A captured 5 whose pips are not yet absorbed.
#[derive(Debug)]
struct LostFive {
    owner: Player,
    /// Pips on each cell before the absorption.
    pips: [u8; CELLS],
}

impl LostFive {
    /// Number of promoted dice, once everything is absorbed.
    fn promoted(&self, ply: &Replayed<'_>) -> Option<usize> {
        let own = ply.after.dice(self.owner);
        (own.count() > LOST && ply.after.missing() == 0).then(|| {
            let risen = own
                .into_iter()
                .filter(|&cell| pips(ply.after.die(cell)) > self.pips[cell.index()]);
            risen.count()
        })
    }
}

fn pips(die: Option<chase_engine::chase::Die>) -> u8 {
    die.map_or(0, |die| die.speed.pips())
}

/// True if the player attacks a die of the other: one of the player's dice reaches it by exact count.
fn attacks(position: &Position, player: Player) -> bool {
    let [reached] = position.attacks(player);
    !(reached & position.dice(!player)).is_empty()
}

/// Observes a game ply by ply.
#[derive(Debug)]
pub(super) struct GameObserver {
    facts: GameFacts,
    waiting: Option<LostFive>,
}

impl GameObserver {
    /// An observer before the first ply of a game.
    pub fn new(game: &PlayedGame) -> Self {
        let facts = GameFacts {
            score: score(game.result.outcome),
            outcome: game.result.outcome,
            plies: game.result.plies,
            first_capture: None,
            early_losses: [0; 2],
            early_threats: [0; 2],
            first_chamber: None,
            fives: Vec::new(),
            line: game.result.actions.iter().take(LINE_PLIES).cloned().collect(),
        };
        Self { facts, waiting: None }
    }

    /// Observes the next ply.
    pub fn ply(&mut self, ply: &Replayed<'_>) {
        let number = ply.ply as u32 + 1;
        let facts = &mut self.facts;
        if ply.enters_chamber() {
            facts.first_chamber.get_or_insert((number, ply.player()));
        }
        // Who absorbs the points of a lost die attacks nothing by that: the player's move comes next, and counts.
        let absorbs = matches!(ply.action, Action::Absorb { .. });
        if ply.ply < EARLY_PLIES && !absorbs && attacks(ply.after, ply.player()) {
            facts.early_threats[ply.player() as usize] += 1;
        }
        let captured: Vec<u8> = ply.captured().collect();
        if !captured.is_empty() {
            facts.first_capture.get_or_insert(number);
            if ply.ply < EARLY_PLIES {
                facts.early_losses[!ply.player() as usize] += captured.len() as u32;
            }
            let before = |cell: Cell| pips(ply.before.die(cell));
            self.waiting = (captured == [5]).then(|| LostFive {
                owner: !ply.player(),
                pips: std::array::from_fn(|index| Cell::from_index(index).map_or(0, before)),
            });
        }
        if let Some(promoted) = self.waiting.as_ref().and_then(|five| five.promoted(ply)) {
            facts.fives.push(promoted);
            self.waiting = None;
        }
    }

    /// The facts.
    pub fn finish(self) -> GameFacts {
        self.facts
    }
}

impl GameFacts {
    /// Dice that both sides lost in the first [`EARLY_PLIES`] plies.
    pub fn early_captures(&self) -> u32 {
        self.early_losses.iter().sum()
    }

    /// True if the player is the first to enter the Chamber, within the first [`EARLY_PLIES`] plies.
    pub fn enters_early(&self, player: Player) -> bool {
        let early = |&(ply, first): &(u32, Player)| first == player && ply as usize <= EARLY_PLIES;
        self.first_chamber.as_ref().is_some_and(early)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_engine::{Chase, Game};

    use super::*;
    use chase_arena::games::ReplayError;
    use chase_arena::{Efforts, GameResult};

    fn facts(game: &PlayedGame) -> Result<GameFacts, ReplayError> {
        let mut observer = GameObserver::new(game);
        game.replay(&Rules::default(), |ply| observer.ply(&ply))?;
        Ok(observer.finish())
    }

    /// A game of these actions, cut off after the last one if it is not over.
    fn game(actions: &[&str]) -> PlayedGame {
        let mut game = Chase::new(&Rules::default());
        for action in actions {
            game.apply(game.parse_action(action).unwrap());
        }
        PlayedGame {
            series: "test".into(),
            number: 0,
            result: GameResult {
                outcome: game.outcome().unwrap_or(Outcome::Truncated),
                reason: game.end_reason().unwrap_or("ply limit").into(),
                plies: actions.len() as u32,
                opening_plies: 0,
                start: None,
                actions: actions.iter().map(ToString::to_string).collect(),
                effort: Efforts::default(),
            },
            values: vec![None; actions.len()],
        }
    }

    /// As a 5, the die on B2 reaches the one on E8, which has captured. But White has not moved yet.
    #[test]
    fn absorbing_points_is_no_attack() {
        let actions = ["A1NE", "1I3I2", "A6NE", "I6SE", "=B2"];
        let threats = |plies: usize| facts(&game(&actions[..plies])).unwrap().early_threats;
        assert_eq!(threats(5), threats(4));
    }

    #[test]
    fn a_short_game_is_counted_by_hand() {
        // White's 4 moves to E4, where Black's 4 captures it; White's 1s absorb the points.
        let played = game(&["A6NW", "I6SW", "=A1"]);
        let mut captured = Vec::new();
        played
            .replay(&Rules::default(), |ply| {
                captured.push(ply.captured().collect::<Vec<_>>())
            })
            .unwrap();
        let facts = facts(&played).unwrap();
        assert_eq!(captured, [vec![], vec![4], vec![]]);
        assert_eq!((facts.first_capture, facts.early_losses), (Some(2), [1, 0]));
        // The 4 on E4 attacks dice four rows away, and so does the one that captured it. White's 1s, which absorb the
        // pips, attack none.
        assert_eq!(facts.early_threats, [1, 1]);
        assert_eq!((facts.first_chamber, facts.score, facts.plies), (None, None, 3));
        assert_eq!(facts.line, ["A6NW", "I6SW", "=A1"]);
        assert!(facts.fives.is_empty());
    }

    #[test]
    fn a_game_that_is_not_one_is_refused() {
        let mut false_result = game(&["A3NE"]);
        false_result.result.outcome = Outcome::Draw;
        let told = facts(&false_result).unwrap_err().to_string();
        assert!(
            told.contains("recorded as `draw`, but it ends as `truncated`"),
            "{told}"
        );
        let mut illegal = game(&["A3NE"]);
        illegal.result.actions.push("A3NE".into());
        let told = facts(&illegal).unwrap_err().to_string();
        assert!(told.contains("1 values are recorded for 2 plies"), "{told}");
        illegal.values.push(None);
        let told = facts(&illegal).unwrap_err().to_string();
        assert!(told.starts_with("game 0 of test, ply 2: "), "{told}");
    }
}
