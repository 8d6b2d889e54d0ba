//! Games as a page describes them, replayed.

use chase_engine::{Game, GameName, Playable, Player};
use chase_statistics::generator;
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::Refusal;
use super::view::ply_text;
use crate::of_chase::as_chase;

/// More plies than the conventions allow a game to have, including choices of absorbing dice.
const MAX_PLIES: usize = 2000;

/// A game as the page describes it: its initial position, and its actions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// The game's name; Chase if missing.
    name: Option<String>,
    /// A position as text; the initial one if missing.
    start: Option<String>,
    /// Seed of the initial position, if the game begins at random and there is no `start`: as `chase play --seed` has
    /// it.
    seed: Option<u32>,
    /// Draw and length conventions in the form of records; the standard ones if missing.
    rules: Option<String>,
    /// Actions; in Chase in exact or article form.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Number of plies to replay; all of them if missing.
    pub at: Option<usize>,
}

/// A replayed game.
#[derive(Debug)]
pub struct Replay<G: Game> {
    pub name: GameName,
    pub seed: Option<u32>,
    pub rules: G::Rules,
    pub start: G,
    pub plies: Vec<Ply<G::Action>>,
    /// Number of plies before [`Replay::game`].
    pub at: usize,
    /// The game after the requested number of plies.
    pub game: G,
    /// The game before the last of these plies.
    pub before: Option<G>,
}

/// One ply of a game.
#[derive(Clone, Debug)]
pub struct Ply<A> {
    pub action: A,
    /// As pages show it.
    pub view: Value,
}

/// The end of a game that is over. The result is `white`, `black`, `draw` or `truncated`; White is the first player of
/// any game.
pub fn end_view(game: &impl Game) -> Option<Value> {
    let (outcome, reason) = game.end()?;
    Some(json!({"result": outcome.name(), "reason": reason}))
}

/// The actions that a text names from here: one, unless a text may contain the turn of several.
fn read_actions<G: Game>(game: &G, text: &str) -> Result<Vec<G::Action>, String> {
    // Keyboards of phones begin with a capital letter.
    let read = game.parse_people(text);
    let read = read.or_else(|error| game.parse_people(&text.to_ascii_lowercase()).map_err(|_| error));
    read.map_err(|error| error.message.into_owned())
}

/// Replays the game of a request, and does something with it, whichever game it is.
macro_rules! with_replay {
    ($request:expr, $replay:ident => $body:expr) => {{
        let name = $request.name()?;
        chase_engine::with_game!(name, G => {
            let $replay = $request.replay::<G>(name)?;
            $body
        })
    }};
}
pub(super) use with_replay;

/// The game with a name from a request; Chase without one.
pub fn game_name(name: Option<&str>) -> Result<GameName, Refusal> {
    name.map_or(Ok(GameName::Chase), |name| name.parse().map_err(Refusal::bad))
}

impl GameRequest {
    /// A game from its usual beginning.
    #[cfg(test)]
    pub fn of(game: GameName, moves: &[String]) -> Self {
        Self {
            name: Some(game.name().to_owned()),
            moves: moves.to_vec(),
            ..Self::default()
        }
    }

    /// Begins the game elsewhere.
    pub fn begin_with(&mut self, start: String, rules: Option<String>) {
        self.start = Some(start);
        self.rules = rules;
    }

    /// The game's name.
    pub fn name(&self) -> Result<GameName, Refusal> {
        game_name(self.name.as_deref())
    }

    fn begin<G: Playable>(&self, name: GameName, rules: &G::Rules) -> Result<G, Refusal> {
        match (&self.start, self.seed) {
            (Some(text), _) => G::from_position_text(text.trim(), rules)
                .map_err(|error| Refusal::bad(format!("start, as a position of {name}: {error}"))),
            (None, Some(number)) => Ok(G::start(rules, &mut generator(number.into(), &[0]))),
            (None, None) => Ok(G::new(rules)),
        }
    }

    /// Replays the game, of which `G` is the type.
    pub fn replay<G: Playable>(&self, name: GameName) -> Result<Replay<G>, Refusal> {
        let standard = name.rules::<G>();
        let rules = match &self.rules {
            None => standard,
            Some(text) => G::rules_from_text(text, &standard).map_err(Refusal::bad)?,
        };
        let start: G = self.begin(name, &rules)?;
        let (mut last, mut game, mut before) = (start.clone(), start.clone(), None);
        let mut plies: Vec<Ply<G::Action>> = Vec::new();
        let mut turns = Turns::default();
        let at = self.at.unwrap_or(usize::MAX);
        for (index, text) in self.moves.iter().enumerate() {
            let wrong = |reason: &str| Refusal::bad(format!("move {}, {text:?}: {reason}", index + 1));
            // The text of an action that is not legal any more need not be understood.
            let goes_on = |game: &G| match game.end_reason() {
                Some(reason) => Err(wrong(&format!("the game has ended ({reason})"))),
                None => Ok(()),
            };
            goes_on(&last)?;
            for action in read_actions(&last, text.trim()).map_err(|reason| wrong(&reason))? {
                goes_on(&last)?;
                if plies.len() == MAX_PLIES {
                    return Err(Refusal::bad(format!("expected at most {MAX_PLIES} plies")));
                }
                let turn = turns.of(last.to_move());
                plies.push(Ply {
                    action,
                    view: json!({
                        // Exact form.
                        "action": last.action_text(action),
                        // The form for people; in Chase that of the article, with the dice that absorb without a
                        // choice.
                        "text": ply_text(&last, action),
                        "player": last.to_move().name(),
                        "turn": as_chase(&last).map_or(turn, |game| game.position().turn()),
                    }),
                });
                last.apply(action);
                if plies.len() <= at {
                    std::mem::swap(before.get_or_insert_with(|| start.clone()), &mut game);
                    game.clone_from(&last);
                }
            }
        }
        let at = at.min(plies.len());
        let seed = self
            .seed
            .filter(|_| self.start.is_none() && G::begins_at_random(&rules));
        Ok(Replay {
            name,
            seed,
            rules,
            start,
            plies,
            at,
            game,
            before,
        })
    }
}

/// Numbers turns: a new one begins when the first player is to move again.
#[derive(Debug, Default)]
struct Turns {
    number: u32,
    last: Option<Player>,
}

impl Turns {
    fn of(&mut self, player: Player) -> u32 {
        let begins = player == Player::White && self.last != Some(Player::White);
        self.number += u32::from(begins || self.last.is_none());
        self.last = Some(player);
        self.number
    }
}

impl<G: Game> Replay<G> {
    /// The actions that lead to [`Replay::game`].
    pub fn played(&self) -> Vec<G::Action> {
        self.plies.iter().take(self.at).map(|ply| ply.action).collect()
    }

    /// The last of the plies that lead to [`Replay::game`], and the game before it.
    pub fn last(&self) -> Option<(&G, G::Action)> {
        let ply = self.plies.get(self.at.checked_sub(1)?)?;
        Some((self.before.as_ref()?, ply.action))
    }

    /// The number of the turn to come.
    pub fn turn_to_come(&self) -> u32 {
        let mut turns = Turns::default();
        let mut game = self.start.clone();
        for action in self.played() {
            turns.of(game.to_move());
            game.apply(action);
        }
        turns.of(game.to_move())
    }

    /// The plies from a number on, each with the game before it.
    pub fn plies_from(&self, number: usize) -> Vec<(G, G::Action)> {
        let mut game = self.start.clone();
        let mut plies = Vec::new();
        for (index, ply) in self.plies.iter().enumerate() {
            if index >= number {
                plies.push((game.clone(), ply.action));
            }
            game.apply(ply.action);
        }
        plies
    }
}
