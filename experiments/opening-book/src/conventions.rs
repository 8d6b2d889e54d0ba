//! The conventions about draws and length under which a book is judged: the usual ones of its game.

use chase_arena::Playable;
use chase_engine::GameName;
use chase_training::config::RulesConfig;

/// The conventions as settings, and as the game has them.
pub(crate) fn conventions<G: Playable>(game: GameName) -> (RulesConfig, G::Rules) {
    let settings = RulesConfig::of(game);
    let standard = G::standard_rules(game.name()).unwrap_or_else(|| G::rules(&Default::default()));
    let rules = G::with_turns(&settings.rules(), &standard);
    (settings, rules)
}
