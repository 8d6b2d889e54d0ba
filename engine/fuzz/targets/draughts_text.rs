//! Any text is a position of a draughts game with one way to write it, or an error that points into the text; and so it
//! is with actions.

#![no_main]

#[path = "../checks.rs"]
mod checks;

use chase_engine::draughts::{CheckersUniNum, Position, Queens, Rules, StaxCyl, Variant};
use chase_engine::{Draughts, Game};
use libfuzzer_sys::fuzz_target;

fn check<V: Variant>(text: &str) {
    let (position, action) = text.split_once('\n').unwrap_or((text, "c3-d4"));
    match position.parse::<Position<V>>() {
        Ok(position) => {
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.legal_actions().len(), position.count_actions() as usize);
            let rules = Rules::standard(V::VARIATION);
            let game = Draughts::from_position_text(&position.to_string(), &rules).unwrap();
            checks::action(&game, action);
        }
        Err(error) => checks::points_into(position, &error),
    }
}

fuzz_target!(|text: &str| {
    check::<Queens>(text);
    check::<StaxCyl>(text);
    check::<CheckersUniNum>(text);
});
