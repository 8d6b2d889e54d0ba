//! Finished games as they are stored, and what happened in them.

use chase_engine::chase::{Action, Cell, Position, Rules, geometry};
use chase_engine::{Chase, Game, Outcome, Player};
use serde::{Deserialize, Serialize};

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameResult {
    /// `white`, `black`, `draw` or `truncated`.
    #[serde(with = "outcome_text")]
    pub outcome: Outcome,
    /// Why the game ended, in the words of [`Game::end_reason`], or `ply limit`, or `forfeit: ` and what the loser did.
    pub reason: String,
    /// Plies played, those of the opening included.
    pub plies: u32,
    /// The plies of the opening.
    pub opening_plies: u32,
    /// All actions in the form that [`Game::parse_action`] reads.
    pub actions: Vec<String>,
}

/// A finished game of a study, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The series that it belongs to, by its id.
    pub series: String,
    /// Its number in the series, from 0: games of one number share their chance and are a block.
    pub number: u32,
    /// The game. Its opening are the forced plies.
    pub result: GameResult,
    /// Expected score of the first player (White) before each ply, from 0 to 1, by the search that chose it; `None` for
    /// forced plies, and where there was nothing to search.
    pub values: Vec<Option<f64>>,
}

/// A game that is not what the rules allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number} of {series}, ply {ply}: {reason}")]
pub struct ReplayError {
    /// The series.
    pub series: String,
    /// Number of the game.
    pub number: u32,
    /// Number of the ply, from 1.
    pub ply: usize,
    /// What is wrong.
    pub reason: String,
}

/// A ply of a game that is replayed.
#[derive(Clone, Copy, Debug)]
pub struct Replayed<'a> {
    /// From 0.
    pub ply: usize,
    /// The position before.
    pub before: &'a Position,
    /// What was played.
    pub action: Action,
    /// The position after. What the rules force to be absorbed is absorbed.
    pub after: &'a Position,
}

impl Replayed<'_> {
    /// Who acted.
    pub fn player(&self) -> Player {
        self.before.to_move()
    }

    /// Speeds of the dice that were captured, in pips: one, or two out of the Chamber.
    pub fn captured(&self) -> impl Iterator<Item = u8> {
        let enemy = !self.player();
        let taken = self.before.dice(enemy) & !self.after.dice(enemy);
        let dice = taken.into_iter().filter_map(|cell| self.before.die(cell));
        dice.map(|die| die.speed.pips())
    }

    /// Whether a die went into the Chamber.
    pub fn enters_chamber(&self) -> bool {
        let Action::Move { from, direction } = self.action else {
            return false;
        };
        let path = |speed| geometry::path(from, direction, speed);
        self.before
            .die(from)
            .is_some_and(|die| path(die.speed).target == Cell::CHAMBER)
    }
}

impl PlayedGame {
    /// Plays the game again, and shows every ply.
    ///
    /// # Errors
    /// If an action is not legal where it stands, or the game does not end as it is recorded.
    pub fn replay(&self, rules: &Rules, mut visit: impl FnMut(Replayed<'_>)) -> Result<(), ReplayError> {
        let wrong = |ply: usize, reason: String| ReplayError {
            series: self.series.clone(),
            number: self.number,
            ply: ply + 1,
            reason,
        };
        let (plies, values) = (self.result.actions.len(), self.values.len());
        if values != plies {
            return Err(wrong(plies, format!("{values} values are recorded for {plies} plies")));
        }
        let mut game = Chase::new(rules);
        for (ply, text) in self.result.actions.iter().enumerate() {
            let action = game.parse_action(text).map_err(|error| wrong(ply, error.to_string()))?;
            let before = *game.position();
            game.apply(action);
            visit(Replayed {
                ply,
                before: &before,
                action,
                after: game.position(),
            });
        }
        let (recorded, found) = (self.result.outcome, game.outcome());
        // A game that the limit of plies stopped goes on by the rules.
        let expected = found.unwrap_or(Outcome::Truncated);
        if recorded != expected {
            let reason = format!(
                "recorded as `{}`, but it ends as `{}`",
                recorded.name(),
                expected.name()
            );
            return Err(wrong(plies, reason));
        }
        Ok(())
    }
}

/// [`Outcome`] as the word that [`Outcome::name`] has for it.
mod outcome_text {
    use chase_engine::{Outcome, Player};
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    const ALL: [Outcome; 4] = [
        Outcome::Win(Player::White),
        Outcome::Win(Player::Black),
        Outcome::Draw,
        Outcome::Truncated,
    ];

    pub fn serialize<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(outcome.name())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Outcome, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = ALL.into_iter().find(|outcome| outcome.name() == text);
        found.ok_or_else(|| D::Error::unknown_variant(&text, &["white", "black", "draw", "truncated"]))
    }
}
