//! The games of the engine's list, by their names.

use std::sync::Arc;

use chase_engine::{GameName, with_game};
use serde_json::Value;

use crate::erased::AnyGame;
use crate::ruled::Ruled;

/// The names of all games, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = GameName::ALL.iter().map(|game| game.name()).collect();
    names.sort_unstable();
    names
}

/// The game of this name.
///
/// # Errors
/// If there is none, or it has no such conventions or encoding.
pub fn find(name: &str, rules: Option<&str>, encoding: Option<&Value>) -> Result<Arc<dyn AnyGame>, String> {
    let Ok(game) = name.parse::<GameName>() else {
        return Err(format!("no game `{name}`; expected one of {}", names().join(", ")));
    };
    with_game!(game, G => Ok(Arc::new(Ruled::<G>::new(game.rules::<G>(), rules, encoding)?)))
}
