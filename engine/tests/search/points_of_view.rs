//! Values from each player's point of view: players who act twice, draws, limits, cycles.

use chase_engine::search::{Search, UniformEvaluator};
use chase_engine::{Outcome, Player, Value};

use crate::evaluators::Constant;
use crate::graph_game::Graph;
use crate::{gumbel, puct, rng, searched};

#[test]
fn values_follow_the_player_and_not_the_ply() {
    // Nobody can end this game, players act in any order, and all positions are worth 0.6 to White.
    let graph = Graph::parse("w:1,2 w:3,4 b:4,5 w:0,5 b:3,2 b:0,1,4");
    let mut evaluator = Constant { white: 0.7, black: 0.1 };
    for params in [puct(500), gumbel(500, 1.0)] {
        let search = searched(&graph.game(), &params, &mut evaluator);
        let mut open = vec![search.root().unwrap()];
        let mut seen = 0;
        while let Some(node) = open.pop() {
            let player = node.to_move().unwrap();
            assert!((node.wdl(Player::White).win - 0.7).abs() < 1e-6);
            assert!((node.wdl(Player::Black).loss - 0.7).abs() < 1e-6);
            let expected = if player == Player::White { 0.6 } else { -0.6 };
            for edge in node.edges() {
                if let (Some(Value(q)), Some(child)) = (edge.q, edge.child) {
                    assert!((q - expected).abs() < 1e-6, "{player:?} has Q {q}");
                    seen += 1;
                    open.push(child);
                }
            }
        }
        assert_eq!(seen, 500);
    }
}

#[test]
fn a_player_who_acts_twice_wins_with_the_second_action() {
    // White, then White again, may go on to 3, where White has won; 4 is lost. A sign flipped at every ply would
    // make White fear its own win. Black's mirror image likewise.
    for (text, winner) in [
        ("w:1,2 w:3,4 =b =w =b", Player::White),
        ("b:1,2 b:3,4 =w =b =w", Player::Black),
    ] {
        for params in [puct(20), gumbel(20, 1.0)] {
            let search = searched(&Graph::parse(text).game(), &params, &mut UniformEvaluator);
            let result = search.result();
            assert_eq!(result.proven(), Some(Outcome::Win(winner)));
            assert_eq!(result.value(), Some(Value::WIN));
            assert_eq!(result.principal_variation(), [0, 0]);
        }
    }
}

#[test]
fn a_draw_beats_a_loss_and_is_worth_nothing() {
    let search = searched(
        &Graph::parse("b:1,2,3 =w =d b:1").game(),
        &puct(20),
        &mut UniformEvaluator,
    );
    let result = search.result();
    assert_eq!(result.best_action(), Some(1));
    assert_eq!(result.proven(), Some(Outcome::Draw));
    assert_eq!(result.value(), Some(Value::DRAW));
    let wdl = result.wdl().unwrap();
    assert_eq!((wdl.win, wdl.draw, wdl.loss), (0.0, 1.0, 0.0));
}

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
fn a_draw_by_repetition_belongs_to_the_line_and_not_to_the_position() {
    // 0 → 1 → 0 repeats and draws. White's other way, 2, loses. So White goes round, and Black may leave for 3, where
    // White wins, but will not.
    let mut graph = Graph::parse("w:1,2 b:0,3 =b =w");
    graph.repetition = true;
    for params in [puct(100), gumbel(100, 1.0)] {
        let search = searched(&graph.game(), &params, &mut UniformEvaluator);
        assert_eq!(search.result().proven(), Some(Outcome::Draw));
        assert_eq!(search.result().principal_variation(), [0, 0]);
    }
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
