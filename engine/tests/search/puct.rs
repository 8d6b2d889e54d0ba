//! PUCT, visit for visit, and its noise and temperature.

use chase_engine::search::{
    DirichletNoise, GumbelParams, NodeView, PuctParams, Search, SearchParams, Strategy, UniformEvaluator,
};
use chase_engine::{Chase, ConnectFour, Game};

use crate::evaluators::HashEvaluator;
use crate::graph_game::Graph;
use crate::naive::Naive;
use crate::{after, puct, rng, searched};

#[test]
fn agrees_with_the_naive_search_on_connect_four() {
    for (line, simulations) in [("", 800), ("4 4 4 4", 800), ("4 1 4 1 3 7", 800), ("1 7 2 7 3 6", 300)] {
        for salt in 0..3 {
            let game: ConnectFour = after(&(), line);
            let mut evaluator = HashEvaluator { salt };
            let search = searched(&game, &puct(simulations), &mut evaluator);
            let naive = Naive::run(&game, &puct(simulations), evaluator);
            naive.assert_same(search.root().unwrap());
        }
    }
}

/// Edges between two nodes of the same player.
fn acts_twice<G: Game>(node: NodeView<'_, G>) -> usize {
    let children = node.edges().filter_map(|edge| edge.child);
    children
        .map(|child| usize::from(child.to_move() == node.to_move()) + acts_twice(child))
        .sum()
}

#[test]
fn agrees_with_the_naive_search_on_chase() {
    let rules = chase_engine::chase::Rules::default();
    let mut rng = rng(8);
    let mut same_player = 0;
    for salt in 0..12 {
        // Random games of some plies, with captures and absorptions.
        let mut game = Chase::new(&rules);
        let mut actions = Vec::new();
        for _ in 0..30 * salt {
            game.legal_actions(&mut actions);
            if actions.is_empty() {
                break;
            }
            game.apply(actions[rand::RngExt::random_range(&mut rng, 0..actions.len())]);
        }
        if game.outcome().is_some() {
            continue;
        }
        let mut evaluator = HashEvaluator { salt };
        let search = searched(&game, &puct(400), &mut evaluator);
        let root = search.root().unwrap();
        Naive::run(&game, &puct(400), evaluator).assert_same(root);
        same_player += acts_twice(root);
    }
    assert!(same_player > 0, "some positions let the same player act twice");
}

#[test]
fn agrees_with_the_naive_search_on_random_graphs() {
    let mut rng = rng(4);
    let mut nodes = 0;
    for index in 0..300 {
        let graph = Graph::random(12, index % 2 == 0, index % 3 == 0, &mut rng);
        let mut evaluator = HashEvaluator { salt: index };
        let search = searched(&graph.game(), &puct(150), &mut evaluator);
        let naive = Naive::run(&graph.game(), &puct(150), evaluator);
        nodes += naive.assert_same(search.root().unwrap());
    }
    assert!(nodes > 3000, "{nodes} nodes are too few to mean anything");
}

fn noisy(fraction: f32) -> SearchParams {
    SearchParams {
        strategy: Strategy::Puct(PuctParams {
            noise: Some(DirichletNoise {
                fraction,
                ..DirichletNoise::default()
            }),
            ..PuctParams::default()
        }),
        ..puct(100)
    }
}

#[test]
fn noise_spreads_visits_and_leaves_priors_and_targets_clean() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    let mut visits = Vec::new();
    for seed in 0..2 {
        let mut search = Search::new();
        search.start(&game, &noisy(0.25), &mut rng(seed)).unwrap();
        search.run(&mut UniformEvaluator).unwrap();
        let root = search.root().unwrap();
        assert!(
            root.edges().all(|edge| (edge.prior - 1.0 / 46.0).abs() < 1e-6),
            "priors are the evaluator's"
        );
        visits.push(root.edges().map(|edge| edge.visits).collect::<Vec<_>>());
    }
    assert_ne!(visits[0], visits[1], "other noise, other visits");
    let mut search = Search::new();
    search.start(&game, &noisy(0.0), &mut rng(1)).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    let without: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
    assert!(
        without.iter().all(|&visits| (2..=3).contains(&visits)),
        "all alike without noise: {without:?}"
    );
}

#[test]
fn root_policy_temperature_flattens_the_root_only() {
    let game: ConnectFour = after(&(), "4 4");
    let mut evaluator = HashEvaluator { salt: 1 };
    let with = |root_policy_temperature: f32| SearchParams {
        strategy: Strategy::Puct(PuctParams {
            // Priors alone decide about visits.
            c_puct: 1e6,
            root_policy_temperature,
            ..PuctParams::default()
        }),
        ..puct(2000)
    };
    for temperature in [1.0, 2.0] {
        let search = searched(&game, &with(temperature), &mut evaluator);
        let root = search.root().unwrap();
        let power = |prior: f32| f64::from(prior).powf(1.0 / f64::from(temperature));
        let sum: f64 = root.edges().map(|edge| power(edge.prior)).sum();
        for edge in root.edges() {
            let share = f64::from(edge.visits) / 2000.0;
            assert!(
                (share - power(edge.prior) / sum).abs() < 0.002,
                "T {temperature}: {edge:?}"
            );
        }
        // A well visited child follows the evaluator's policy.
        let child = root.edges().max_by_key(|edge| edge.visits).unwrap().child.unwrap();
        for edge in child.edges() {
            let share = edge.visits as f32 / (child.visits() - 1) as f32;
            assert!((share - edge.prior).abs() < 0.01, "{edge:?}");
        }
    }
}

#[test]
fn policy_temperature_flattens_every_node() {
    let game: ConnectFour = after(&(), "4 4");
    let mut evaluator = HashEvaluator { salt: 1 };
    let puct = |policy_temperature| {
        Strategy::Puct(PuctParams {
            policy_temperature,
            ..PuctParams::default()
        })
    };
    let gumbel = |policy_temperature| {
        Strategy::Gumbel(GumbelParams {
            policy_temperature,
            noise_scale: 0.0,
            ..GumbelParams::default()
        })
    };
    let mut priors = |strategy| {
        let params = SearchParams {
            strategy,
            simulations: 200,
            ..SearchParams::default()
        };
        let search = searched(&game, &params, &mut evaluator);
        let root = search.root().unwrap();
        // The first child is the same position in both trees.
        let child = root.edges().next().unwrap().child.unwrap();
        let of = |node: NodeView<'_, ConnectFour>| node.edges().map(|edge| f64::from(edge.prior)).collect::<Vec<_>>();
        [of(root), of(child)]
    };
    for (plain, flat) in [(puct(1.0), puct(2.0)), (gumbel(1.0), gumbel(2.0))] {
        for (plain, flat) in priors(plain).into_iter().zip(priors(flat)) {
            let sum: f64 = plain.iter().map(|prior| prior.sqrt()).sum();
            for (plain, flat) in plain.iter().zip(flat) {
                assert!((plain.sqrt() / sum - flat).abs() < 1e-5, "{plain} became {flat}");
            }
        }
    }
}
