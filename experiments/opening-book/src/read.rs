//! Reads books that were written, by this version or an earlier one.

use std::path::Path;

use chase_engine::Player;
use chase_training::store::files;
use serde::Deserialize;

use crate::book::{Book, SCHEMA_VERSION};
use crate::error::{BookError, damaged};
use crate::position::BookMove;
use crate::score_range::Range;

/// The part that is read first: the rest of a newer layout need not be understood.
#[derive(Deserialize)]
struct Layout {
    schema: u32,
}

impl Book {
    /// Reads a `book.json`, which may come from an untrusted source. Fields that are not known are left out.
    ///
    /// # Errors
    /// If the file cannot be read or has more than 64 MiB, was written by a newer version of the program, or is no
    /// book.
    pub fn read(file: &Path) -> Result<Self, BookError> {
        Self::from_json(file, &files::read_document(file)?)
    }

    /// The book that a file holds.
    pub(crate) fn from_json(file: &Path, text: &[u8]) -> Result<Self, BookError> {
        let Layout { schema } = serde_json::from_slice(text).map_err(|error| damaged(file, &error))?;
        if schema > SCHEMA_VERSION {
            return Err(BookError::Newer {
                path: file.into(),
                found: schema,
                known: SCHEMA_VERSION,
            });
        }
        let book: Self = serde_json::from_slice(text).map_err(|error| damaged(file, &error))?;
        for place in 0..book.positions.len() {
            if let Some(reason) = book.fault(place) {
                return Err(damaged(file, &format!("position {place}: {reason}")));
            }
        }
        Ok(book)
    }

    /// The reason why a position cannot be part of a book.
    fn fault(&self, place: usize) -> Option<String> {
        let position = &self.positions[place];
        if !Player::BOTH.iter().any(|player| player.name() == position.player) {
            return Some(format!("the player is {:?}, expected white or black", position.player));
        }
        if outside(position.backed) {
            return Some("expected scores from 0 to 1".to_owned());
        }
        let judges = self.provenance.players.judges.len();
        let challengers = self.provenance.players.challengers.len();
        position.moves.iter().find_map(|step| {
            // Lines end, since each move leads further down the list.
            let leads_on = |to: usize| to > place && to < self.positions.len();
            let reason = match step {
                BookMove { to: Some(to), .. } if !leads_on(*to) => format!("it leads to position {to}"),
                BookMove { judges: scores, .. } if ![0, judges].contains(&scores.len()) => {
                    format!("expected {judges} scores of judges, found {}", scores.len())
                }
                BookMove {
                    challenge: Some(challenge),
                    ..
                } if challenge.answers.len() != challengers => {
                    format!(
                        "expected {challengers} answers of challengers, found {}",
                        challenge.answers.len()
                    )
                }
                _ if outside(step.backed)
                    || outside(step.judged())
                    || step.scores().any(|score| outside(Some(only(score)))) =>
                {
                    "expected scores from 0 to 1".to_owned()
                }
                _ => return None,
            };
            Some(format!("move {}: {reason}", step.text))
        })
    }
}

const fn only(score: f64) -> Range {
    Range {
        low: score,
        mean: score,
        high: score,
    }
}

fn outside(range: Option<Range>) -> bool {
    range.is_some_and(|Range { low, mean, high }| [low, mean, high].iter().any(|score| !(0.0..=1.0).contains(score)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use chase_engine::Chase;
    use chase_training::settings::{Setting, Settings};
    use serde_json::{Value, json};

    use super::*;
    use crate::book::BOOK_FILE;
    use crate::{BookConfig, BookFolder, BookWatch, build, write};

    fn written(folder: &Path) -> Book {
        let settings = [
            "plies=2",
            "candidates=2",
            "width=1",
            "scout=nnue-57,nodes=1",
            "judges=['nnue-57,nodes=2']",
            "challengers=['nnue-57,nodes=3']",
            "contest.moves=0",
        ];
        let config = BookConfig::load(None, &Setting::list(&settings)).unwrap();
        let folder = BookFolder::create(folder, config).unwrap();
        let watch = BookWatch {
            stop: &Arc::new(AtomicBool::new(false)),
            on_progress: &|_| {},
        };
        let positions = build::<Chase>(&folder, watch).unwrap().unwrap();
        write::<Chase>(&folder, positions).unwrap().0
    }

    #[test]
    fn books_of_other_versions_are_read_and_damaged_ones_are_not() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path().join("book");
        let book = written(&folder);
        let file = folder.join(BOOK_FILE);
        assert_eq!(Book::read(&file).unwrap(), book);
        let whole: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        let read = |change: &dyn Fn(&mut Value)| {
            let mut changed = whole.clone();
            change(&mut changed);
            fs::write(&file, changed.to_string()).unwrap();
            Book::read(&file)
        };
        // As the first version wrote it.
        let earlier = read(&|book| {
            let provenance = book["provenance"].as_object_mut().unwrap();
            provenance.remove("rules");
            provenance["scout"].as_object_mut().unwrap().remove("encoding");
        });
        assert_eq!(earlier.unwrap(), book);
        // As a later version may write it.
        let later = read(&|book| {
            book["more"] = json!(1);
            book["positions"][0]["more"] = json!([]);
            book["positions"][0]["moves"][0]["more"] = json!({"low": 0});
        });
        assert_eq!(later.unwrap(), book);
        let told = |change: &dyn Fn(&mut Value)| read(change).unwrap_err().to_string();
        let newer = told(&|book| *book = json!({"schema": 2, "pages": []}));
        assert!(newer.contains("has layout 2, expected at most 1"), "{newer}");
        type Change = fn(&mut Value);
        let changes: [(Change, &str); 7] = [
            (|book| *book = json!([]), "is damaged: "),
            (|book| book["positions"] = json!(1), "is damaged: "),
            (
                |book| book["positions"][3]["player"] = json!("red"),
                "position 3: the player is \"red\"",
            ),
            (
                |book| book["positions"][3]["backed"]["low"] = json!(-1),
                "position 3: expected scores",
            ),
            (
                |book| book["positions"][0]["moves"][0]["scout"] = json!(1.5),
                "expected scores from 0 to 1",
            ),
            (
                |book| book["positions"][0]["moves"][0]["judges"] = json!([0, 1]),
                "expected 1 scores of judges, found 2",
            ),
            (
                |book| book["positions"][0]["moves"][0]["to"] = json!(45),
                "it leads to position 45",
            ),
        ];
        for (change, expected) in changes {
            let told = told(&change);
            assert!(told.contains(expected), "{expected}: {told}");
        }
    }
}
