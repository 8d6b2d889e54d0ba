//! The engine against reference data from two independent implementations: all of it.

use std::collections::BTreeMap;

use chase_engine::placement::{Placement, Position, Rules, perft};
use chase_engine::{Game, Outcome};

use super::for_each_game;
use crate::data::{GAMES, POSITIONS, PerftData};

fn name<P: Position>(outcome: Option<Outcome>) -> Option<&'static str> {
    outcome.map(Placement::<P>::outcome_name)
}

#[test]
fn every_position_has_exactly_the_reference_successors() {
    for_each_game!(check_successors);
}

fn check_successors<P: Position>() {
    let (mut seen, mut successors) = (0, 0);
    for expected in POSITIONS.iter().filter(|expected| expected.game == P::NAME) {
        seen += 1;
        let here = format!("{} {}", P::NAME, expected.position);
        let game = Placement::<P>::from_position_text(&expected.position, &Rules::PUBLISHED).unwrap();
        let position = game.position();
        assert_eq!(position.to_string(), expected.position, "{here}");
        let plies = position.legal_actions().into_iter().map(|action| {
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&text), Ok(action), "{here} {text}");
            let next = position.play(action).unwrap();
            // What is kept up to date with each ply agrees with what is found on the board.
            let read = next
                .to_string()
                .parse::<P>()
                .unwrap_or_else(|error| panic!("{here} {text}: {error}"));
            assert_eq!((read, read.key()), (next, next.key()), "{here} {text}");
            (text, next.to_string())
        });
        let plies: BTreeMap<_, _> = plies.collect();
        assert_eq!(plies, expected.results(), "{here}");
        assert_eq!(plies.len(), expected.n_actions, "{here}");
        assert_eq!(position.count_actions() as usize, expected.n_actions, "{here}");
        assert_eq!(name::<P>(game.outcome()), expected.outcome.as_deref(), "{here}");
        successors += plies.len();
    }
    assert_eq!(seen, 100, "{}", P::NAME);
    assert!(successors > 1500, "{} {successors}", P::NAME);
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    for_each_game!(check_perft);
}

fn check_perft<P: Position>() {
    let data = PerftData::of(P::NAME);
    assert_eq!(data.positions.len(), 10);
    assert_eq!(data.start.position, P::initial().to_string());
    for counts in data.positions.iter().chain([&data.start]) {
        let position: P = counts.position.parse().unwrap();
        let game = Placement::from_position(position, Rules::default());
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            let here = format!("{} {} at depth {depth}", P::NAME, counts.position);
            assert_eq!(perft(&position, depth), nodes, "{here}");
            assert_eq!(game.perft(depth), nodes, "{here}");
        }
    }
}

#[test]
fn whole_games_run_through_the_reference_positions_to_the_reference_result() {
    for_each_game!(check_games);
}

fn check_games<P: Position>() {
    let mut seen = 0;
    for expected in GAMES.iter().filter(|expected| expected.game == P::NAME) {
        seen += 1;
        let mut game = Placement::<P>::from_position_text(&expected.start, &Rules::default()).unwrap();
        assert_eq!(game.position(), &P::initial());
        let mut every_tenth = Vec::new();
        for text in &expected.actions {
            assert_eq!(game.outcome(), None);
            let action = game.parse_action(text);
            game.apply(action.unwrap_or_else(|error| panic!("{}: {error}", P::NAME)));
            if game.plies() % 10 == 0 {
                every_tenth.push(game.position_text());
            }
        }
        assert_eq!(every_tenth, expected.every_tenth, "{}", P::NAME);
        assert_eq!(game.position_text(), expected.last);
        assert_eq!(
            game.turns_played(),
            expected.turns,
            "{} {:?}",
            P::NAME,
            expected.actions
        );
        assert_eq!(game.plies(), expected.plies);
        assert_eq!(name::<P>(game.outcome()), Some(&*expected.end));
    }
    assert_eq!(seen, 10, "{}", P::NAME);
}
