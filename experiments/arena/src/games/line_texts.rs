//! Lines of play as text.

use chase_engine::Game;

/// Successive actions from a position, each in the words that `text` has for it where it is played, such as
/// [`Game::action_text`].
pub fn line_texts<G: Game>(
    start: &G,
    line: impl IntoIterator<Item = G::Action>,
    text: fn(&G, G::Action) -> String,
) -> Vec<String> {
    let mut game = start.clone();
    let texts = line.into_iter().map(|action| {
        let text = text(&game, action);
        game.apply(action);
        text
    });
    texts.collect()
}
