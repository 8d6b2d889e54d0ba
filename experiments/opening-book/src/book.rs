//! A finished book, as it is written to a file.

use chase_training::config::RulesConfig;
use chase_training::store::run_dir::Meta;
use serde::{Deserialize, Serialize};

use crate::agent::BookPlayers;
use crate::config::BookConfig;
use crate::contest::Contest;
use crate::position::BookPosition;
use crate::score_range::Range;

/// Version of the layout of the file.
pub(crate) const SCHEMA_VERSION: u32 = 1;
/// The book, in its folder.
pub const BOOK_FILE: &str = "book.json";

/// A book. `book.json` is its serialized form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Book {
    /// Version of the layout.
    pub schema: u32,
    /// Everything needed to build it again.
    pub provenance: Provenance,
    /// The positions, by ply; the first one is the initial position. Moves are sorted, best first.
    pub positions: Vec<BookPosition>,
    /// The contest of first moves; `None` if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contest: Option<Contest>,
}

/// Everything needed to build a book again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program and the machine.
    pub program: Meta,
    /// The conventions about draws and length; those of Chase in books of earlier versions, which do not say so.
    #[serde(default)]
    pub rules: RulesConfig,
    /// The resolved configuration.
    pub config: BookConfig,
    /// The players.
    #[serde(flatten)]
    pub players: BookPlayers,
}

/// Actions in the notation for people, and the score of who begins them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookLine {
    /// The actions.
    pub actions: Vec<String>,
    /// The score at its beginning, for the player of its first action.
    pub score: Option<Range>,
}

impl Book {
    /// The best line from a position's move on: the move, and the best moves of both players after it, as far as the
    /// book reaches.
    pub fn line(&self, place: usize, choice: usize) -> BookLine {
        let mut actions = Vec::new();
        let first = self
            .positions
            .get(place)
            .and_then(|position| position.moves.get(choice));
        let mut next = first;
        while let Some(step) = next {
            actions.push(step.text.clone());
            // A move without a score of its own ends the line.
            next = step
                .to
                .and_then(|to| self.positions.get(to)?.moves.first())
                .filter(|step| step.backed.is_some());
        }
        BookLine {
            actions,
            score: first.and_then(|step| step.backed),
        }
    }
}
