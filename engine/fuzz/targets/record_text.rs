//! Any text is records of a game that are read as they are written, then an error that points into the text or the end.

#![no_main]

use chase_engine::{Game, GameName, Record, with_game};
use libfuzzer_sys::fuzz_target;

/// One game of each family of texts.
const GAMES: [GameName; 6] = [
    GameName::Chase,
    GameName::ConnectFour,
    GameName::Chess,
    GameName::Checkers,
    GameName::StaxUniNum,
    GameName::Tricolour,
];

fn check<G: Game>(text: &str, rules: &G::Rules) {
    for record in Record::<G>::read_all(text, rules) {
        match record {
            Ok(record) => {
                let written = record.to_string();
                let again = Record::<G>::read(&written, rules).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(again.to_string(), written);
                assert_eq!(again.game().position_text(), record.game().position_text());
                assert_eq!(again.end(), record.end());
            }
            Err(error) => {
                assert!(text.get(error.span.clone()).is_some(), "{error:?}");
                assert!(error.line() > 0 && !error.to_string().is_empty());
            }
        }
    }
}

fuzz_target!(|text: &str| {
    for game in GAMES {
        with_game!(game, G => check::<G>(text, &game.rules::<G>()));
    }
});
