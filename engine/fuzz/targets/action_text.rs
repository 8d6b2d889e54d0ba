//! Any text is an action that is legal in a position, or an error that points into the text.

#![no_main]

use chase_engine::chase::{Action, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (position, text) = text.split_once('\n').unwrap_or(("", text));
    let position: Position = position.parse().unwrap_or_default();
    match text.parse::<Action>() {
        Ok(action) => {
            assert_eq!(action.to_string().parse(), Ok(action));
            let generated = position.legal_actions().contains(&action);
            assert_eq!(position.is_legal(action), generated);
            match position.play(action) {
                Ok(next) => assert!(generated && next.key() == next.full_key()),
                Err(reason) => assert!(!generated && !reason.to_string().is_empty()),
            }
        }
        Err(error) => assert!(text.get(error.span.clone()).is_some(), "{error:?}"),
    }
});
