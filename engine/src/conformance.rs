//! A conformance test for implementations of [`Game`].

use std::collections::HashSet;

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, RngExt, SeedableRng};

use crate::{Convention, Game, Outcome};

/// Plays `games` games with uniformly chosen actions and tests the contract of [`Game`] at every ply.
///
/// Games that do not end within `max_plies` are abandoned. Returns the number of plies checked.
///
/// # Panics
/// At the first violation, naming the position and what was expected: this is a test.
pub fn check<G: Game>(rules: &G::Rules, games: u32, max_plies: u32, seed: u64) -> u64 {
    let mut seen = 0;
    for index in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed ^ u64::from(index) << 32);
        check_start::<G>(rules, &rng);
        let mut game = G::start(rules, &mut rng);
        assert_eq!(game.plies(), 0, "a new game has no plies");
        assert!(game.outcome().is_none(), "a new game is not over");
        let mut scratch = game.clone();
        let mut actions = Vec::new();
        let mut names = HashSet::new();
        for ply in 0..max_plies {
            check_position(&game, rules, &mut actions, &mut names);
            seen += 1;
            if game.outcome().is_some() {
                break;
            }
            let action = actions[rng.random_range(0..actions.len())];
            // A copy into used memory, a fresh copy and the game itself must behave alike.
            scratch.clone_from(&game);
            let mut copy = game.clone();
            let mut replaced = game.clone();
            replaced.apply(actions[0]);
            replaced.replace(&game, action);
            for next in [&mut scratch, &mut copy, &mut game] {
                next.apply(action);
                assert_eq!(next.plies(), ply + 1, "plies count decisions");
            }
            for other in [&scratch, &copy, &replaced] {
                assert_eq!(other.key(), game.key(), "a copy goes on like the original");
                assert_eq!(other.position_text(), game.position_text());
                assert_eq!(other.outcome(), game.outcome());
            }
        }
    }
    seen
}

/// Tests that randomness before a game comes from the generator alone, and that a game without any draws nothing.
fn check_start<G: Game>(rules: &G::Rules, rng: &Xoshiro256PlusPlus) {
    let start = || {
        let mut rng = rng.clone();
        (G::start(rules, &mut rng).position_text(), rng.next_u64())
    };
    assert_eq!(start(), start(), "equal generators make equal starts");
    if !G::begins_at_random(rules) {
        let expected = (G::new(rules).position_text(), rng.clone().next_u64());
        assert_eq!(start(), expected, "nothing is drawn before the game");
    }
}

/// Tests the requirements on a single position, and leaves its legal actions in `actions`. `names` are the texts of all
/// actions that have been legal in this game.
fn check_position<G: Game>(game: &G, rules: &G::Rules, actions: &mut Vec<G::Action>, names: &mut HashSet<String>) {
    let text = game.position_text();
    game.legal_actions(actions);
    assert_eq!(
        actions.is_empty(),
        game.outcome().is_some(),
        "there are legal actions exactly while the game goes on: {text}"
    );
    check_end_reason(game);
    if game.outcome().is_some() {
        // Many of these would be legal here if the game were not over, for a reason that the board may not show.
        for name in names.iter() {
            assert!(
                game.parse_action(name).is_err(),
                "{name} is read in {text}, where the game is over"
            );
        }
    }
    let again = G::from_position_text(&text, rules).unwrap_or_else(|error| panic!("{text} is not read: {error}"));
    assert_eq!(again.position_text(), text, "position text round trip");
    assert_eq!(again.to_move(), game.to_move(), "{text}");
    if game
        .outcome()
        .is_some_and(|outcome| !matches!(outcome, Outcome::Win(_)))
    {
        // Draws and limits may depend on history, which is not in the text.
        return;
    }
    let mut same = Vec::new();
    again.legal_actions(&mut same);
    assert_eq!(&same, actions, "legal actions do not depend on history: {text}");
    let mut indices = Vec::with_capacity(actions.len());
    for &action in actions.iter() {
        let name = game.action_text(action);
        assert!(game.is_legal(action), "{name} is generated in {text} but not legal");
        assert!(
            !name.is_empty() && !name.contains(char::is_whitespace),
            "`{name}` is one word"
        );
        match game.parse_action(&name) {
            Ok(read) => assert_eq!(read, action, "{name} is read as another action in {text}"),
            Err(error) => panic!("{name} is not read in {text}: {error}"),
        }
        check_people_turn(game, action);
        let index = game.policy_index(action);
        assert!(index < G::POLICY_SIZE, "{name} in {text} has policy index {index}");
        indices.push(index);
        names.insert(name);
    }
    check_gains(game, actions);
    // State that the rules use within a turn, such as the cells jumped so far, must be in the text.
    if let Some(&action) = actions.first() {
        let (mut next, mut other) = (game.clone(), again);
        next.apply(action);
        other.apply(action);
        let texts = (next.position_text(), other.position_text());
        assert_eq!(texts.0, texts.1, "{text}, as read, goes on like the original");
        assert_eq!(next.to_move(), other.to_move(), "{text}");
    }
    // Actions of other positions of the game are legal here exactly if they are generated here.
    for name in names.iter().take(40) {
        if let Ok(action) = game.parse_action(name) {
            assert!(actions.contains(&action), "{name} is read in {text} but not legal");
        }
    }
    indices.sort_unstable();
    indices.dedup();
    assert_eq!(indices.len(), actions.len(), "policy indices are distinct in {text}");
}

/// Tests that an action can stand in a record.
fn check_people_turn<G: Game>(game: &G, action: G::Action) {
    let (word, told) = game.people_turn(&[action]);
    let is_word = !word.contains(|character: char| character.is_whitespace() || character == '{');
    assert!(is_word && !word.starts_with('[') && told == 1, "`{word}` is one word");
    match game.parse_people(&word).as_deref() {
        Ok([read]) if *read == action => {}
        // Where two actions have one result, the text need not tell which it was.
        Ok([read]) => {
            let [mut one, mut other] = [game.clone(), game.clone()];
            one.apply(action);
            other.apply(*read);
            assert_eq!(
                one.position_text(),
                other.position_text(),
                "{word} is read as another action"
            );
        }
        Ok(more) => panic!("{word} is read as {} actions", more.len()),
        Err(error) => panic!("{word} is not read: {error}"),
    }
}

/// Tests that a game that names its reasons for an end names all of them.
fn check_end_reason<G: Game>(game: &G) {
    if let Some(reason) = game.end_reason().filter(|_| !G::END_REASONS.is_empty()) {
        let conventional = Convention::ALL.iter().any(|convention| convention.name() == reason);
        assert!(conventional || G::END_REASONS.contains(&reason), "{reason} is a reason");
    }
}

/// Tests what a search asks beyond the rules.
fn check_gains<G: Game>(game: &G, actions: &[G::Action]) {
    let text = game.position_text();
    let mut gains = Vec::new();
    game.for_each_gain(|action, gain| gains.push((action, gain)));
    let all: Vec<_> = actions.iter().map(|&action| (action, game.gain(action))).collect();
    assert!(all.iter().all(|&(_, gain)| gain >= 0), "a gain below 0 in {text}");
    let expected: Vec<_> = all.into_iter().filter(|&(_, gain)| gain > 0).collect();
    assert_eq!(gains, expected, "gains are those of the legal actions in {text}");
    if let Some(passed) = game.null_move().filter(|_| game.outcome().is_none()) {
        assert_eq!(
            passed.to_move(),
            !game.to_move(),
            "the other player is to move after a pass in {text}"
        );
        assert!(passed.null_move().is_none(), "two passes in a row in {text}");
    }
}
