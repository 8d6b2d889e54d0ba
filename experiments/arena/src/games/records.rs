//! Games as records for people. In memory they are [`PlainRecord`]s; those of Chase are written in the notation of the
//! article.

use chase_engine::chase::notation::{Record, Termination};
use chase_engine::{Chase, Outcome};

use super::plain_record::PlainRecord;
use super::stored::GameResult;
use crate::playable::Playable;

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
    let mut record = PlainRecord::<G>::new(start, rules.clone());
    for &(name, value) in tags {
        record.set_tag(name, value);
    }
    if game.opening_plies > 0 {
        record.comment(game.opening_plies as usize, END_OF_OPENING);
    }
    let replayed = game.replay_game(rules, usize::MAX, |_: &G, action| record.push(action));
    replayed.map_err(|fault| fault.to_string())?;
    if record.end().is_none() {
        record.declare(game.outcome, &game.reason);
    }
    G::record_text(&record)
}

/// A record of Chase as text.
pub(crate) fn article_text(record: &PlainRecord<Chase>) -> Result<String, String> {
    let mut article = Record::new(*record.start().position(), *record.rules());
    for (name, value) in record.tags() {
        article.set_tag(name, value).map_err(|error| error.to_string())?;
    }
    for (ply, &action) in (1..).zip(record.actions()) {
        let pushed = article.push(action, record.comment_at(ply));
        pushed.map_err(|error| error.to_string())?;
    }
    if let (Termination::Unterminated, Some((outcome, reason))) = (article.termination(), record.end()) {
        // Ends that the board does not show: a limit of plies, a forfeit, a resignation.
        let outcome = (outcome != Outcome::Truncated).then_some(outcome);
        let declared = article.declare(outcome, reason);
        declared.map_err(|error| error.to_string())?;
    }
    Ok(article.to_string())
}

/// Reads the text of a record of Chase.
pub(crate) fn read_article(text: &str) -> Result<PlainRecord<Chase>, String> {
    let article: Record = text.parse().map_err(|error| format!("{error}"))?;
    let rules = *article.rules();
    let mut record = PlainRecord::new(Chase::from_position(*article.start(), rules), rules);
    for (name, value) in article.tags() {
        record.set_tag(name, value);
    }
    for (number, ply) in (1..).zip(article.plies()) {
        record.push(ply.action);
        if !ply.comment.is_empty() {
            record.comment(number, &ply.comment);
        }
    }
    if let Termination::Declared { outcome, reason } = article.termination() {
        record.declare(outcome.unwrap_or(Outcome::Truncated), reason);
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn records_of_chase_are_read_and_written_whole() {
        for text in [
            "[White \"a\"]\n[Event \"b\"]\n[Result \"0-1\"]\n[Termination \"resignation\"]\n\
             [Rules \"repetition 3, quiet 100, length 400\"]\n\n1. A3D2 {well {played\\}} I3F2 0-1\n",
            "[Result \"*\"]\n[Termination \"adjourned\"]\n[Rules \"repetition off, quiet 2, length off\"]\n\n1. A3D2 *\n",
            "[Result \"*\"]\n[Termination \"unterminated\"]\n[Rules \"repetition 3, quiet 100, length 400\"]\n\
             [Position \"abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA b 0 7\"]\n\n7... I3F2 *\n",
        ] {
            let record = read_article(text).unwrap();
            assert_eq!(article_text(&record).unwrap(), text);
        }
    }
}
