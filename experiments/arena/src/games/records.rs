//! Games as records for people.

use chase_engine::Playable;
use chase_engine::record::{Record, RecordError};

use super::stored::GameResult;

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
