//! The amount of work that a search does, and games that it refuses.

use chase_engine::search::{
    Evaluation, EvaluationError, Evaluations, Evaluator, Leaf, RolloutEvaluator, Search, SearchParams, Stop,
    UniformEvaluator,
};
use chase_engine::{Chase, ConnectFour, Game, Value, Wdl};

use crate::evaluators::HashEvaluator;
use crate::graph_game::Graph;
use crate::{after, gumbel, puct, rng, searched};

#[test]
fn root_visits_add_up() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    for params in [puct(137), gumbel(137, 1.0)] {
        let search = searched(&game, &params, &mut HashEvaluator::default());
        assert_eq!(search.stop(), Some(Stop::Simulations));
        let root = search.root().unwrap();
        assert_eq!(root.edges().map(|edge| edge.visits).sum::<u32>(), 137);
        assert_eq!(root.visits(), 138, "and the root's own evaluation");
        let mut policy = Vec::new();
        search.result().visit_policy(&mut policy);
        for (share, edge) in policy.iter().zip(root.edges()) {
            assert!((share - edge.visits as f32 / 137.0).abs() < 1e-6);
        }
    }
}

#[test]
fn of_equal_actions_the_first_is_taken() {
    let search = searched(&ConnectFour::new(&()), &puct(3), &mut UniformEvaluator);
    let visits: Vec<u32> = search.root().unwrap().edges().map(|edge| edge.visits).collect();
    assert_eq!(visits, [1, 1, 1, 0, 0, 0, 0]);
    assert_eq!(search.result().best_action(), Some(0));
}

#[test]
fn equal_seeds_give_equal_searches() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    let visits = |seed| {
        let mut search = Search::new();
        search.start(&game, &gumbel(64, 1.0), &mut rng(seed)).unwrap();
        search.run(&mut HashEvaluator::default()).unwrap();
        search
            .root()
            .unwrap()
            .edges()
            .map(|edge| edge.visits)
            .collect::<Vec<_>>()
    };
    assert_eq!(visits(5), visits(5));
    assert_ne!(visits(5), visits(6));
}

#[test]
fn no_simulations_give_the_evaluators_opinion() {
    let game: ConnectFour = after(&(), "4 4 3");
    let mut evaluator = HashEvaluator::default();
    for params in [puct(0), gumbel(0, 0.0)] {
        let search = searched(&game, &params, &mut evaluator);
        let result = search.result();
        let Wdl { win, loss, .. } = evaluator.wdl(&game);
        assert!((result.value().unwrap().0 - (win - loss)).abs() < 1e-6);
        let mut policy = Vec::new();
        result.policy_target(&mut policy);
        let priors: Vec<f32> = search.root().unwrap().edges().map(|edge| edge.prior).collect();
        assert!(
            policy
                .iter()
                .zip(&priors)
                .all(|(target, prior)| (target - prior).abs() < 1e-6)
        );
        assert!(result.policy_surprise().abs() < 1e-6);
        let best = (0..7).max_by(|&a, &b| priors[a].total_cmp(&priors[b])).unwrap();
        assert_eq!(result.best_action(), Some(result.actions()[best]));
    }
}

#[test]
fn a_forced_action_needs_no_search_if_so_asked() {
    let graph = Graph::parse("w:1 b:0,1");
    let skipping = SearchParams {
        skip_forced: true,
        ..puct(50)
    };
    let search = searched(&graph.game(), &skipping, &mut UniformEvaluator);
    assert_eq!(search.stop(), Some(Stop::Forced));
    let result = search.result();
    assert_eq!(
        (result.best_action(), result.value(), search.simulations()),
        (Some(0), None, 0)
    );
    assert_eq!(result.sample_action(1.0, &mut rng(1)), Some(0));
    assert_eq!(result.principal_variation(), [0]);
    let mut policy = Vec::new();
    result.policy_target(&mut policy);
    assert_eq!(policy, [1.0]);
    let search = searched(&graph.game(), &puct(50), &mut UniformEvaluator);
    assert_eq!((search.stop(), search.simulations()), (Some(Stop::Simulations), 50));
    // Noise over a single action is no failure.
    let search = searched(&graph.game(), &gumbel(50, 1.0), &mut UniformEvaluator);
    assert_eq!(search.simulations(), 50);
}

#[test]
fn a_finished_game_is_not_searched() {
    let game: ConnectFour = after(&(), "1 2 1 2 1 2 1");
    for params in [puct(50), gumbel(50, 1.0)] {
        let search = searched(&game, &params, &mut HashEvaluator::default());
        assert_eq!(search.stop(), Some(Stop::GameOver));
        let result = search.result();
        assert!(result.best_action().is_none() && result.value().is_none() && result.actions().is_empty());
        let mut policy = vec![1.0];
        result.policy_target(&mut policy);
        assert!(policy.is_empty());
    }
}

#[test]
fn a_full_tree_ends_the_search_with_a_result() {
    let game = Chase::new(&chase_engine::chase::Rules::default());
    let mut evaluator = HashEvaluator::default();
    let mut simulations = Vec::new();
    for limit in [0, 10_000, 100_000] {
        let mut search = Search::with_memory_limit(limit);
        search.start(&game, &puct(10_000), &mut rng(1)).unwrap();
        search.run(&mut evaluator).unwrap();
        assert_eq!(search.stop(), Some(Stop::MemoryFull));
        assert!(search.result().best_action().is_some());
        assert!(
            limit == 0 || search.memory() <= limit,
            "{} of {limit} bytes",
            search.memory()
        );
        simulations.push(search.simulations());
        // The subtree of the action frees memory for the next search.
        let action = search.result().best_action().unwrap();
        let mut next = game.clone();
        next.apply(action);
        search.advance(action);
        search.start(&next, &puct(10), &mut rng(1)).unwrap();
        search.run(&mut evaluator).unwrap();
        assert!(limit == 0 || search.simulations() > 0);
    }
    assert!(
        simulations[0] == 0 && simulations[1] > 3 && simulations[2] > 50,
        "{simulations:?}"
    );
    // Ends of games take room as well.
    let graph = Graph::parse("w:1,0 =t");
    let mut search = Search::with_memory_limit(300);
    search.start(&graph.game(), &puct(10_000), &mut rng(1)).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    assert_eq!(search.stop(), Some(Stop::MemoryFull));
}

#[test]
fn searches_in_lock_step_do_not_know_of_each_other() {
    let mut games = Vec::new();
    for line in ["", "4", "4 4", "1 2 1 2 1 2", "7 7 7 4 4", "3 3 2 2 4"] {
        games.push(after::<ConnectFour>(&(), line));
    }
    let params = |index: usize| {
        if index.is_multiple_of(2) {
            puct(90)
        } else {
            gumbel(60, 1.0)
        }
    };
    let mut searches: Vec<Search<ConnectFour>> = games.iter().map(|_| Search::new()).collect();
    for (index, (search, game)) in searches.iter_mut().zip(&games).enumerate() {
        search.start(game, &params(index), &mut rng(index as u64)).unwrap();
    }
    let mut evaluations = Evaluations::new();
    let mut batches = 0;
    loop {
        for search in &mut searches {
            search.select();
        }
        let leaves: Vec<Leaf<'_, ConnectFour>> = searches.iter().filter_map(Search::leaf).collect();
        if leaves.is_empty() {
            break;
        }
        evaluations.clear();
        HashEvaluator::default().evaluate(&leaves, &mut evaluations).unwrap();
        let waiting = searches.iter_mut().filter(|search| search.leaf().is_some());
        for (index, search) in waiting.enumerate() {
            search.expand(evaluations.get(index).unwrap()).unwrap();
        }
        batches += 1;
    }
    assert!(batches <= 91);
    for (index, (search, game)) in searches.iter().zip(&games).enumerate() {
        let mut alone = Search::new();
        alone.start(game, &params(index), &mut rng(index as u64)).unwrap();
        alone.run(&mut HashEvaluator::default()).unwrap();
        let visits = |search: &Search<ConnectFour>| {
            let edges = search.root().unwrap().edges();
            edges.map(|edge| (edge.visits, edge.q)).collect::<Vec<_>>()
        };
        assert_eq!(visits(search), visits(&alone), "search {index}");
        assert_eq!(search.result().best_action(), alone.result().best_action());
    }
}

#[test]
fn a_leaf_waits_until_its_evaluation_is_good() {
    let game = ConnectFour::new(&());
    let mut search = Search::new();
    let half = Wdl::new(0.5, 0.0, 0.5);
    let none = Evaluation { wdl: half, logits: &[] };
    assert_eq!(search.expand(none), Err(EvaluationError::NoLeaf));
    search.start(&game, &puct(5), &mut rng(1)).unwrap();
    assert_eq!(search.expand(none), Err(EvaluationError::NoLeaf));
    assert_eq!(*search.select().unwrap().game, game);
    let mut bad = [0.0; 7];
    bad[4] = f32::NAN;
    for (wdl, logits, message) in [
        (
            half,
            &[0.0; 6][..],
            "6 policy logits, expected one for each of 7 legal actions",
        ),
        (half, &bad, "policy logit 4 of an evaluation is NaN"),
        (
            Wdl::new(f32::NAN, 0.5, 0.5),
            &[0.0; 7],
            "expected probabilities with sum 1",
        ),
        (Wdl::new(-0.5, 1.0, 0.5), &[0.0; 7], "expected probabilities with sum 1"),
        (Wdl::new(0.5, 0.5, 0.5), &[0.0; 7], "expected probabilities with sum 1"),
    ] {
        let error = search.expand(Evaluation { wdl, logits }).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(search.leaf().is_some(), "the leaf still waits");
        assert_eq!(*search.select().unwrap().game, game, "the same leaf again");
    }
    let good = Evaluation {
        wdl: half,
        logits: &[0.0; 7],
    };
    assert_eq!(search.expand(good), Ok(()));
    assert_eq!(search.select().unwrap().game.plies(), 1);
}

#[test]
fn an_evaluator_that_fails_ends_the_run_with_its_error() {
    struct Broken(usize);
    impl Evaluator<ConnectFour> for Broken {
        fn evaluate(
            &mut self,
            leaves: &[Leaf<'_, ConnectFour>],
            evaluations: &mut Evaluations,
        ) -> Result<(), EvaluationError> {
            for leaf in leaves.iter().cycle().take(self.0) {
                evaluations.push(Wdl::DRAW, leaf.actions.iter().map(|_| 0.0));
            }
            match self.0 {
                1 => Err(EvaluationError::Failed("out of memory".to_owned())),
                _ => Ok(()),
            }
        }
    }
    for (count, message) in [
        (0, "evaluator gave 0 evaluations of 1 leaves"),
        (1, "evaluator failed: out of memory"),
        (2, "evaluator gave 2 evaluations of 1 leaves"),
    ] {
        let mut search = Search::new();
        search.start(&ConnectFour::new(&()), &puct(5), &mut rng(1)).unwrap();
        assert_eq!(search.run(&mut Broken(count)).unwrap_err().to_string(), message);
    }
    let invalid = SearchParams {
        strategy: chase_engine::search::Strategy::Puct(chase_engine::search::PuctParams {
            c_puct: f32::NAN,
            ..Default::default()
        }),
        ..puct(5)
    };
    let mut search = Search::new();
    assert!(search.start(&ConnectFour::new(&()), &invalid, &mut rng(1)).is_err());
}

#[test]
fn sampling_follows_the_target_and_the_temperature() {
    let game: ConnectFour = after(&(), "4 4");
    let search = searched(&game, &puct(60), &mut HashEvaluator { salt: 3 });
    let result = search.result();
    let mut target = Vec::new();
    result.policy_target(&mut target);
    let mut rng = rng(9);
    for temperature in [0.5, 1.0, 2.0] {
        let mut counts = [0_u32; 7];
        for _ in 0..20_000 {
            counts[usize::from(result.sample_action(temperature, &mut rng).unwrap())] += 1;
        }
        let power: Vec<f64> = target
            .iter()
            .map(|&p| f64::from(p).powf(1.0 / f64::from(temperature)))
            .collect();
        let sum: f64 = power.iter().sum();
        for (count, power) in counts.iter().zip(power) {
            let probability = power / sum;
            // Five standard deviations.
            let deviation = 5.0 * (20_000.0 * probability * (1.0 - probability)).sqrt();
            assert!(
                (f64::from(*count) - 20_000.0 * probability).abs() <= deviation,
                "T {temperature}: {counts:?}"
            );
        }
        let mut again = Vec::new();
        result.policy_target(&mut again);
        assert_eq!(again, target, "sampling leaves the target alone");
    }
    for temperature in [0.0, 1e-30, -1.0, f32::NAN] {
        assert_eq!(
            result.sample_action(temperature, &mut rng),
            result.best_action(),
            "T {temperature}"
        );
    }
}

#[test]
fn surprise_is_the_divergence_of_target_from_prior() {
    let game: ConnectFour = after(&(), "4 4");
    for params in [puct(60), gumbel(60, 1.0)] {
        let search = searched(&game, &params, &mut HashEvaluator { salt: 3 });
        let mut target = Vec::new();
        search.result().policy_target(&mut target);
        let mut expected = 0.0;
        for (&target, edge) in target.iter().zip(search.root().unwrap().edges()) {
            let (target, prior) = (f64::from(target), f64::from(edge.prior));
            expected += if target > 0.0 {
                target * (target / prior).ln()
            } else {
                0.0
            };
        }
        assert!(expected > 0.01);
        assert!((f64::from(search.result().policy_surprise()) - expected).abs() < 1e-4);
    }
}

#[test]
fn rollouts_value_a_won_position_as_won() {
    // White to move has two ways to win at once; random play finds them often, and Black's chances are small.
    let game: ConnectFour = after(&(), "3 3 4 4 5 7");
    let mut evaluator = RolloutEvaluator::new(200, 100, rng(1));
    let mut evaluations = Evaluations::new();
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let leaf = Leaf {
        game: &game,
        actions: &actions,
    };
    evaluator.evaluate(&[leaf, leaf], &mut evaluations).unwrap();
    assert_eq!(evaluations.len(), 2);
    for index in 0..2 {
        let Wdl { win, draw, loss } = evaluations.get(index).unwrap().wdl;
        assert!((win + draw + loss - 1.0).abs() < 1e-6);
        assert!(win > 0.6 && loss < 0.4, "{win} {draw} {loss}");
    }
    // Games cut short count as nobody's.
    let mut evaluator = RolloutEvaluator::new(10, 0, rng(1));
    evaluations.clear();
    evaluator.evaluate(&[leaf], &mut evaluations).unwrap();
    assert_eq!(evaluations.get(0).unwrap().wdl.value(), Value::DRAW);
}
