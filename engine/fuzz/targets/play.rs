//! Games by any choice of actions keep every invariant.

#![no_main]

use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|choices: &[u8]| {
    let mut game = Chase::new(&Rules::default());
    let mut actions = Vec::new();
    for &choice in choices.iter().take(300) {
        game.legal_actions(&mut actions);
        if actions.is_empty() {
            break;
        }
        game.apply(actions[usize::from(choice) % actions.len()]);
        let position = game.position();
        assert_eq!(position.key(), position.full_key());
        assert_eq!(position.total(position.to_move()) + position.missing(), 25);
        assert_eq!(position.total(!position.to_move()), 25);
    }
    let position = game.position();
    game.legal_actions(&mut actions);
    assert_eq!(actions.is_empty(), game.outcome().is_some());
    assert!(actions.iter().all(|&action| position.is_legal(action)));
    assert_eq!(position.to_string().parse::<Position>(), Ok(*position));
});
