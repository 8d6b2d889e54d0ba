//! Replays stored games: parses their actions, compares everything else with them, and writes them for people.

use chase_engine::chase::{Action, Cell, Position, Rules, geometry};
use chase_engine::record::{Record, RecordError};
use chase_engine::{Chase, Game, Outcome, Playable, Player};

use super::stored::{FORFEIT, GameResult, PLY_LIMIT, PlayedGame};

/// A fault of a stored game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", action.as_ref().map_or(String::new(), |text| format!("ply {ply}, `{text}`: ")))]
pub struct GameFault {
    /// Number of the ply, from 1; one more than the number of plies if the fault is not in an action.
    pub ply: usize,
    /// The illegal action.
    pub action: Option<String>,
    /// The fault.
    pub reason: String,
}

/// A game of a study that is not legal under the rules.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number} of {series}, ply {ply}: {reason}")]
pub struct ReplayError {
    /// The series.
    pub series: String,
    /// Number of the game.
    pub number: u32,
    /// Number of the ply, from 1.
    pub ply: usize,
    /// The fault.
    pub reason: String,
}

/// A ply of a replayed game.
#[derive(Clone, Copy, Debug)]
pub struct Replayed<'a> {
    /// Index of the ply.
    pub ply: usize,
    /// The position before it.
    pub before: &'a Position,
    /// The action.
    pub action: Action,
    /// The position after it, including forced absorptions.
    pub after: &'a Position,
}

impl Replayed<'_> {
    /// The player who acted.
    pub fn player(&self) -> Player {
        self.before.to_move()
    }

    /// Speeds of the captured dice, in pips: one die, or two when leaving the Chamber.
    pub fn captured(&self) -> impl Iterator<Item = u8> {
        let enemy = !self.player();
        let taken = self.before.dice(enemy) & !self.after.dice(enemy);
        let dice = taken.into_iter().filter_map(|cell| self.before.die(cell));
        dice.map(|die| die.speed.pips())
    }

    /// True if a die entered the Chamber.
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

impl GameResult {
    /// The initial state of the game.
    ///
    /// # Errors
    /// If its first position is invalid.
    pub fn begin<G: Game>(&self, rules: &G::Rules) -> Result<G, GameFault> {
        match &self.start {
            None => Ok(G::new(rules)),
            Some(text) => G::from_position_text(text, rules).map_err(|error| GameFault {
                ply: 0,
                action: None,
                reason: format!("start: {error}"),
            }),
        }
    }

    /// Replays the first `plies` plies, and calls the visitor before each. Returns the game after them.
    ///
    /// # Errors
    /// If the first position is invalid, or an action is not legal in its position.
    pub fn replay_game<G: Game>(
        &self,
        rules: &G::Rules,
        plies: usize,
        mut visit: impl FnMut(&G, G::Action),
    ) -> Result<G, GameFault> {
        let mut game: G = self.begin(rules)?;
        for (ply, text) in self.actions.iter().take(plies).enumerate() {
            let action = game.parse_action(text).map_err(|error| GameFault {
                ply: ply + 1,
                action: Some(text.clone()),
                reason: error.to_string(),
            })?;
            visit(&game, action);
            game.apply(action);
        }
        Ok(game)
    }

    /// Like [`GameResult::replay_game`], for Chase.
    ///
    /// # Errors
    /// If an action is not legal in its position.
    pub fn replay_plies(
        &self,
        rules: &Rules,
        plies: usize,
        mut visit: impl FnMut(Replayed<'_>),
    ) -> Result<Chase, GameFault> {
        let mut ply = 0;
        self.replay_game(rules, plies, |game: &Chase, action| {
            let mut after = *game.position();
            after.play_unchecked(action);
            visit(Replayed {
                ply,
                before: game.position(),
                action,
                after: &after,
            });
            ply += 1;
        })
    }

    /// Replays a game of Chase, visits every ply, and compares the whole record with the moves.
    ///
    /// # Errors
    /// If an action is not legal in its position, or the record contradicts the moves.
    pub fn replay(&self, rules: &Rules, visit: impl FnMut(Replayed<'_>)) -> Result<(), GameFault> {
        let game = self.replay_plies(rules, usize::MAX, visit)?;
        self.compare(&game)
    }

    /// Replays the game, and compares the whole record with the moves.
    ///
    /// # Errors
    /// As [`GameResult::replay`].
    pub fn check<G: Game>(&self, rules: &G::Rules) -> Result<(), GameFault> {
        let game: G = self.replay_game(rules, usize::MAX, |_, _| ())?;
        self.compare(&game)
    }

    /// Compares the record with the game that its actions lead to.
    fn compare<G: Game>(&self, game: &G) -> Result<(), GameFault> {
        let plies = self.actions.len();
        let wrong = |reason| {
            Err(GameFault {
                ply: plies + 1,
                action: None,
                reason,
            })
        };
        let (outcome, reason) = match game.end() {
            Some(end) => end,
            None if self.reason.starts_with(FORFEIT) => (Outcome::Win(!game.to_move()), self.reason.as_str()),
            // By the rules, the game would continue.
            None => (Outcome::Truncated, PLY_LIMIT),
        };
        if self.outcome != outcome {
            let (recorded, found) = (self.outcome.name(), outcome.name());
            return wrong(format!("recorded as `{recorded}`, but it ends as `{found}`"));
        }
        if self.reason != reason {
            let recorded = &self.reason;
            return wrong(format!("recorded to end for `{recorded}`, but it ends for `{reason}`"));
        }
        if self.plies as usize != plies {
            return wrong(format!(
                "recorded with {} plies, but it has {plies} actions",
                self.plies
            ));
        }
        if self.opening_plies > self.plies {
            let opening = self.opening_plies;
            return wrong(format!(
                "recorded with an opening of {opening} plies, but it has {plies}"
            ));
        }
        let chosen = plies - self.opening_plies as usize;
        if let Some(length) = self.effort.lengths().find(|&length| length != chosen) {
            return wrong(format!(
                "recorded with the effort of {length} choices, but {chosen} plies were chosen"
            ));
        }
        Ok(())
    }
}

impl PlayedGame {
    /// Like [`GameResult::replay`]; each ply must also have a value, which may be `None`.
    ///
    /// # Errors
    /// If an action is not legal in its position, or the record contradicts the moves.
    pub fn replay(&self, rules: &Rules, visit: impl FnMut(Replayed<'_>)) -> Result<(), ReplayError> {
        let wrong = |ply, reason| ReplayError {
            series: self.series.clone(),
            number: self.number,
            ply,
            reason,
        };
        let (plies, values) = (self.result.actions.len(), self.values.len());
        if values != plies {
            return Err(wrong(
                plies + 1,
                format!("{values} values are recorded for {plies} plies"),
            ));
        }
        let replayed = self.result.replay(rules, visit);
        replayed.map_err(|GameFault { ply, reason, .. }| wrong(ply, reason))
    }
}

/// Tags of a record: names and values, such as `Round` and `3`.
pub type Tags<'a> = [(&'a str, &'a str)];

/// The comment behind the plies that no player chose.
pub const END_OF_OPENING: &str = "end of the opening";

/// A finished game as a record.
///
/// # Errors
/// The reason that the game cannot be played under these rules, or differs from its record.
pub fn record_of<G: Playable>(tags: &Tags<'_>, game: &GameResult, rules: &G::Rules) -> Result<String, String> {
    game.check::<G>(rules).map_err(|fault| fault.to_string())?;
    let start = game.begin(rules).map_err(|fault| fault.to_string())?;
    let mut record = Record::<G>::new(start, rules.clone());
    let refused = |error: RecordError| error.to_string();
    for &(name, value) in tags {
        record.set_tag(name, value).map_err(refused)?;
    }
    let replayed = game.replay_game(rules, usize::MAX, |_: &G, action| {
        record.push(action).expect("a legal action, as the game was read");
        if record.actions().len() == game.opening_plies as usize {
            record.comment(END_OF_OPENING);
        }
    });
    replayed.map_err(|fault| fault.to_string())?;
    if record.end().is_none() {
        record.declare(game.outcome, &game.reason).map_err(refused)?;
    }
    Ok(record.to_string())
}

/// Successive actions from a position, each in the words that `text` has for it where it is played, such as
/// [`Game::action_text`].
pub fn line_texts<G: Game>(
    start: &G,
    line: impl IntoIterator<Item = G::Action>,
    text: fn(&G, G::Action) -> String,
) -> Vec<String> {
    let mut game = start.clone();
    let texts = line.into_iter().map(|action| {
        let text = text(&game, action);
        game.apply(action);
        text
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::players::Efforts;

    /// Plays the first legal action repeatedly, to the end or up to `most` plies.
    fn game(rules: &Rules, most: usize) -> GameResult {
        let mut game = Chase::new(rules);
        let (mut actions, mut legal) = (Vec::new(), Vec::new());
        while game.outcome().is_none() && actions.len() < most {
            game.legal_actions(&mut legal);
            actions.push(game.action_text(legal[0]));
            game.apply(legal[0]);
        }
        GameResult {
            outcome: game.outcome().unwrap_or(Outcome::Truncated),
            reason: game.end_reason().unwrap_or(PLY_LIMIT).to_owned(),
            plies: actions.len() as u32,
            opening_plies: 2,
            start: None,
            actions,
            effort: Efforts::default(),
        }
    }

    #[test]
    fn what_a_record_says_is_compared_with_its_moves() {
        let rules = Rules {
            max_turns: std::num::NonZero::new(20),
            ..Rules::default()
        };
        let (whole, cut) = (game(&rules, usize::MAX), game(&rules, 7));
        let white = Outcome::Win(Player::White);
        // After seven plies Black is to move, and loses by a fault of its program.
        let forfeited = GameResult {
            outcome: white,
            reason: format!("{FORFEIT}it chose A1"),
            ..cut.clone()
        };
        for good in [&whole, &cut, &forfeited] {
            let mut plies = 0;
            good.replay(&rules, |_| plies += 1).unwrap();
            assert_eq!(plies, good.actions.len());
        }
        let fault = |game: &GameResult, change: &dyn Fn(&mut GameResult)| {
            let mut game = game.clone();
            change(&mut game);
            game.replay(&rules, |_| ()).unwrap_err().to_string()
        };
        let end = whole.outcome.name();
        for (found, expected) in [
            (
                fault(&whole, &|game| game.outcome = white),
                format!("recorded as `white`, but it ends as `{end}`"),
            ),
            (
                fault(&cut, &|game| game.outcome = white),
                "but it ends as `truncated`".to_owned(),
            ),
            (
                fault(&forfeited, &|game| game.outcome = Outcome::Win(Player::Black)),
                "recorded as `black`, but it ends as `white`".to_owned(),
            ),
            (
                fault(&whole, &|game| game.reason = PLY_LIMIT.into()),
                format!("recorded to end for `ply limit`, but it ends for `{}`", whole.reason),
            ),
            (
                fault(&cut, &|game| game.plies = 4_000_000_000),
                "recorded with 4000000000 plies, but it has 7 actions".to_owned(),
            ),
            (
                fault(&cut, &|game| game.opening_plies = 8),
                "recorded with an opening of 8 plies, but it has 7".to_owned(),
            ),
            (
                fault(&cut, &|game| game.actions[2] = "A3A4".into()),
                "ply 3, `A3A4`: ".to_owned(),
            ),
        ] {
            assert!(found.contains(&expected), "{found}\n{expected}");
        }
    }
}
