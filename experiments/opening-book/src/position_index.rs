//! Where positions are in a book.

use std::collections::HashMap;
use std::path::Path;

use chase_engine::Playable;

use crate::book::Book;
use crate::conventions::conventions;
use crate::error::{BookError, damaged};

/// The places of a book's positions. A position is found whichever line led to it, and however many turns it took.
#[derive(Clone, Debug)]
pub struct Places(HashMap<u128, usize>);

impl Places {
    /// The places in a book of `G` that was read from a file.
    ///
    /// # Errors
    /// If a position is none of the game.
    pub fn of<G: Playable>(book: &Book, file: &Path) -> Result<Self, BookError> {
        let (_, rules) = conventions::<G>(book.provenance.config.game);
        let mut places = HashMap::new();
        for (place, position) in book.positions.iter().enumerate() {
            let game = G::from_position_text(&position.position, &rules).map_err(|error| {
                let reason = format!("position {place} is {:?}: {error}", position.position);
                damaged(file, &reason)
            })?;
            // Of a position that comes again at a later ply the first one counts: the lines below it are the longest.
            places.entry(game.position_key()).or_insert(place);
        }
        Ok(Self(places))
    }

    /// The place of a game's position, an index into the positions of the book; `None` if it is not in the book.
    pub fn find<G: Playable>(&self, game: &G) -> Option<usize> {
        self.0.get(&game.position_key()).copied()
    }
}
