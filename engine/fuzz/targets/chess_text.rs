//! Any text is a position of chess that is written in one way, or an error that points into the text; and so it is with
//! moves. Every legal move leads to such a position.

#![no_main]

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
            match game.parse_action(action) {
                Ok(read) => assert!(game.is_legal(read) && game.action_text(read) == action),
                Err(error) => assert!(action.get(error.span.clone()).is_some(), "{error:?}"),
            }
        }
        Err(error) => {
            assert!(position.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
}

fuzz_target!(|text: &str| {
    for variant in Variant::ALL {
        check(variant, text);
    }
});
