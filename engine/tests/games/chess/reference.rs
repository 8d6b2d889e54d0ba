//! The engine against reference data of two independent programs, and published counts.

use std::collections::BTreeMap;

use chase_engine::chess::{Position, Rules, Variant, perft};
use chase_engine::{Chess, Game, Outcome};
use serde::Deserialize;

use super::game;
use crate::data::{PerftData, Successors, lines, unpack};

/// A game of random actions, which need not have ended.
#[derive(Deserialize)]
struct RandomGame {
    start: String,
    actions: Vec<String>,
    every_tenth: Vec<String>,
    last: String,
    end: Option<String>,
}

#[test]
fn every_position_has_exactly_the_reference_successors() {
    let positions: Vec<Successors> = lines(include_bytes!("../../data/games/chess-cyl/positions.jsonl.gz"));
    assert_eq!(positions.len(), 162);
    for expected in positions {
        let here = &expected.position;
        let game = game(Variant::Cylinder, here);
        assert_eq!(&game.position_text(), here);
        let plies = game.position().legal_actions().into_iter().map(|action| {
            let mut next = game.clone();
            next.apply(action);
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&text), Ok(action), "{here}");
            (text, next.position_text())
        });
        let plies: BTreeMap<_, _> = plies.collect();
        assert_eq!(plies, expected.results(), "{here}");
        assert_eq!(plies.len(), expected.n_actions, "{here}");
        assert_eq!(game.position().count_actions() as usize, expected.n_actions, "{here}");
        assert_eq!(game.outcome().map(Outcome::name), expected.outcome.as_deref(), "{here}");
    }
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    let text = unpack(include_bytes!("../../data/games/chess-cyl/perft.json.gz"));
    let mut data: BTreeMap<String, PerftData> = serde_json::from_str(&text).unwrap();
    let data = data.remove("chess-cyl").unwrap();
    assert_eq!(data.positions.len(), 8);
    assert_eq!(data.start.position, Position::initial(Variant::Cylinder).to_string());
    for counts in data.positions.iter().chain([&data.start]) {
        let position = Position::parse(Variant::Cylinder, &counts.position).unwrap();
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            assert_eq!(perft(&position, depth), nodes, "{position} at depth {depth}");
        }
    }
}

#[test]
fn whole_games_run_through_the_reference_positions() {
    let games: Vec<RandomGame> = lines(include_bytes!("../../data/games/chess-cyl/games.jsonl.gz"));
    assert_eq!(games.len(), 10);
    for expected in games {
        let mut game = game(Variant::Cylinder, &expected.start);
        let mut every_tenth = Vec::new();
        for text in &expected.actions {
            assert_eq!(game.outcome(), None);
            game.apply(game.parse_action(text).unwrap_or_else(|error| panic!("{error}")));
            if game.plies().is_multiple_of(10) {
                every_tenth.push(game.position_text());
            }
        }
        assert_eq!(every_tenth, expected.every_tenth);
        assert_eq!(game.position_text(), expected.last);
        assert_eq!(
            game.outcome().map(Outcome::name),
            expected.end.as_deref(),
            "{}",
            expected.last
        );
    }
}

/// The positions of <https://www.chessprogramming.org/Perft_Results>, with their counts from depth 1.
const PUBLISHED: [(&str, &[u64]); 6] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8902, 197_281, 4_865_609],
    ),
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862, 4_085_603],
    ),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2812, 43238]),
    (
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467, 422_333],
    ),
    (
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62379, 2_103_487],
    ),
    (
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[46, 2079, 89890, 3_894_594],
    ),
];

#[test]
fn published_perft_counts_of_chess() {
    for (text, counts) in PUBLISHED {
        let position = Position::parse(Variant::Flat, text).unwrap();
        for (depth, &nodes) in (1..).zip(counts) {
            assert_eq!(perft(&position, depth), nodes, "{text} at depth {depth}");
        }
    }
}

#[test]
fn positions_that_games_start_from_are_those_of_the_texts() {
    for variant in Variant::ALL {
        let game = Chess::new(&Rules::standard(variant));
        assert_eq!(game.position_text(), PUBLISHED[0].0);
    }
}
