//! Values of any game as those of Chase, of which people are shown more than of other games.

use std::any::Any;

use chase_engine::{Chase, Game};

/// A value as one of a type that it may have.
pub fn as_type<T: 'static, U: 'static>(value: &T) -> Option<&U> {
    (value as &dyn Any).downcast_ref()
}

/// The game, if it is one of Chase.
pub fn as_chase<G: Game>(game: &G) -> Option<&Chase> {
    as_type(game)
}
