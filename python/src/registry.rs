//! The games, one line each.

mod chase;
mod connect_four;

use std::sync::Arc;

use chase_engine::{Chase, ConnectFour};
use chase_models::Encode;
use serde_json::Value;

use crate::erased::AnyGame;
use crate::kind::Kind;
use crate::ruled::Ruled;

/// Makes a game with conventions as text and options of its encoding, each the standard where there is `None`.
type Load = fn(Option<&str>, Option<&Value>) -> Result<Arc<dyn AnyGame>, String>;

macro_rules! game {
    ($game:ty, $kind:expr) => {
        (<$game as chase_engine::Game>::NAME, |rules, encoding| {
            load::<$game>($kind, rules, encoding)
        })
    };
}

/// A new game is one more line; [`Kind::plain`] does for one without pictures.
const GAMES: &[(&str, Load)] = &[game!(Chase, chase::KIND), game!(ConnectFour, connect_four::KIND)];

fn load<G: Encode>(kind: Kind<G>, rules: Option<&str>, encoding: Option<&Value>) -> Result<Arc<dyn AnyGame>, String> {
    Ok(Arc::new(Ruled::new(kind, rules, encoding)?))
}

/// The names of all games, in alphabetical order.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = GAMES.iter().map(|&(name, _)| name).collect();
    names.sort_unstable();
    names
}

/// The game of this name.
///
/// # Errors
/// If there is none, or it has no such conventions or encoding.
pub fn find(name: &str, rules: Option<&str>, encoding: Option<&Value>) -> Result<Arc<dyn AnyGame>, String> {
    match GAMES.iter().find(|(known, _)| *known == name) {
        Some((_, load)) => load(rules, encoding),
        None => Err(format!("no game `{name}`; expected one of {}", names().join(", "))),
    }
}
