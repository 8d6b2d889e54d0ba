//! The built-in book.

use std::io::Read;
use std::path::Path;

use crate::book::Book;
use crate::error::{BookError, damaged};
use crate::guaranteed_scores::hold;

/// Name of the built-in book: of Chase, six plies, of study 0041.
pub const SHIPPED: &str = "built-in";

/// The `book.json` of study 0041, which is a part of the program, so that everyone has a book to look at.
const PACKED: &[u8] = include_bytes!("../../studies/0041-six-plies/book.json.gz");

impl Book {
    /// The built-in book.
    ///
    /// # Errors
    /// Never, since a test reads it.
    pub fn shipped() -> Result<Self, BookError> {
        let file = Path::new(SHIPPED);
        let mut text = Vec::new();
        flate2::read::GzDecoder::new(PACKED)
            .read_to_end(&mut text)
            .map_err(|error| damaged(file, &error))?;
        let mut book = Self::from_json(file, &text)?;
        // The program that made it missed replies after which the opponent acts once more (four moves).
        hold(&mut book.positions);
        Ok(book)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::{Chase, Game, GameName};

    use super::*;
    use crate::position_index::Places;

    #[test]
    fn the_built_in_book_has_every_first_move_and_finds_its_positions() {
        let book = Book::shipped().unwrap();
        assert_eq!(book.provenance.config.game, GameName::Chase);
        assert_eq!((book.positions.len(), book.provenance.config.plies), (1155, 6));
        let places = Places::of::<Chase>(&book, Path::new(SHIPPED)).unwrap();
        let mut game = Chase::new(&Default::default());
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let mut told: Vec<&str> = book.positions[0]
            .moves
            .iter()
            .map(|step| step.action.as_str())
            .collect();
        let mut legal: Vec<String> = actions.iter().map(ToString::to_string).collect();
        told.sort_unstable();
        legal.sort_unstable();
        assert_eq!(told, legal);
        // Its main line stays in the book to its end.
        for ply in 0..6 {
            let position = &book.positions[places.find(&game).unwrap()];
            assert_eq!(position.ply, ply);
            game.apply(position.moves[0].action.parse().unwrap());
        }
    }
}
