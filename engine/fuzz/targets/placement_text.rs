//! Any text is a position of a placement game with one way to write it, or an error that points into the text; and so
//! it is with actions.

#![no_main]

#[path = "../checks.rs"]
mod checks;

use chase_engine::placement::{Placement, Position, Rules, lines9, moves23, tetra24, tricolour};
use libfuzzer_sys::fuzz_target;

fn check<P: Position>(text: &str) {
    let (position, action) = text.split_once('\n').unwrap_or((text, "f6"));
    match position.parse::<P>() {
        Ok(read) => {
            assert_eq!(read.to_string(), position);
            assert_eq!(read.legal_actions().len(), read.count_actions() as usize);
            let game = Placement::from_position(read, Rules::default());
            if let Some(named) = checks::action(&game, action) {
                let next = read.play(named);
                assert_eq!(next.map(|next| next.to_string().parse()), next.map(Ok));
            }
        }
        Err(error) => checks::points_into(position, &error),
    }
}

fuzz_target!(|text: &str| {
    check::<moves23::Moves23Position>(text);
    check::<tetra24::Tetra24Position>(text);
    check::<lines9::Lines9Position>(text);
    check::<tricolour::TricolourPosition>(text);
});
