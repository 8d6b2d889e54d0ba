//! Records of Chase from and to those of any game.

use super::{Record as Article, Termination};
use crate::record::Record;
use crate::{Chase, Outcome};

/// A record of Chase as text.
pub(in crate::games::chase) fn write_article(record: &Record<Chase>) -> Result<String, String> {
    let mut article = Article::new(*record.start().position(), *record.rules());
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

/// Reads the records of a text, or a list of turns without tags.
pub(in crate::games::chase) fn read_articles(text: &str) -> Result<Vec<Record<Chase>>, String> {
    if !text.trim_start_matches('\u{feff}').trim_start().starts_with('[') {
        // No form of turns has lower-case letters, so they may be typed.
        let article = Article::from_turns(&text.to_ascii_uppercase());
        return article
            .map(|article| vec![record_of(&article)])
            .map_err(|error| error.to_string());
    }
    let articles = Article::read_all(text);
    articles
        .map(|article| {
            article
                .map(|article| record_of(&article))
                .map_err(|error| error.to_string())
        })
        .collect()
}

fn record_of(article: &Article) -> Record<Chase> {
    let rules = *article.rules();
    let mut record = Record::new(Chase::from_position(*article.start(), rules), rules);
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
    record
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
            let records = read_articles(text).unwrap();
            assert_eq!(records.len(), 1);
            assert_eq!(write_article(&records[0]).unwrap(), text);
        }
    }
}
