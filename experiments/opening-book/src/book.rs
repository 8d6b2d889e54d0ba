//! A finished book, as it is written to a file.

use std::path::PathBuf;

use chase_arena::{Playable, PlayerSpec};
use chase_models::Manifest;
use chase_training::config::RulesConfig;
use chase_training::files;
use chase_training::run_dir::Meta;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::backup::back_up;
use crate::config::BookConfig;
use crate::conventions::conventions;
use crate::error::{BookError, damaged};
use crate::folder::BookFolder;
use crate::page::page;
use crate::position::BookPosition;
use crate::range::Range;
use crate::table;

/// Version of the layout of the file.
const SCHEMA_VERSION: u32 = 1;
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
}

/// Everything needed to build a book again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// The program and the machine.
    pub program: Meta,
    /// The conventions about draws and length.
    pub rules: RulesConfig,
    /// The resolved configuration.
    pub config: BookConfig,
    /// The scout.
    pub scout: BookAgent,
    /// The judges, in the order of their scores.
    pub judges: Vec<BookAgent>,
}

/// A player that judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookAgent {
    /// The player, as text.
    pub player: String,
    /// Every effective setting, including defaults.
    pub settings: Value,
    /// SHA-256 of its weights, in hexadecimal; `None` without a network.
    pub weights: Option<String>,
    /// The planes that its network sees; null in the second family, whose networks see dice.
    pub encoding: Value,
}

impl BookAgent {
    pub(crate) fn of(player: &PlayerSpec) -> Result<Self, BookError> {
        let settled = player.settled()?;
        Ok(Self {
            player: settled.to_string(),
            settings: json!(settled.resolved()),
            weights: settled.weights_sha256()?,
            encoding: match &settled {
                PlayerSpec::Network(network) => Manifest::read(&network.path).map_or(Value::Null, |read| read.encoding),
                _ => Value::Null,
            },
        })
    }
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
    /// The best line from a position's move on: the move, and the best moves of both players after it, as far as the book reaches.
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

/// Backs up the judged positions, and writes the book, its table and its page into the folder. Returns the book and the path of the
/// page.
///
/// # Errors
/// If a file cannot be written.
pub fn write<G: Playable>(folder: &BookFolder, mut positions: Vec<BookPosition>) -> Result<(Book, PathBuf), BookError> {
    let config = folder.config();
    back_up::<G>(&mut positions, config);
    let book = Book {
        schema: SCHEMA_VERSION,
        provenance: Provenance {
            program: folder.meta().clone(),
            rules: conventions::<G>(config.game).0,
            config: config.clone(),
            scout: folder.agents()[0].clone(),
            judges: folder.agents()[1..].to_vec(),
        },
        positions,
    };
    let path = folder.path().join(BOOK_FILE);
    let text = serde_json::to_string_pretty(&book).map_err(|error| damaged(&path, &error))?;
    files::write_whole(&path, (text + "\n").as_bytes())?;
    let path = folder.path().join("book.parquet");
    let content = table::moves(&book).map_err(|reason| damaged(&path, &reason))?;
    files::write_whole(&path, &content)?;
    let path = folder.path().join("report.html");
    files::write_whole(&path, page(&book).as_bytes())?;
    Ok((book, path))
}
