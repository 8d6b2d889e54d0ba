//! Keeping the subtree of the action that was played.

use chase_engine::search::{DirichletNoise, NodeView, PuctParams, Search, SearchParams, Strategy, UniformEvaluator};
use chase_engine::{Chase, ConnectFour, Game, Player};

use crate::evaluators::HashEvaluator;
use crate::graph_game::Graph;
use crate::{after, gumbel, puct, rng, searched};

/// Everything about a subtree.
pub fn describe<G: Game>(node: NodeView<'_, G>) -> String {
    let mut text = format!("{} {:?} {:?};", node.visits(), node.wdl(Player::White), node.proven());
    for edge in node.edges() {
        text += &format!("{:?} {} {} {:?}", edge.action, edge.prior, edge.visits, edge.q);
        text += &edge.child.map(describe).unwrap_or_default();
    }
    text
}

fn child<G: Game>(search: &Search<G>, action: G::Action) -> NodeView<'_, G> {
    search
        .root()
        .unwrap()
        .edges()
        .find(|edge| edge.action == action)
        .unwrap()
        .child
        .unwrap()
}

#[test]
fn the_kept_subtree_is_unchanged() {
    let mut game = Chase::new(&chase_engine::chase::Rules::default());
    let mut evaluator = HashEvaluator::default();
    let mut search = searched(&game, &puct(400), &mut evaluator);
    for _ in 0..20 {
        let action = search.result().best_action().unwrap();
        let before = describe(child(&search, action));
        let memory = search.memory();
        search.advance(action);
        assert_eq!(describe(search.root().unwrap()), before);
        assert!(search.memory() < memory);
        game.apply(action);
        let kept = search.root().unwrap().visits();
        search.start(&game, &puct(200), &mut rng(1)).unwrap();
        assert_eq!(describe(search.root().unwrap()), before);
        search.run(&mut evaluator).unwrap();
        assert_eq!(search.root().unwrap().visits(), kept + 200);
    }
}

#[test]
fn two_plies_can_be_kept() {
    let mut evaluator = HashEvaluator::default();
    let mut game: ConnectFour = after(&(), "4 4");
    let mut search = searched(&game, &puct(500), &mut evaluator);
    let line = search.result().principal_variation();
    let expected = describe(
        child(&search, line[0])
            .edges()
            .find(|edge| edge.action == line[1])
            .unwrap()
            .child
            .unwrap(),
    );
    for &action in &line[..2] {
        search.advance(action);
        game.apply(action);
    }
    search.start(&game, &puct(0), &mut rng(1)).unwrap();
    assert_eq!(describe(search.root().unwrap()), expected);
}

#[test]
fn a_search_that_stays_goes_on_where_it_stopped() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    let mut evaluator = HashEvaluator::default();
    let whole = describe(searched(&game, &puct(300), &mut evaluator).root().unwrap());
    let mut search = searched(&game, &puct(120), &mut evaluator);
    search.stay();
    search.start(&game, &puct(100), &mut rng(1)).unwrap();
    // A leaf that waits is dropped, and selected again.
    assert!(search.select().is_some());
    search.stay();
    search.start(&game, &puct(180), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(describe(search.root().unwrap()), whole);
    assert_eq!(search.simulations(), 180);
    search.stay();
    search.start(&game, &gumbel(64, 1.0), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(search.root().unwrap().visits(), 1 + 300 + 64);
    // It stays where it is, not anywhere.
    search.stay();
    let other = after(&chase_engine::chase::Rules::default(), "A3NW");
    search.start(&other, &puct(0), &mut rng(1)).unwrap();
    assert!(search.root().is_none());
}

#[test]
fn nothing_is_kept_without_an_advance_to_this_very_position() {
    let mut evaluator = HashEvaluator::default();
    let start = ConnectFour::new(&());
    let fresh = |game: &ConnectFour| describe(searched(game, &puct(50), &mut HashEvaluator::default()).root().unwrap());
    // The same position again, as when the next game begins.
    let mut search = searched(&start, &puct(300), &mut evaluator);
    search.start(&start, &puct(50), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(describe(search.root().unwrap()), fresh(&start));
    // Another position than the one advanced to.
    let mut search = searched(&start, &puct(300), &mut evaluator);
    search.advance(3);
    let other: ConnectFour = after(&(), "1");
    search.start(&other, &puct(50), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(describe(search.root().unwrap()), fresh(&other));
    // A cleared one.
    let mut search = searched(&start, &puct(300), &mut evaluator);
    search.advance(0);
    search.clear();
    search.start(&other, &puct(50), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(describe(search.root().unwrap()), fresh(&other));
    // An action that is not legal at the root, then a position that would fit.
    let mut search = searched(&start, &puct(300), &mut evaluator);
    search.advance(200);
    assert!(search.root().is_none());
    search.start(&start, &puct(50), &mut rng(1)).unwrap();
    search.run(&mut evaluator).unwrap();
    assert_eq!(describe(search.root().unwrap()), fresh(&start));
}

#[test]
fn noise_is_applied_to_a_kept_root_anew_and_old_noise_is_gone() {
    let mut game = Chase::new(&chase_engine::chase::Rules::default());
    let params = SearchParams {
        strategy: Strategy::Puct(PuctParams {
            noise: Some(DirichletNoise {
                fraction: 1.0,
                ..DirichletNoise::default()
            }),
            ..PuctParams::default()
        }),
        ..puct(200)
    };
    let mut visits = Vec::new();
    for seed in 0..2 {
        let mut search = searched(&game, &params, &mut UniformEvaluator);
        let action = search.result().best_action().unwrap();
        search.advance(action);
        let mut next = game.clone();
        next.apply(action);
        search.start(&next, &params, &mut rng(seed)).unwrap();
        search.run(&mut UniformEvaluator).unwrap();
        let root = search.root().unwrap();
        let count = root.edges().len() as f32;
        assert!(
            root.edges().all(|edge| (edge.prior - 1.0 / count).abs() < 1e-6),
            "stored priors are clean"
        );
        visits.push(root.edges().map(|edge| edge.visits).collect::<Vec<_>>());
    }
    assert_ne!(visits[0], visits[1], "each search draws its own noise");
    // Noise alone decides here: visits gather on few actions, which uniform priors would not do.
    assert!(visits[0].iter().max() > Some(&20), "{:?}", visits[0]);
    game.apply(
        searched(&game, &puct(1), &mut UniformEvaluator)
            .result()
            .best_action()
            .unwrap(),
    );
}

#[test]
fn sequential_halving_counts_visits_of_its_own_search() {
    let mut game = Chase::new(&chase_engine::chase::Rules::default());
    let mut evaluator = HashEvaluator::default();
    let mut search = searched(&game, &gumbel(300, 1.0), &mut evaluator);
    let action = search.result().best_action().unwrap();
    search.advance(action);
    game.apply(action);
    let before: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
    assert!(before.iter().sum::<u32>() > 50);
    search.start(&game, &gumbel(64, 0.0), &mut rng(2)).unwrap();
    search.run(&mut evaluator).unwrap();
    let after = search.root().unwrap().edges().map(|edge| edge.visits);
    let gained: Vec<u32> = after.zip(&before).map(|(after, before)| after - before).collect();
    let mut sorted = gained.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    // 16 actions once, 8 twice more, 4 four times, 2 eight times.
    assert_eq!(sorted[..16], [15, 15, 7, 7, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
    assert_eq!(sorted.iter().sum::<u32>(), 64);
    // What the earlier search liked best has a good value: it is considered again, however many visits it has. And the
    // choice is a finalist.
    let favourite = (0..before.len()).max_by_key(|&index| before[index]).unwrap();
    assert!(gained[favourite] > 0, "{before:?} {gained:?}");
    let result = search.result();
    let best = result
        .actions()
        .iter()
        .position(|&action| Some(action) == result.best_action())
        .unwrap();
    assert_eq!(gained[best], 15);
}

#[test]
fn the_choice_after_sequential_halving_is_a_finalist_whatever_was_visited_before() {
    let mut evaluator = HashEvaluator::default();
    let mut different = 0;
    for seed in 0..20 {
        let mut game = ConnectFour::new(&());
        let mut search = searched(&game, &gumbel(300, 1.0), &mut evaluator);
        let action = search.result().best_action().unwrap();
        search.advance(action);
        game.apply(action);
        let before: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
        search.start(&game, &gumbel(7, 30.0), &mut rng(seed)).unwrap();
        search.run(&mut evaluator).unwrap();
        let visits: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
        let best = usize::from(search.result().best_action().unwrap());
        let gained = |index: usize| visits[index] - before[index];
        assert_eq!(Some(gained(best)), (0..7).map(gained).max());
        different += u32::from(visits.iter().max() != Some(&visits[best]));
    }
    assert!(
        different > 5,
        "noise this strong often chooses another than the most visited: {different}"
    );
}

#[test]
fn an_advance_into_the_end_of_the_game_keeps_nothing() {
    let mut search = searched(&Graph::parse("w:1,2 =d w:0,0").game(), &puct(50), &mut UniformEvaluator);
    search.advance(0);
    assert!(search.root().is_none());
    let result = search.result();
    assert!(result.best_action().is_none() && result.value().is_none() && result.actions().is_empty());
}

#[test]
fn a_kept_root_with_more_actions_can_be_asked_before_its_search() {
    for params in [puct(50), gumbel(50, 1.0)] {
        let mut search = searched(&Graph::parse("w:1 b:0,0,1,1,0").game(), &params, &mut UniformEvaluator);
        search.advance(0);
        assert_eq!(search.result().actions().len(), 5);
        assert!(search.result().best_action().is_some());
    }
}

#[test]
fn a_result_can_be_asked_for_at_any_time() {
    let mut search = Search::<ConnectFour>::new();
    let look = |search: &Search<ConnectFour>| {
        let (result, mut policy) = (search.result(), Vec::new());
        result.policy_target(&mut policy);
        assert_eq!(policy.len(), result.actions().len());
        let _ = (
            result.best_action(),
            result.principal_variation(),
            result.policy_surprise(),
            result.wdl(),
        );
        let _ = result.sample_action(1.0, &mut rng(1));
    };
    look(&search);
    let mut game = ConnectFour::new(&());
    for params in [puct(30), gumbel(30, 1.0)] {
        search.advance(3);
        look(&search);
        search.start(&game, &params, &mut rng(1)).unwrap();
        look(&search);
        while search.select().is_some() {
            look(&search);
            let mut evaluations = chase_engine::search::Evaluations::new();
            evaluations.push(
                chase_engine::Wdl::DRAW,
                [0.0; 7].into_iter().take(search.leaf().unwrap().actions.len()),
            );
            search.expand(evaluations.get(0).unwrap()).unwrap();
            look(&search);
        }
        search.advance(3);
        look(&search);
        game.apply(3);
        search.clear();
        look(&search);
    }
}

#[test]
fn priors_of_another_temperature_are_not_kept() {
    let game: ConnectFour = after(&(), "4 4");
    let mut evaluator = HashEvaluator { salt: 1 };
    let with = |policy_temperature| SearchParams {
        strategy: Strategy::Puct(PuctParams {
            policy_temperature,
            ..PuctParams::default()
        }),
        ..puct(100)
    };
    let expected = describe(searched(&game, &with(2.0), &mut evaluator).root().unwrap());
    let mut search = searched(&game, &with(1.0), &mut evaluator);
    for _ in 0..2 {
        search.stay();
        search.start(&game, &with(2.0), &mut rng(1)).unwrap();
        if search.root().is_none() {
            search.run(&mut evaluator).unwrap();
        }
        assert_eq!(describe(search.root().unwrap()), expected, "searched anew, then kept");
    }
}
