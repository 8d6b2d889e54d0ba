//! Any text is a position of chess that is written in one way, or an error that points into the text; and so it is with
//! moves. Every legal move leads to such a position.

#![no_main]

#[path = "../checks.rs"]
mod checks;

use chase_engine::chess::{Position, Rules, Variant};
use chase_engine::{Chess, Game};
use libfuzzer_sys::fuzz_target;

fn check(variant: Variant, text: &str) {
    let (position, action) = text.split_once('\n').unwrap_or((text, "e2e4"));
    match Position::parse(variant, position) {
        Ok(position) => {
            assert_eq!(Position::parse(variant, &position.to_string()), Ok(position));
            assert_eq!(position.mirrored().mirrored(), position);
            let actions = position.legal_actions();
            assert_eq!(actions.len(), position.count_actions() as usize);
            assert_eq!(actions.len(), position.mirrored().count_actions() as usize);
            for action in actions {
                let next = position.play(action).unwrap();
                assert_eq!(Position::parse(variant, &next.to_string()), Ok(next));
            }
            let game = Chess::from_position_text(&position.to_string(), &Rules::standard(variant)).unwrap();
            checks::action(&game, action);
        }
        Err(error) => checks::points_into(position, &error),
    }
}

fuzz_target!(|text: &str| {
    for variant in Variant::ALL {
        check(variant, text);
    }
});
