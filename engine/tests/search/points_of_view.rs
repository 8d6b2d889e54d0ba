//! Values from each player's point of view: players who act twice, draws, limits, cycles.

use chase_engine::search::{Search, UniformEvaluator};
use chase_engine::{Outcome, Player, Value};

use crate::evaluators::Constant;
use crate::graph_game::Graph;
use crate::{gumbel, puct, rng, searched};

#[test]
fn a_truncated_game_neither_attracts_nor_deters_and_proves_nothing() {
    // All ends are truncated: what the evaluator said stands.
    let mut evaluator = Constant { white: 0.7, black: 0.1 };
    for text in ["w:1,2 =t b:3,3 =t", "b:1,2 =t w:3,3 =t"] {
        for params in [puct(100), gumbel(100, 1.0)] {
            let search = searched(&Graph::parse(text).game(), &params, &mut evaluator);
            assert_eq!(search.simulations(), 100);
            assert_eq!(search.result().proven(), None);
            let Value(value) = search.result().value().unwrap();
            assert!((value.abs() - 0.6).abs() < 1e-6, "{value}");
        }
    }
    // Beside a truncated game a loss is no proof that all is lost, but a win is one.
    let search = searched(&Graph::parse("w:1,2 =t =b").game(), &puct(50), &mut evaluator);
    assert_eq!(search.result().proven(), None);
    assert_eq!(search.result().best_action(), Some(0));
    let search = searched(&Graph::parse("w:1,2 =t =w").game(), &puct(50), &mut evaluator);
    assert_eq!(search.result().proven(), Some(Outcome::Win(Player::White)));
}

#[test]
fn history_before_the_root_counts() {
    use chase_engine::Game;
    // From 0 the way 0 → 1 → 2 → 1 is a repetition already if 1 was visited before the root.
    let mut graph = Graph::parse("w:1 b:2,3 w:1,4 =w =b");
    graph.repetition = true;
    let mut game = graph.game();
    for action in [0, 0] {
        game.apply(action);
    }
    assert_eq!(game.at(), 2);
    let mut search = Search::new();
    search.start(&game, &puct(10), &mut rng(1)).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    assert_eq!(
        search.result().proven(),
        Some(Outcome::Draw),
        "back to 1 is a repetition"
    );
    assert_eq!(search.result().best_action(), Some(0));
}
