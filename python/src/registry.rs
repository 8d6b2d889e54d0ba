//! The games of the engine's list, with what Python shows of each.

mod chase;

use std::sync::Arc;

use chase_baselines::Judged;
use chase_engine::placement::Placement;
use chase_engine::{ConnectFour, Depict, Draughts, GameName, with_game};
use chase_models::Encode;
use chase_models::encoding::Shown;
use serde_json::Value;

use crate::erased::AnyGame;
use crate::presentation::Presentation;
use crate::ruled::Ruled;

/// A game that Python knows.
pub trait Registered: Encode + Judged + Depict {
    /// Functions that show and read it.
    const PRESENTATION: Presentation<Self> = Presentation::depicted();
}

impl Registered for ConnectFour {}
impl Registered for Draughts {}
impl<P: Shown> Registered for Placement<P> {}

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
    with_game!(game, G => Ok(Arc::new(Ruled::new(<G as Registered>::PRESENTATION, game.rules::<G>(), rules, encoding)?)))
}
