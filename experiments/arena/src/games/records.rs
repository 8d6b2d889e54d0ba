//! Games as records for people.

use chase_engine::chase::notation::Record;
use chase_engine::chase::{Position, Rules};
use chase_engine::{Game, Outcome};

use super::plain_record::PlainRecord;
use super::stored::GameResult;

/// Tags of a record: names and values, such as `Round` and `3`.
pub type Tags<'a> = [(&'a str, &'a str)];

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

/// The record of any game, a [`PlainRecord`].
///
/// # Errors
/// As [`chase_record`].
pub(crate) fn plain_record<G: Game>(tags: &Tags<'_>, game: &GameResult, rules: &G::Rules) -> Result<String, String> {
    game.check::<G>(rules).map_err(|fault| fault.to_string())?;
    let start = game.begin(rules).map_err(|fault| fault.to_string())?;
    let mut record = PlainRecord::<G>::new(start, rules.clone());
    for &(name, value) in tags {
        record.set_tag(name, value);
    }
    record.set_opening(game.opening_plies as usize);
    let replayed = game.replay_game(rules, usize::MAX, |_: &G, action| record.push(action));
    replayed.map_err(|fault| fault.to_string())?;
    if record.end().is_none() {
        record.declare(game.outcome, &game.reason);
    }
    Ok(record.to_string())
}
