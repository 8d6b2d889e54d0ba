//! The draughts and placement games and chess on the cylinder against reference data from two independent
//! implementations: all of it. The data of Chase have another form; for chess on the flat board there are published counts.

use std::collections::BTreeMap;

use chase_engine::{Game, GameName, with_game};

use crate::data::{GAMES, POSITIONS, PerftData, RandomGame, Successors};

/// So many words of a position as the reference has, which may leave out the counters.
fn short<G: Game>(game: &G, reference: &str) -> String {
    let text = game.position_text();
    let words: Vec<_> = text.split(' ').take(reference.split(' ').count()).collect();
    words.join(" ")
}

fn legal<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions
}

#[test]
fn every_position_has_exactly_the_reference_successors() {
    for &name in GameName::ALL {
        let seen = with_game!(name, G => check_successors::<G>(name));
        let expected = match name {
            GameName::Chase | GameName::ConnectFour | GameName::Chess => 0,
            GameName::ChessCyl => 162,
            _ => 100,
        };
        assert_eq!(seen, expected, "{name}");
    }
}

fn check_successors<G: Game>(name: GameName) -> usize {
    let rules = G::published_rules(&name.rules::<G>());
    let positions = POSITIONS.iter().filter(|expected| expected.game == name.name());
    let check = |expected: &Successors| {
        let here = format!("{name} {}", expected.position);
        let game = G::from_position_text(&expected.position, &rules).unwrap();
        assert_eq!(short(&game, &expected.position), expected.position, "{here}");
        let plies = legal(&game).into_iter().map(|action| {
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&text), Ok(action), "{here} {text}");
            let mut next = game.clone();
            next.apply(action);
            // What is kept up to date with each ply agrees with what is found on the board.
            let read = G::from_position_text(&next.position_text(), &rules);
            let read = read.unwrap_or_else(|error| panic!("{here} {text}: {error}"));
            assert_eq!(read.position_key(), next.position_key(), "{here} {text}");
            assert_eq!(legal(&read), legal(&next), "{here} {text}");
            (text, short(&next, &expected.position))
        });
        let plies: BTreeMap<_, _> = plies.collect();
        assert_eq!(plies, expected.results(), "{here}");
        assert_eq!(plies.len(), expected.n_actions, "{here}");
        assert_eq!(game.perft(1), expected.n_actions as u64, "{here}");
        let outcome = game.outcome().map(G::outcome_name);
        assert_eq!(outcome, expected.outcome.as_deref(), "{here}");
    };
    positions.map(check).count()
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    for (name, data) in PerftData::all() {
        with_game!(name, G => check_perft::<G>(name, &data));
    }
}

fn check_perft<G: Game>(name: GameName, data: &PerftData) {
    let rules = G::published_rules(&name.rules::<G>());
    let start = &data.start.position;
    let is_initial = G::begins_at_random(&rules) || short(&G::new(&rules), start) == *start;
    assert!(is_initial && data.positions.len() >= 8, "{name}");
    for counts in data.positions.iter().chain([&data.start]) {
        let game = G::from_position_text(&counts.position, &rules).unwrap();
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            assert_eq!(game.perft(depth), nodes, "{name} {} at depth {depth}", counts.position);
        }
    }
}

#[test]
fn whole_games_run_through_the_reference_positions_to_the_reference_result() {
    for expected in &*GAMES {
        let name: GameName = expected.game.parse().unwrap();
        with_game!(name, G => check_game::<G>(name, expected));
    }
    assert_eq!(GAMES.len(), 230);
}

fn check_game<G: Game>(name: GameName, expected: &RandomGame) {
    // Games of chess were played by the rules alone.
    let rules = match name {
        GameName::ChessCyl => G::published_rules(&name.rules::<G>()),
        _ => name.rules::<G>(),
    };
    let mut game = G::from_position_text(&expected.start, &rules).unwrap();
    let mut every_tenth = Vec::new();
    for text in &expected.actions {
        assert_eq!(game.outcome(), None);
        let action = game.parse_action(text);
        game.apply(action.unwrap_or_else(|error| panic!("{name}: {error}")));
        if game.plies().is_multiple_of(10) {
            every_tenth.push(game.position_text());
        }
    }
    assert_eq!(every_tenth, expected.every_tenth, "{name}");
    assert_eq!(game.position_text(), expected.last, "{name}");
    let end = game.outcome().map(G::outcome_name);
    assert_eq!(end, expected.end.as_deref(), "{name} {}", expected.last);
    if expected.reason.is_some() {
        assert_eq!(game.end_reason(), expected.reason.as_deref(), "{name}");
    }
    if let Some(plies) = expected.plies {
        assert_eq!(game.plies(), plies, "{name}");
    }
}
