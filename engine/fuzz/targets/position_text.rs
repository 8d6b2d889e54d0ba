//! Any text is a position with one way to write it, or an error that points into the text.

#![no_main]

use chase_engine::chase::Position;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Position>() {
        Ok(position) => {
            assert_eq!(position.to_string().parse(), Ok(position));
            assert_eq!(position.key(), position.full_key());
            assert_eq!(position.legal_actions().len(), position.count_actions());
        }
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
});
