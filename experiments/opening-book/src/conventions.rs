//! The conventions about draws and length under which a book is judged: the usual ones of its game.

use chase_engine::{GameName, Playable};
use chase_training::config::RulesConfig;

/// The conventions as settings, and as the game has them.
pub(crate) fn conventions<G: Playable>(game: GameName) -> (RulesConfig, G::Rules) {
    let settings = RulesConfig::of(game);
    let standard = game.rules::<G>();
    let rules = G::with_conventions(&settings.rules(), &standard);
    (settings, rules)
}
