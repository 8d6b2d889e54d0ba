//! Games along the lines of a book.

use chase_engine::Playable;

/// The game after an action in exact form; `None` if it is not legal.
pub(crate) fn played<G: Playable>(game: &G, action: &str) -> Option<G> {
    let action = game.parse_action(action).ok()?;
    let mut next = game.clone();
    next.apply(action);
    Some(next)
}

/// The game after a line of actions in exact form; `None` if one is not legal.
pub(crate) fn played_line<G: Playable>(rules: &G::Rules, line: &[String]) -> Option<G> {
    line.iter()
        .try_fold(G::new(rules), |game, action| played(&game, action))
}
