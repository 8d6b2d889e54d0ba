//! The engine against reference data from two independent implementations: all of it.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

use chase_engine::draughts::{Position, Rules, Variant, perft, perft_turns};
use chase_engine::{Draughts, Game, Outcome, Player};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::for_each_game;

fn unpack(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

fn lines<T: DeserializeOwned>(packed: &[u8]) -> Vec<T> {
    let text = unpack(packed);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[derive(Deserialize)]
pub struct Successors {
    pub game: String,
    pub position: String,
    n_actions: usize,
    actions: Vec<Ply>,
    outcome: Option<String>,
}

#[derive(Deserialize)]
struct Ply {
    action: String,
    result: String,
}

pub static POSITIONS: LazyLock<Vec<Successors>> =
    LazyLock::new(|| lines(include_bytes!("../data/games/positions.jsonl.gz")));

/// The reference's name of the winner.
fn name(player: Player) -> &'static str {
    match player {
        Player::White => "dark",
        Player::Black => "light",
    }
}

#[test]
fn every_position_has_exactly_the_reference_successors() {
    for_each_game!(check_successors);
}

fn check_successors<V: Variant>() {
    let mut seen = 0;
    for expected in POSITIONS.iter().filter(|expected| expected.game == V::NAME) {
        seen += 1;
        let here = format!("{} {}", V::NAME, expected.position);
        let rules = Draughts::published_rules(&Rules::standard(V::VARIATION));
        let game = Draughts::from_position_text(&expected.position, &rules).unwrap();
        let position: Position<V> = expected.position.parse().unwrap();
        assert_eq!(game.position_text(), position.to_string());
        assert_eq!(position.short_text(), expected.position, "{here}");
        let plies = position.legal_actions().into_iter().map(|action| {
            let text = game.action_text(action);
            assert_eq!(game.parse_action(&text), Ok(action), "{here} {text}");
            let next = position.play(action).unwrap();
            // What stands in the bitboards agrees with what lies in the stacks.
            assert_eq!(
                next.to_string().parse::<Position<V>>().as_ref(),
                Ok(&next),
                "{here} {text}"
            );
            (text, next.short_text())
        });
        let plies: BTreeMap<_, _> = plies.collect();
        let reference = expected
            .actions
            .iter()
            .map(|ply| (ply.action.clone(), ply.result.clone()));
        assert_eq!(plies, reference.collect(), "{here}");
        assert_eq!(plies.len(), expected.n_actions, "{here}");
        assert_eq!(position.count_actions() as usize, expected.n_actions, "{here}");
        assert_eq!(position.has_action(), expected.n_actions > 0, "{here}");
        let winner = game.outcome().map(|outcome| name(outcome.winner().unwrap()));
        assert_eq!(winner, expected.outcome.as_deref(), "{here}");
    }
    assert_eq!(seen, 100, "{}", V::NAME);
}

#[derive(Deserialize)]
struct PerftCounts {
    position: String,
    nodes: Vec<u64>,
    turns: Vec<u64>,
}

#[derive(Deserialize)]
struct PerftData {
    start: PerftCounts,
    positions: Vec<PerftCounts>,
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    for_each_game!(check_perft);
}

fn check_perft<V: Variant>() {
    let text = unpack(include_bytes!("../data/games/perft.json.gz"));
    let mut data: BTreeMap<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let data: PerftData = serde_json::from_value(data.remove(V::NAME).unwrap()).unwrap();
    assert_eq!(data.positions.len(), 12);
    if !V::NUMBERS {
        assert_eq!(data.start.position, Position::<V>::initial().short_text());
    }
    for counts in data.positions.iter().chain([&data.start]) {
        let position: Position<V> = counts.position.parse().unwrap();
        let here = |depth| format!("{} {} at depth {depth}", V::NAME, counts.position);
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            assert_eq!(perft(&position, depth), nodes, "{}", here(depth));
        }
        for (depth, &turns) in (1..).zip(&counts.turns) {
            assert_eq!(perft_turns(&position, depth), turns, "{}", here(depth));
        }
    }
}

#[derive(Deserialize)]
struct RandomGame {
    game: String,
    start: String,
    actions: Vec<String>,
    every_tenth: Vec<String>,
    last: String,
    end: String,
    reason: String,
    turns: u32,
    plies: u32,
}

static GAMES: LazyLock<Vec<RandomGame>> = LazyLock::new(|| {
    let text = unpack(include_bytes!("../data/games/games.jsonl.gz"));
    let values = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    // The other games have no reasons.
    let draughts = values.filter(|value| value.get("reason").is_some());
    draughts.map(|value| serde_json::from_value(value).unwrap()).collect()
});

#[test]
fn whole_games_run_through_the_reference_positions_to_the_reference_result() {
    for_each_game!(check_games);
}

fn check_games<V: Variant>() {
    let mut seen = 0;
    for expected in GAMES.iter().filter(|expected| expected.game == V::NAME) {
        seen += 1;
        let mut game = Draughts::from_position_text(&expected.start, &Rules::standard(V::VARIATION)).unwrap();
        let mut every_tenth = Vec::new();
        for text in &expected.actions {
            assert_eq!(game.outcome(), None);
            let action = game
                .parse_action(text)
                .unwrap_or_else(|error| panic!("{}: {error}", V::NAME));
            game.apply(action);
            if game.plies() % 10 == 0 {
                every_tenth.push(game.position_text());
            }
        }
        assert_eq!(every_tenth, expected.every_tenth, "{}", V::NAME);
        assert_eq!(game.position_text(), expected.last);
        assert_eq!(game.position().turns_played(), expected.turns);
        assert_eq!(game.plies(), expected.plies);
        let end = match game.outcome() {
            Some(Outcome::Win(winner)) => name(winner),
            Some(other) => other.name(),
            None => "none",
        };
        assert_eq!(end, expected.end);
        let reason = match &*expected.reason {
            "quiet" => "quiet turns",
            "length" => "length limit",
            same => same,
        };
        assert_eq!(game.end_reason(), Some(reason));
    }
    assert_eq!(seen, 10, "{}", V::NAME);
}
