//! Chess, on the flat board and on the cylinder.

mod bad_input;
mod facts;
mod properties;
mod reference;
mod slow;

use chase_engine::chess::{Rules, Variant};
use chase_engine::{Chess, Game};

/// A game from a position, by the rules alone.
#[track_caller]
fn game(variant: Variant, position: &str) -> Chess {
    let rules = Chess::published_rules(&Rules::standard(variant));
    Chess::from_position_text(position, &rules).unwrap_or_else(|error| panic!("{error}"))
}

/// The texts of the legal actions, sorted.
fn actions(game: &Chess) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let mut texts: Vec<_> = actions.into_iter().map(|action| game.action_text(action)).collect();
    texts.sort_unstable();
    texts
}

/// The game after some actions.
#[track_caller]
fn after(mut game: Chess, actions: &str) -> Chess {
    for text in actions.split_whitespace() {
        let action = game.parse_action(text).unwrap_or_else(|error| panic!("{error}"));
        game.apply(action);
    }
    game
}
