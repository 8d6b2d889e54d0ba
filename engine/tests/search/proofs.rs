//! Proven results against exhaustive solutions, and what they do to the search.

use chase_engine::search::{
    EvaluationError, Evaluations, Evaluator, GumbelParams, Leaf, Search, Stop, UniformEvaluator,
};
use chase_engine::{Game, Outcome, Player, Value, Wdl};

use crate::evaluators::HashEvaluator;
use crate::graph_game::{Graph, GraphGame, solve};
use crate::leaves::batched;
use crate::{gumbel, puct, rng, searched};

/// Every proof in the tree agrees with exhaustive search. Returns how many there are.
fn check_proofs<G: Game>(game: &G, node: chase_engine::search::NodeView<'_, G>) -> u32 {
    let mut proofs = 0;
    if let Some(outcome) = node.proven() {
        assert_eq!(Some(outcome), solve(game), "proof of {}", game.position_text());
        let value = outcome.value_for(Player::White).unwrap();
        assert_eq!(node.wdl(Player::White).value(), value, "a proven value is exact");
        proofs += 1;
    }
    for edge in node.edges() {
        if let Some(child) = edge.child {
            let mut next = game.clone();
            next.apply(edge.action);
            if let Some(outcome) = edge.proven {
                assert_eq!(
                    edge.q,
                    outcome.value_for(game.to_move()),
                    "Q of a proven action is exact"
                );
            }
            proofs += check_proofs(&next, child);
        }
    }
    proofs
}

#[test]
fn proofs_agree_with_exhaustive_search() {
    const SIMULATIONS: u32 = 3000;
    let mut rng = rng(11);
    let (mut proofs, mut results, mut proven_roots) = (0, [0; 3], [0; 5]);
    for index in 0..200 {
        let (cyclic, truncated) = (index % 2 == 0, index % 4 == 3);
        let game = Graph::random(if cyclic { 7 } else { 12 }, cyclic, truncated, &mut rng).game();
        let solution = solve(&game);
        results[solution.map_or(2, |outcome| outcome.winner().map_or(2, |player| player as usize))] += 1;
        let searches = [
            searched(&game, &puct(SIMULATIONS), &mut UniformEvaluator),
            searched(&game, &puct(SIMULATIONS), &mut HashEvaluator { salt: index }),
            searched(&game, &gumbel(SIMULATIONS, 1.0), &mut HashEvaluator { salt: index }),
            searched(&game, &batched(SIMULATIONS, 8), &mut UniformEvaluator),
            searched(&game, &batched(SIMULATIONS, 3), &mut HashEvaluator { salt: index }),
        ];
        for (kind, search) in searches.iter().enumerate() {
            proofs += check_proofs(&game, search.root().unwrap());
            let Some(outcome) = search.result().proven() else {
                assert_eq!(search.stop(), Some(Stop::Simulations));
                // Misled by its evaluator a search may look away for long, and sequential halving gives actions up.
                assert!(
                    solution.is_none() || ![0, 3].contains(&kind),
                    "{SIMULATIONS} simulations solve graph {index}"
                );
                continue;
            };
            assert_eq!(search.stop(), Some(Stop::Proven));
            proven_roots[kind] += 1;
            // The choice keeps the result of perfect play.
            let mut next = game.clone();
            next.apply(search.result().best_action().unwrap());
            assert_eq!(solve(&next), Some(outcome), "graph {index}");
        }
    }
    assert!(proofs > 5000, "{proofs} proofs");
    assert!(
        results.iter().all(|&count| count > 20),
        "all results occur: {results:?}"
    );
    assert!(
        proven_roots.iter().all(|&count| count > 100),
        "roots proven: {proven_roots:?}"
    );
}

#[test]
fn a_proven_loss_is_not_visited_again() {
    // 1 loses at once; 2 and 3 go round for ever.
    let graph = Graph::parse("w:1,2 =b b:3 w:2");
    for params in [puct(100), gumbel(100, 1.0)] {
        let search = searched(&graph.game(), &params, &mut UniformEvaluator);
        let visits: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
        assert_eq!(visits, [1, 99]);
        let mut policy = Vec::new();
        search.result().visit_policy(&mut policy);
        assert_eq!(policy, [0.0, 1.0], "no target for a loss");
        search.result().improved_policy(&GumbelParams::default(), &mut policy);
        assert_eq!(policy, [0.0, 1.0]);
        for temperature in [5.0, 1e38, f32::INFINITY] {
            for seed in 0..10 {
                let sampled = search.result().sample_action(temperature, &mut rng(seed));
                assert_eq!(sampled, Some(1), "T {temperature}");
            }
        }
    }
}

/// Takes position 1 and what follows it at first sight for nearly won, and at the third for lost; White is a little
/// ahead everywhere else.
struct Lured;

impl Evaluator<GraphGame> for Lured {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, GraphGame>],
        evaluations: &mut Evaluations,
    ) -> Result<(), EvaluationError> {
        for leaf in leaves {
            let white = match leaf.game.at() {
                1 | 2 => Wdl::new(0.9, 0.1, 0.0),
                3 => Wdl::LOSS,
                _ => Wdl::new(0.5, 0.5, 0.0),
            };
            let wdl = if leaf.game.to_move() == Player::White {
                white
            } else {
                -white
            };
            evaluations.push(wdl, leaf.actions.iter().map(|_| 0.0));
        }
        Ok(())
    }
}

#[test]
fn simulations_that_losses_set_free_go_to_all_that_are_left() {
    // Of 16 actions 12 lose at once. The first of the others only looks best: what the losses leave of the schedule
    // must not make it the most visited, since of those the choice is made.
    let graph = Graph::parse("w:1,4,4,4,5,5,5,5,5,5,5,5,5,5,5,5 b:2 b:3 b:3 b:4 =b");
    let params = gumbel(32, 0.0);
    let mut search = searched(&graph.game(), &params, &mut Lured);
    let visits = |search: &Search<GraphGame>| -> Vec<u32> {
        let open = search.root().unwrap().edges().take(4);
        open.map(|edge| edge.visits).collect()
    };
    let before = visits(&search);
    assert_eq!(before, [5, 5, 5, 5]);
    assert_eq!(search.result().best_action(), Some(1));
    // A search that begins with these losses proven halves what is left: four actions get four visits each, then two
    // get the rest.
    search.stay();
    search.start(&graph.game(), &params, &mut rng(1)).unwrap();
    search.run(&mut Lured).unwrap();
    let added: Vec<u32> = visits(&search)
        .iter()
        .zip(before)
        .map(|(n, before)| n - before)
        .collect();
    assert_eq!(added, [4, 12, 12, 4]);
}

#[test]
fn the_search_stops_at_a_proof_and_takes_the_win() {
    // A win behind the least likely action, after the others have gathered visits.
    let graph = Graph::parse("w:1,1,1,1,2 b:3,3 b:4 w:1,1 =w");
    for params in [puct(1000), gumbel(1000, 1.0)] {
        let search = searched(&graph.game(), &params, &mut UniformEvaluator);
        assert_eq!(search.stop(), Some(Stop::Proven));
        assert!(search.simulations() < 1000);
        assert_eq!(search.result().best_action(), Some(4));
        assert_eq!(search.result().value(), Some(Value::WIN));
        let mut policy = Vec::new();
        search.result().policy_target(&mut policy);
        assert_eq!(policy, [0.0, 0.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn a_lost_root_still_plays() {
    for params in [puct(50), gumbel(50, 1.0)] {
        let search = searched(&Graph::parse("w:1,2 =b =b").game(), &params, &mut UniformEvaluator);
        assert_eq!(search.stop(), Some(Stop::Proven));
        assert_eq!(search.result().proven(), Some(Outcome::Win(Player::Black)));
        assert_eq!(search.result().value(), Some(Value::LOSS));
        assert!(search.result().best_action().is_some());
        let mut policy = Vec::new();
        search.result().policy_target(&mut policy);
        assert_eq!(policy, [0.5, 0.5]);
    }
}
