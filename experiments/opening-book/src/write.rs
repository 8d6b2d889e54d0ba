//! Writes the files of a finished book.

use std::path::PathBuf;

use chase_engine::Playable;
use chase_training::store::files;
use chase_training::store::serialised::pretty_json;

use crate::book::{BOOK_FILE, Book, Provenance, SCHEMA_VERSION};
use crate::build::BookContent;
use crate::conventions::conventions;
use crate::error::BookError;
use crate::folder::BookFolder;
use crate::page::page;
use crate::table;

/// Writes a book, its tables and its page into the folder. Returns the book and the path of the page.
///
/// # Errors
/// If a file cannot be written.
pub fn write<G: Playable>(folder: &BookFolder, content: BookContent) -> Result<(Book, PathBuf), BookError> {
    let config = folder.config();
    let BookContent { positions, contest } = content;
    let book = Book {
        schema: SCHEMA_VERSION,
        provenance: Provenance {
            program: folder.meta().clone(),
            rules: conventions::<G>(config.game).0,
            config: config.clone(),
            players: folder.players().clone(),
        },
        positions,
        contest: contest.as_ref().map(|played| played.contest.clone()),
    };
    if let Some(played) = contest {
        let lines = files::lines(&played.games);
        files::write_whole(&folder.path().join("contest.jsonl"), lines.as_bytes())?;
    }
    let path = folder.path().join(BOOK_FILE);
    files::write_whole(&path, (pretty_json(&book) + "\n").as_bytes())?;
    files::write_whole(&folder.path().join("book.parquet"), &table::moves(&book))?;
    let path = folder.path().join("report.html");
    files::write_whole(&path, page(&book).as_bytes())?;
    Ok((book, path))
}
