//! Gumbel AlphaZero against its paper's formulas.

use chase_engine::search::{GumbelParams, Search, SearchParams, Strategy};
use chase_engine::{Chase, ConnectFour, Game};

use crate::evaluators::HashEvaluator;
use crate::graph_game::Graph;
use crate::naive::{Naive, completed_q, improved_policy};
use crate::{after, gumbel, rng, searched};

#[test]
fn agrees_with_the_naive_search() {
    for (line, simulations) in [("", 200), ("4 4 4 4", 33), ("4 1 4 1 3 7", 500), ("1 7 2 7 3 6", 120)] {
        for salt in 0..3 {
            let game: ConnectFour = after(&(), line);
            let params = gumbel(simulations, 0.0);
            let search = searched(&game, &params, &mut HashEvaluator { salt });
            Naive::run(&game, &params, HashEvaluator { salt }).assert_same(search.root().unwrap());
        }
    }
    let game = Chase::new(&chase_engine::chase::Rules::default());
    for simulations in [8, 50, 200] {
        let params = gumbel(simulations, 0.0);
        let search = searched(&game, &params, &mut HashEvaluator::default());
        Naive::run(&game, &params, HashEvaluator::default()).assert_same(search.root().unwrap());
    }
}

#[test]
fn agrees_with_the_naive_search_on_random_graphs() {
    let mut rng = rng(4);
    for index in 0..300 {
        let graph = Graph::random(12, index % 2 == 0, index % 3 == 0, &mut rng);
        let params = gumbel(100, 0.0);
        let search = searched(&graph.game(), &params, &mut HashEvaluator { salt: index });
        let naive = Naive::run(&graph.game(), &params, HashEvaluator { salt: index });
        naive.assert_same(search.root().unwrap());
    }
}

#[test]
fn the_target_is_the_papers_improved_policy() {
    let params = GumbelParams {
        c_visit: 20.0,
        c_scale: 0.3,
        ..GumbelParams::default()
    };
    for salt in 0..20 {
        let game = Chase::new(&chase_engine::chase::Rules::default());
        let search_params = SearchParams {
            strategy: Strategy::Gumbel(params),
            ..gumbel(40, 1.0)
        };
        let search = searched(&game, &search_params, &mut HashEvaluator { salt });
        let root = search.root().unwrap();
        let priors: Vec<f64> = root.edges().map(|edge| f64::from(edge.prior)).collect();
        let visits: Vec<usize> = root.edges().map(|edge| edge.visits as usize).collect();
        let q: Vec<f64> = root
            .edges()
            .map(|edge| edge.q.map_or(0.0, |q| f64::from(q.0)))
            .collect();
        let (completed, _) = completed_q(f64::from(root.evaluation().0), &priors, &visits, &q);
        let expected = improved_policy(&params, &priors, &visits, &completed);
        let mut target = Vec::new();
        search.result().policy_target(&mut target);
        for (target, expected) in target.iter().zip(&expected) {
            assert!(
                (f64::from(*target) - expected).abs() < 1e-5,
                "{target} instead of {expected}"
            );
        }
        let expected: f64 = expected.iter().sum();
        assert!((expected - 1.0).abs() < 1e-9);
    }
}

#[test]
fn without_simulations_actions_are_samples_of_the_prior() {
    let game: ConnectFour = after(&(), "4 4");
    let mut counts = [0_u32; 7];
    let mut search = Search::new();
    let mut rng = rng(2);
    let samples = 20_000;
    for _ in 0..samples {
        search.start(&game, &gumbel(0, 1.0), &mut rng).unwrap();
        search.run(&mut HashEvaluator { salt: 1 }).unwrap();
        counts[usize::from(search.result().best_action().unwrap())] += 1;
    }
    for (count, edge) in counts.iter().zip(search.root().unwrap().edges()) {
        let probability = f64::from(edge.prior);
        let deviation = 5.0 * (f64::from(samples) * probability * (1.0 - probability)).sqrt();
        let expected = f64::from(samples) * probability;
        assert!(
            (f64::from(*count) - expected).abs() <= deviation,
            "{counts:?}, expected {expected}"
        );
    }
}

#[test]
fn the_root_considers_as_many_actions_as_asked() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    for considered in [1, 4, 16, 46, 100] {
        let params = SearchParams {
            strategy: Strategy::Gumbel(GumbelParams {
                considered_actions: considered,
                ..GumbelParams::default()
            }),
            ..gumbel(400, 1.0)
        };
        let search = searched(&game, &params, &mut HashEvaluator::default());
        let root = search.root().unwrap();
        let visited = root.edges().filter(|edge| edge.visits > 0).count();
        assert_eq!(visited, 46.min(considered as usize));
        // The choice is among those that were visited most.
        let best = search.result().best_action().unwrap();
        let most = root.edges().map(|edge| edge.visits).max();
        assert_eq!(
            root.edges().find(|edge| edge.action == best).map(|edge| edge.visits),
            most
        );
    }
}
