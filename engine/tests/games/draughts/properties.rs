//! Properties of whole games.

use std::collections::HashSet;

use chase_engine::draughts::{Position, Rules, Variant};
use chase_engine::{Draughts, Game, Player, seed};
use rand::RngExt;

use super::for_each_game;

#[test]
fn pieces_stay_what_and_where_they_can_be() {
    fn check<V: Variant>() {
        for number in 0..6 {
            let mut rng = seed::named("games", &[number]);
            let mut game = Draughts::start(&Rules::standard(V::VARIATION), &mut rng);
            let mut actions = Vec::new();
            while game.outcome().is_none() {
                game.legal_actions(&mut actions);
                game.apply(actions[rng.random_range(0..actions.len())]);
                let position = game.position();
                let again: Position<V> = position.to_string().parse().unwrap();
                assert_eq!(again.to_string(), position.to_string());
                assert_eq!(again.key(), position.key(), "{}", V::NAME);
                let exposed: HashSet<_> = position.exposed_to(position.to_move()).collect();
                assert_eq!(again.must_jump(), !exposed.is_empty(), "{} {position}", V::NAME);
            }
        }
    }
    for_each_game!(check);
}

#[test]
fn numbers_are_drawn_anew_for_every_game_and_each_side_by_itself() {
    fn check<V: Variant>() {
        let start = |number| {
            let mut rng = seed::named("deal", &[number]);
            Draughts::start(&Rules::standard(V::VARIATION), &mut rng).position_text()
        };
        let starts: HashSet<_> = (0..20).map(start).collect();
        assert_eq!(starts.len(), if V::NUMBERS { 20 } else { 1 }, "{}", V::NAME);
        let sides = |text: String| {
            let letters = text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let mut dark: Vec<_> = letters.chars().filter(char::is_ascii_uppercase).collect();
            dark.sort_unstable();
            (
                dark.into_iter().collect::<String>(),
                letters[..12].to_uppercase() == letters[12..24],
            )
        };
        for start in starts {
            let (dark, alike) = sides(start);
            assert_eq!(dark, if V::NUMBERS { "ABCDEFGHIJKL" } else { "MMMMMMMMMMMM" });
            assert!(!V::NUMBERS || !alike);
        }
    }
    for_each_game!(check);
}

#[test]
fn positions_within_a_turn_have_keys_of_their_own() {
    let key = |text: &str| text.parse::<Position<chase_engine::draughts::Queens>>().unwrap().key();
    let at = |state: &str| format!("8/8/8/8/8/1m6/1(mmmmmmmmmmm)6/(QMMMMMMMMMMM)7 d {state}");
    let keys = [key(&at("-")), key(&at("a1")), key(&at("-").replace(" d ", " l "))];
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 3);
    assert_eq!(Player::White as usize, 0, "Dark is the first player");
}
