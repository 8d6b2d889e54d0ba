//! Properties of any text that a game reads.

use chase_engine::{Game, TextError};

/// The error points into the text, and says something.
pub fn points_into(text: &str, error: &TextError) {
    assert!(text.get(error.span.clone()).is_some(), "{error:?}");
    assert!(!error.to_string().is_empty());
}

/// A text is a legal action that is written in this way, or an error that points into it.
pub fn action<G: Game>(game: &G, text: &str) -> Option<G::Action> {
    match game.parse_action(text) {
        Ok(read) => {
            assert!(game.is_legal(read) && game.action_text(read) == text);
            Some(read)
        }
        Err(error) => {
            points_into(text, &error);
            None
        }
    }
}
