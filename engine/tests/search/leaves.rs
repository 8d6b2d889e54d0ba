//! Several leaves of one tree that wait for their evaluations at the same time.

use chase_engine::chase::Rules;
use chase_engine::search::{
    Evaluations, Evaluator, Leaf, NodeView, PuctParams, Search, SearchParams, Stop, Strategy, UniformEvaluator, step,
};
use chase_engine::{Chase, ConnectFour, Game};

use crate::evaluators::HashEvaluator;
use crate::reuse::describe;
use crate::{after, puct, rng, searched};

/// PUCT with this many leaves at the same time.
pub fn batched(simulations: u32, leaves: u32) -> SearchParams {
    SearchParams {
        strategy: Strategy::Puct(PuctParams {
            leaves,
            ..PuctParams::default()
        }),
        ..puct(simulations)
    }
}

/// Every visit is one of an action, but the one that evaluated the node; and every action has its node's visits.
/// Returns the nodes.
fn check_visits<G: Game>(node: NodeView<'_, G>) -> u32 {
    let mut nodes = 1;
    let mut visits = 1;
    for edge in node.edges() {
        visits += edge.visits;
        assert_eq!(edge.visits, edge.child.map_or(0, NodeView::visits));
        nodes += edge
            .child
            .filter(|child| child.to_move().is_some())
            .map_or(0, check_visits);
    }
    // What is proven can be visited again, as a leaf.
    assert!(node.visits() == visits || node.proven().is_some() && node.visits() > visits);
    nodes
}

#[test]
fn visits_add_up_and_none_is_left_on_its_way() {
    let tactical = "4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w";
    let games = [
        Chase::new(&Rules::default()),
        Chase::from_position_text(tactical, &Rules::default()).unwrap(),
    ];
    for game in &games {
        for leaves in [2, 8, 100] {
            for simulations in [1, 7, 301] {
                let search = searched(game, &batched(simulations, leaves), &mut HashEvaluator::default());
                assert_eq!(search.stop(), Some(Stop::Simulations));
                assert_eq!(search.simulations(), simulations);
                assert_eq!(search.root().unwrap().visits(), 1 + simulations);
                let nodes = check_visits(search.root().unwrap());
                // Where no game ends every simulation has a leaf of its own.
                assert!(
                    game.position_text() == tactical || nodes == 1 + simulations,
                    "{nodes} nodes"
                );
            }
        }
    }
}

#[test]
fn the_same_search_comes_to_the_same() {
    let game = Chase::new(&Rules::default());
    let found = |leaves| {
        let search = searched(&game, &batched(200, leaves), &mut HashEvaluator::default());
        describe(search.root().unwrap())
    };
    assert_eq!(found(8), found(8));
    assert_ne!(found(8), found(1), "eight leaves at a time are another search");
}

/// Sizes of batches.
#[derive(Default)]
struct Batches(Vec<usize>);

impl<G: Game> Evaluator<G> for Batches {
    fn evaluate(
        &mut self,
        leaves: &[Leaf<'_, G>],
        evaluations: &mut Evaluations,
    ) -> Result<(), chase_engine::search::EvaluationError> {
        self.0.push(leaves.len());
        HashEvaluator::default().evaluate(leaves, evaluations)
    }
}

#[test]
fn batches_are_filled() {
    // The last one in a tree that is large enough for it from a tenth of its simulations on.
    for (leaves, simulations) in [(4, 400), (8, 400), (16, 5000)] {
        let game = Chase::new(&Rules::default());
        let mut batches = Batches::default();
        searched(&game, &batched(simulations, leaves), &mut batches);
        assert_eq!(batches.0[0], 1, "the root alone");
        assert!(batches.0.iter().all(|&size| size <= leaves as usize));
        let batches = batches.0.len() as u32;
        assert!(
            batches < 2 * simulations / leaves,
            "{batches} batches of {leaves} for {simulations} leaves and the root"
        );
    }
}

#[test]
fn batches_grow_with_the_tree() {
    let mut batches = Batches::default();
    searched(&Chase::new(&Rules::default()), &batched(2000, 32), &mut batches);
    let (mut visits, mut larger) = (0, 0);
    for &size in &batches.0 {
        assert!(size <= 8.max(visits / 32), "{size} leaves at {visits} visits");
        visits += size;
        if visits > 1024 && size > 8 {
            larger += size;
        }
    }
    // Selection comes back to a leaf that waits now and then, and more often than to one of eight.
    assert!(larger > 500, "{larger} of 977 leaves in batches of more than 8");
}

#[test]
fn leaves_that_are_dropped_leave_nothing_behind() {
    let game = Chase::new(&Rules::default());
    let mut search = searched(&game, &batched(100, 8), &mut HashEvaluator::default());
    let before = describe(search.root().unwrap());
    search.extend(50);
    assert!(search.select().is_some());
    let waiting = search.leaves().len();
    assert!(waiting > 1, "{waiting} leaves");
    assert_eq!(search.root().unwrap().visits(), 101, "done so far");
    let begun: u32 = search.root().unwrap().edges().map(|edge| edge.visits).sum();
    assert_eq!(begun as usize, 100 + waiting, "with those on their way");
    search.stay();
    assert_eq!(search.leaves().len(), 0);
    assert_eq!(describe(search.root().unwrap()), before);
    // The same for one that is started again, and for a subtree that is kept.
    search.start(&game, &batched(50, 8), &mut rng(1)).unwrap();
    search.select();
    search.stay();
    search.start(&game, &puct(0), &mut rng(1)).unwrap();
    assert_eq!(describe(search.root().unwrap()), before);
    search.stay();
    search.start(&game, &batched(50, 8), &mut rng(1)).unwrap();
    search.select();
    search.advance(search.result().best_action().unwrap());
    check_visits(search.root().unwrap());
}

#[test]
fn memory_is_not_exceeded_by_leaves_that_wait() {
    let game = Chase::new(&Rules::default());
    let limit = 100_000;
    let mut search = Search::with_memory_limit(limit);
    search.start(&game, &batched(100_000, 64), &mut rng(1)).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    assert_eq!(search.stop(), Some(Stop::MemoryFull));
    assert!(search.memory() <= limit, "{} bytes", search.memory());
    assert!(search.memory() > limit - 3000, "{} bytes", search.memory());
    assert_eq!(search.root().unwrap().visits(), 1 + search.simulations());
    check_visits(search.root().unwrap());
}

#[test]
fn a_search_that_is_extended_is_one_search() {
    let game = Chase::new(&Rules::default());
    let whole = searched(&game, &puct(300), &mut HashEvaluator::default());
    let mut search = searched(&game, &puct(120), &mut HashEvaluator::default());
    search.extend(180);
    assert_eq!(search.stop(), None);
    search.run(&mut HashEvaluator::default()).unwrap();
    assert_eq!((search.simulations(), search.stop()), (300, Some(Stop::Simulations)));
    assert_eq!(describe(search.root().unwrap()), describe(whole.root().unwrap()));
    // Sequential halving has no more to give.
    let mut search = searched(&game, &crate::gumbel(32, 1.0), &mut HashEvaluator::default());
    search.extend(8);
    assert_eq!((search.simulations(), search.stop()), (32, Some(Stop::Simulations)));
}

#[test]
fn searches_of_several_leaves_share_a_batch() {
    let games = ["", "4", "3 3 2 2 4"].map(|line| after::<ConnectFour>(&(), line));
    let leaves = [8, 1, 3];
    let mut searches: Vec<Search<ConnectFour>> = games.iter().map(|_| Search::new()).collect();
    for ((search, game), leaves) in searches.iter_mut().zip(&games).zip(leaves) {
        search.start(game, &batched(60, leaves), &mut rng(1)).unwrap();
    }
    let mut together: Vec<_> = searches.iter_mut().collect();
    let mut evaluations = Evaluations::new();
    while step(&mut together, &mut HashEvaluator::default(), &mut evaluations).unwrap() > 0 {}
    for ((search, game), leaves) in searches.iter().zip(&games).zip(leaves) {
        let alone = searched(game, &batched(60, leaves), &mut HashEvaluator::default());
        assert_eq!(describe(search.root().unwrap()), describe(alone.root().unwrap()));
    }
}
