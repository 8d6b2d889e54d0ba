//! Games whose results are known.

use chase_engine::search::{GumbelParams, RolloutEvaluator, SearchParams, Stop, Strategy, UniformEvaluator};
use chase_engine::{Chase, ConnectFour, Game, Outcome, Player, Value};

use crate::leaves::batched;
use crate::{after, gumbel, puct, rng, searched};

/// Connect Four positions, the simulations allowed, the columns that are right, and the proof expected.
const CONNECT_FOUR: [(&str, u32, &[u8], Option<Player>); 7] = [
    // Wins at once: upright, level, and for Black.
    ("1 7 1 7 1 7", 30, &[1], Some(Player::White)),
    ("3 3 4 4 5 7", 30, &[2, 6], Some(Player::White)),
    ("1 7 1 7 2 7 3", 30, &[7], Some(Player::Black)),
    // Black's three in the corner are to be blocked.
    ("1 7 1 7 2 7", 400, &[7], None),
    // White has 3 and 4: 2 or 5 make an open three and win in 3 plies.
    ("4 4 3 3", 3000, &[2, 5], Some(Player::White)),
    ("3 3 4 7", 3000, &[2, 5], Some(Player::White)),
    // Black must stop that, next to the two or at a distance.
    ("3 7 4", 3000, &[2, 5, 6], None),
];

#[test]
fn connect_four_wins_are_found_and_proven() {
    for (line, simulations, columns, winner) in CONNECT_FOUR {
        for params in [puct(simulations), batched(simulations, 8), gumbel(simulations, 1.0)] {
            let game: ConnectFour = after(&(), line);
            let search = searched(&game, &params, &mut UniformEvaluator);
            let best = search.result().best_action().unwrap() + 1;
            assert!(columns.contains(&best), "{best} after {line} with {params:?}");
            assert_eq!(
                search.result().proven(),
                winner.map(Outcome::Win),
                "after {line} with {params:?}"
            );
            if winner.is_some() {
                assert_eq!(search.result().value(), Some(Value::WIN));
                assert_eq!(search.stop(), Some(Stop::Proven));
            }
        }
    }
}

#[test]
fn rollouts_are_evaluation_enough_to_block() {
    let game: ConnectFour = after(&(), "1 7 1 7 2 7");
    let mut evaluator = RolloutEvaluator::new(4, 100, rng(3));
    let search = searched(&game, &puct(200), &mut evaluator);
    assert_eq!(search.result().best_action(), Some(6));
}

#[test]
fn a_principal_variation_is_a_line_of_play() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    for params in [puct(500), gumbel(500, 1.0)] {
        let search = searched(&game, &params, &mut crate::evaluators::HashEvaluator::default());
        let line = search.result().principal_variation();
        assert_eq!(line.first().copied(), search.result().best_action());
        assert!(line.len() > 1);
        let mut game = game.clone();
        for action in line {
            assert!(game.is_legal(action));
            game.apply(action);
        }
    }
}

#[test]
fn chase_takes_the_fifth_die() {
    for text in wins_by_capture() {
        let game = Chase::from_position_text(&text, &chase_engine::chase::Rules::default()).unwrap();
        let all_actions = SearchParams {
            strategy: Strategy::Gumbel(GumbelParams {
                considered_actions: 100,
                ..GumbelParams::default()
            }),
            ..puct(200)
        };
        for params in [puct(200), batched(200, 8), all_actions] {
            let search = searched(&game, &params, &mut UniformEvaluator);
            assert_eq!(search.result().proven(), Some(Outcome::Win(game.to_move())), "{text}");
            let mut next = game.clone();
            next.apply(search.result().best_action().unwrap());
            assert_eq!(next.outcome(), Some(Outcome::Win(game.to_move())), "{text}");
        }
    }
}

/// Positions of random games in which the player to move can win at once.
fn wins_by_capture() -> Vec<String> {
    let mut rng = rng(12);
    let mut found = Vec::new();
    let mut actions = Vec::new();
    while found.len() < 10 {
        let mut game = Chase::new(&chase_engine::chase::Rules::default());
        while game.outcome().is_none() {
            game.legal_actions(&mut actions);
            let winning = actions.iter().any(|&action| {
                let mut next = game.clone();
                next.apply(action);
                next.outcome() == Some(Outcome::Win(game.to_move()))
            });
            if winning && actions.len() > 1 {
                found.push(game.position_text());
                break;
            }
            game.apply(actions[rand::RngExt::random_range(&mut rng, 0..actions.len())]);
        }
    }
    found
}
