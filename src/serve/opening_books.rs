//! The opening books in the folder of runs, read on request and cached.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use chase_engine::{GameName, with_game};
use chase_opening_book::{BOOK_FILE, Book, Places};

use super::run_folder::RunFolder;

/// A book, and where its positions are.
#[derive(Debug)]
pub struct IndexedBook {
    /// The folder of the book.
    pub name: String,
    pub book: Book,
    pub places: Places,
}

/// A book, or the reason why it cannot be used: either is kept until the file changes.
type Read = Result<Arc<IndexedBook>, String>;

/// The modification time of a file and its size.
type Written = (SystemTime, u64);

/// Books that were read, by file.
#[derive(Debug, Default)]
pub struct OpeningBooks(Mutex<HashMap<PathBuf, (Written, Read)>>);

impl OpeningBooks {
    /// The books of a game that can be read now, by name, and the reasons for the others.
    pub fn of_game(&self, game: GameName, runs: Option<&RunFolder>) -> (Vec<Arc<IndexedBook>>, Vec<String>) {
        let (mut books, mut reasons) = (Vec::new(), Vec::new());
        for (name, folder) in runs.map(|runs| runs.of_game(game)).unwrap_or_default() {
            let file = folder.join(BOOK_FILE);
            // An unfinished book has none yet.
            if file.is_file() {
                match self.book(game, &name, &file) {
                    Ok(book) => books.push(book),
                    Err(reason) => reasons.push(reason),
                }
            }
        }
        // What was removed need not stay in memory.
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .retain(|file, _| file.is_file());
        (books, reasons)
    }

    fn book(&self, game: GameName, name: &str, file: &Path) -> Read {
        let facts = file.metadata().and_then(|facts| Ok((facts.modified()?, facts.len())));
        let written = facts.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let mut read = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, book)) = read.get(file)
            && *known == written
        {
            return book.clone();
        }
        let book = indexed(game, name, file).map(Arc::new);
        read.insert(file.to_owned(), (written, book.clone()));
        book
    }
}

fn indexed(game: GameName, name: &str, file: &Path) -> Result<IndexedBook, String> {
    let book = Book::read(file).map_err(|error| error.to_string())?;
    let other = book.provenance.config.game;
    if other != game {
        return Err(format!("{} is of {other}, and its folder of {game}", file.display()));
    }
    let places = with_game!(game, G => Places::of::<G>(&book, file)).map_err(|error| error.to_string())?;
    let name = name.to_owned();
    Ok(IndexedBook { name, book, places })
}
