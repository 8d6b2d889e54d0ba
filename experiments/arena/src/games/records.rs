//! Games as records for people.

use std::fmt::Write as _;

use chase_engine::chase::notation::Record;
use chase_engine::chase::{Position, Rules};
use chase_engine::{Game, Outcome, Player};

use super::stored::GameResult;

/// Tags of a record: names and values, such as `Round` and `3`.
pub type Tags<'a> = [(&'a str, &'a str)];
/// Width of a line of actions, in columns.
const WIDTH: usize = 80;

/// The record of a game of Chase from the initial position.
///
/// # Errors
/// The reason that the game cannot be played under these rules, or differs from its record.
pub(crate) fn chase_record(tags: &Tags<'_>, game: &GameResult, rules: &Rules) -> Result<String, String> {
    let mut record = Record::new(Position::initial(), *rules);
    for &(name, value) in tags {
        record.set_tag(name, value).map_err(|error| error.to_string())?;
    }
    let mut pushed = Ok(());
    let replayed = game.replay(rules, |ply| {
        // The players begin where the opening ends.
        let ends_opening = ply.ply + 1 == game.opening_plies as usize;
        let comment = if ends_opening { "end of the opening" } else { "" };
        if pushed.is_ok() {
            pushed = record.push(ply.action, comment);
        }
    });
    replayed.map_err(|fault| fault.to_string())?;
    pushed.map_err(|error| error.to_string())?;
    if record.termination().outcome().is_none() {
        // Ends that the board does not show: a limit of plies, a forfeit.
        let outcome = match game.outcome {
            Outcome::Truncated => None,
            outcome => Some(outcome),
        };
        record
            .declare(outcome, &game.reason)
            .map_err(|error| error.to_string())?;
    }
    Ok(record.to_string())
}

/// The record of any game: tags, then the numbered turns of both players, with all plies of a turn in order, and
/// comments in `{…}`.
///
/// # Errors
/// As [`chase_record`].
pub(crate) fn plain_record<G: Game>(tags: &Tags<'_>, game: &GameResult, rules: &G::Rules) -> Result<String, String> {
    game.check::<G>(rules).map_err(|fault| fault.to_string())?;
    let mut turns = Turns::new();
    let mut ply = 0;
    let replayed = game.replay_game(rules, usize::MAX, |before: &G, action| {
        ply += 1;
        turns.push(before.to_move(), &before.action_text(action));
        if ply == game.opening_plies {
            turns.comment("end of the opening");
        }
    });
    replayed.map_err(|fault| fault.to_string())?;
    let result = G::outcome_name(game.outcome);
    let mut own = vec![("Game", G::name(rules).to_owned())];
    own.extend(tags.iter().map(|&(name, value)| match name {
        "White" => (capital(G::PLAYERS[Player::White]), value.to_owned()),
        "Black" => (capital(G::PLAYERS[Player::Black]), value.to_owned()),
        name => (name, value.to_owned()),
    }));
    let rules = G::rules_text(rules);
    if !rules.is_empty() {
        own.push(("Rules", rules));
    }
    own.extend(game.start.clone().map(|start| ("Start", start)));
    own.push(("Result", result.to_owned()));
    own.push(("Termination", game.reason.clone()));
    Ok(written(&own, turns))
}

/// Writes the record as text.
fn written(tags: &[(&str, String)], turns: Turns) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    let mut column = 0;
    for word in turns.words {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text += &word;
        column += length;
    }
    text.push('\n');
    text
}

/// The tag of a player: the name, capitalised.
const fn capital(name: &'static str) -> &'static str {
    match name.as_bytes() {
        b"white" => "White",
        b"black" => "Black",
        b"dark" => "Dark",
        b"light" => "Light",
        b"first" => "First",
        b"second" => "Second",
        _ => name,
    }
}

/// Turns as words, with their numbers.
struct Turns {
    words: Vec<String>,
    number: u32,
    last: Option<Player>,
}

impl Turns {
    const fn new() -> Self {
        Self {
            words: Vec::new(),
            number: 0,
            last: None,
        }
    }

    fn push(&mut self, player: Player, action: &str) {
        if self.last != Some(player) {
            if player == Player::White {
                self.number += 1;
                self.words.push(format!("{}.", self.number));
            } else if self.last.is_none() {
                self.number += 1;
                self.words.push(format!("{}...", self.number));
            }
        }
        self.last = Some(player);
        self.words.push(action.to_owned());
    }

    fn comment(&mut self, text: &str) {
        self.words.push(format!("{{{text}}}"));
    }
}
