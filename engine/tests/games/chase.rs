//! The engine against reference data from independent implementations: all of it.

use crate::data::{PerftData, lines, unpack};
use chase_engine::chase::{Action, Position, Rules, perft};
use chase_engine::{Chase, Game, Outcome};
use serde::Deserialize;

#[derive(Deserialize)]
struct Successors {
    position: String,
    n_actions: usize,
    results: Vec<String>,
}

#[test]
fn every_position_has_exactly_the_reference_successors() {
    let positions: Vec<Successors> = lines(include_bytes!("../data/positions.jsonl.gz"));
    assert_eq!(positions.len(), 4632);
    for expected in positions {
        let position: Position = expected.position.parse().unwrap();
        assert_eq!(position.to_short_cfen(), expected.position);
        let actions = position.legal_actions();
        assert_eq!(actions.len(), expected.n_actions, "{position}");
        assert_eq!(position.count_actions(), expected.n_actions, "{position}");
        assert_eq!(position.has_action(), expected.n_actions > 0, "{position}");
        assert_eq!(position.decision().is_some(), expected.n_actions == 0, "{position}");
        let mut results: Vec<_> = actions
            .iter()
            .map(|&action| position.play(action).unwrap().to_short_cfen())
            .collect();
        results.sort_unstable();
        results.dedup();
        assert_eq!(results, expected.results, "{position}");
    }
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    let data: PerftData = serde_json::from_str(&unpack(include_bytes!("../data/perft.json.gz"))).unwrap();
    assert_eq!((data.start.nodes.len(), data.positions.len()), (5, 60));
    assert_eq!(data.start.position, Position::initial().to_short_cfen());
    for counts in data.positions.iter().chain([&data.start]) {
        let position: Position = counts.position.parse().unwrap();
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            assert_eq!(perft(&position, depth), nodes, "{} at depth {depth}", counts.position);
        }
    }
}

#[derive(Deserialize)]
struct RandomGame {
    actions: Vec<String>,
    every_tenth: Vec<String>,
    last: String,
    end: String,
    turns: u32,
}

#[test]
fn whole_games_run_through_the_reference_positions_to_the_reference_result() {
    let games: Vec<RandomGame> = lines(include_bytes!("../data/games.jsonl.gz"));
    assert_eq!(games.len(), 300);
    for expected in games {
        let mut game = Chase::new(&Rules::PUBLISHED);
        let mut every_tenth = Vec::new();
        for (ply, text) in (1..).zip(&expected.actions) {
            assert_eq!(game.outcome(), None);
            let action: Action = game
                .parse_action(text)
                .unwrap_or_else(|error| panic!("ply {ply}: {error}"));
            game.apply(action);
            if ply % 10 == 0 {
                every_tenth.push(game.position().to_short_cfen());
            }
        }
        assert_eq!(every_tenth, expected.every_tenth);
        assert_eq!(game.position().to_short_cfen(), expected.last);
        assert_eq!(game.position().turns_played(), expected.turns);
        assert_eq!(game.outcome().map(Outcome::name), Some(&*expected.end));
    }
}
