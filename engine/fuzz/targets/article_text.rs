//! Any text is a turn in a position, and leads where it does when it is written again, or an error that points into it.

#![no_main]

use chase_engine::chase::{Action, Cell, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (position, text) = text.split_once('\n').unwrap_or(("", text));
    let position: Position = position.parse().unwrap_or_default();
    let play = |turn: &[Action]| {
        turn.iter().fold(position, |position, &action| {
            position
                .play(action)
                .unwrap_or_else(|reason| panic!("{text}: {reason}"))
        })
    };
    match position.parse_article(text) {
        Ok(turn) => {
            let absorber = |action: &Action| match action {
                Action::Absorb { cell } => *cell,
                other => panic!("{other} is no choice"),
            };
            let choices: Vec<Cell> = turn[1..].iter().map(absorber).collect();
            let written = position
                .turn_text(turn[0], &choices)
                .unwrap_or_else(|reason| panic!("{reason}"));
            let again = position
                .parse_article(&written)
                .unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(play(&again), play(&turn), "{text} is written {written}");
        }
        Err(error) => {
            assert!(text.get(error.span.clone()).is_some(), "{error:?}");
            assert!(!error.to_string().is_empty());
        }
    }
});
