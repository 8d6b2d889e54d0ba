//! The engine against reference data from two independent implementations: all of it.

use std::collections::BTreeMap;

use chase_engine::draughts::{Position, Rules, Variant, perft, perft_turns};
use chase_engine::{Draughts, Game, Outcome, Player};

use super::for_each_game;
use crate::data::{GAMES, POSITIONS, PerftData};

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
        assert_eq!(plies, expected.results(), "{here}");
        assert_eq!(plies.len(), expected.n_actions, "{here}");
        assert_eq!(position.count_actions() as usize, expected.n_actions, "{here}");
        assert_eq!(position.has_action(), expected.n_actions > 0, "{here}");
        let winner = game.outcome().map(|outcome| name(outcome.winner().unwrap()));
        assert_eq!(winner, expected.outcome.as_deref(), "{here}");
    }
    assert_eq!(seen, 100, "{}", V::NAME);
}

#[test]
fn perft_counts_agree_from_the_start_and_from_the_middle_of_games() {
    for_each_game!(check_perft);
}

fn check_perft<V: Variant>() {
    let data = PerftData::of(V::NAME);
    assert_eq!(data.positions.len(), 12);
    if !V::NUMBERS {
        assert_eq!(data.start.position, Position::<V>::initial().short_text());
    }
    for counts in data.positions.iter().chain([&data.start]) {
        let position: Position<V> = counts.position.parse().unwrap();
        let here = |depth| format!("{} {} at depth {depth}", V::NAME, counts.position);
        assert!(!counts.turns.is_empty());
        for (depth, &nodes) in (1..).zip(&counts.nodes) {
            assert_eq!(perft(&position, depth), nodes, "{}", here(depth));
        }
        for (depth, &turns) in (1..).zip(&counts.turns) {
            assert_eq!(perft_turns(&position, depth), turns, "{}", here(depth));
        }
    }
}

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
        let reason = match expected.reason.as_deref().unwrap() {
            "quiet" => "quiet turns",
            "length" => "length limit",
            same => same,
        };
        assert_eq!(game.end_reason(), Some(reason));
    }
    assert_eq!(seen, 10, "{}", V::NAME);
}
