//! Games of a tournament as records that people read.

use chase_engine::Outcome;
use chase_engine::chase::notation::Record;
use chase_engine::chase::{Position, Rules};

use super::stored::GameResult;

/// The record of a game from the initial position.
///
/// # Errors
/// With the reason, if the game cannot be played under these rules, or is recorded otherwise than it was played.
pub(crate) fn record(
    [white, black]: [&str; 2],
    round: u32,
    game: &GameResult,
    rules: &Rules,
) -> Result<Record, String> {
    let mut record = Record::new(Position::initial(), *rules);
    for (name, value) in [
        ("Round", (round + 1).to_string().as_str()),
        ("White", white),
        ("Black", black),
    ] {
        record.set_tag(name, value).map_err(|error| error.to_string())?;
    }
    let mut pushed = Ok(());
    let replayed = game.replay(rules, |ply| {
        // Where the opening ends is where the players begin.
        let ends_opening = ply.ply + 1 == game.opening_plies as usize;
        let comment = if ends_opening { "end of the opening" } else { "" };
        if pushed.is_ok() {
            pushed = record.push(ply.action, comment);
        }
    });
    replayed.map_err(|fault| fault.to_string())?;
    pushed.map_err(|error| error.to_string())?;
    if record.termination().outcome().is_none() {
        // Ends that are not on the board: a limit of plies, a forfeit.
        let outcome = match game.outcome {
            Outcome::Truncated => None,
            outcome => Some(outcome),
        };
        record
            .declare(outcome, &game.reason)
            .map_err(|error| error.to_string())?;
    }
    Ok(record)
}
