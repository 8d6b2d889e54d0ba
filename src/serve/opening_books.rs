//! The opening books in the folder of runs, and the built-in one, read on request and cached.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

use chase_engine::{GameName, with_game};
use chase_opening_book::{BOOK_FILE, Book, BookError, Places, SHIPPED};

use super::run_folder::RunFolder;

/// A book, and where its positions are.
#[derive(Debug)]
pub struct IndexedBook {
    /// The folder of the book, or the name of the built-in one.
    pub name: String,
    /// Whether it is the built-in one.
    pub shipped: bool,
    pub book: Book,
    pub places: Places,
}

/// A book, or the reason why it cannot be used: either is kept until the file changes.
type Read = Result<Arc<IndexedBook>, String>;

/// The modification time of a file and its size.
type Written = (SystemTime, u64);

/// Books that were read.
#[derive(Debug, Default)]
pub struct OpeningBooks {
    by_file: Mutex<HashMap<PathBuf, (Written, Read)>>,
    shipped: OnceLock<Read>,
}

impl OpeningBooks {
    /// The books of a game that can be read now, by name, the built-in one last, and the reasons for the others.
    pub fn of_game(&self, game: GameName, runs: Option<&RunFolder>) -> (Vec<Arc<IndexedBook>>, Vec<String>) {
        let (mut books, mut reasons) = (Vec::new(), Vec::new());
        for (name, folder) in runs.map(|runs| runs.of_game(game)).unwrap_or_default() {
            let file = folder.join(BOOK_FILE);
            // An unfinished book has none yet.
            if file.is_file() {
                if name == SHIPPED && game == GameName::Chase {
                    let folder = folder.display();
                    reasons.push(format!(
                        "{folder} has the name of the built-in book: rename it to see its book"
                    ));
                    continue;
                }
                match self.book(game, &name, &file) {
                    Ok(book) => books.push(book),
                    Err(reason) => reasons.push(reason),
                }
            }
        }
        // What was removed need not stay in memory.
        let mut read = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        read.retain(|file, _| file.is_file());
        drop(read);
        if game == GameName::Chase {
            let shipped = || indexed(game, SHIPPED, Path::new(SHIPPED), Book::shipped()).map(Arc::new);
            match self.shipped.get_or_init(shipped).clone() {
                Ok(book) => books.push(book),
                Err(reason) => reasons.push(reason),
            }
        }
        (books, reasons)
    }

    fn book(&self, game: GameName, name: &str, file: &Path) -> Read {
        let facts = file.metadata().and_then(|facts| Ok((facts.modified()?, facts.len())));
        let written = facts.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let mut read = self.by_file.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, book)) = read.get(file)
            && *known == written
        {
            return book.clone();
        }
        let book = indexed(game, name, file, Book::read(file)).map(Arc::new);
        read.insert(file.to_owned(), (written, book.clone()));
        book
    }
}

fn indexed(game: GameName, name: &str, file: &Path, book: Result<Book, BookError>) -> Result<IndexedBook, String> {
    let book = book.map_err(|error| error.to_string())?;
    let other = book.provenance.config.game;
    if other != game {
        return Err(format!("{} is of {other}, and its folder of {game}", file.display()));
    }
    let places = with_game!(game, G => Places::of::<G>(&book, file)).map_err(|error| error.to_string())?;
    Ok(IndexedBook {
        name: name.to_owned(),
        shipped: file == Path::new(SHIPPED),
        book,
        places,
    })
}
