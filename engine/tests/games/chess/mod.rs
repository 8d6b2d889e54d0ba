//! Chess, on the flat board and on the cylinder.

mod facts;
mod properties;
mod slow;

use chase_engine::chess::{Rules, Variant};
use chase_engine::{Chess, Game};

/// A game from a position, by the rules alone.
#[track_caller]
fn game(variant: Variant, position: &str) -> Chess {
    let rules = Chess::published_rules(&Rules::standard(variant));
    Chess::from_position_text(position, &rules).unwrap_or_else(|error| panic!("{error}"))
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
