//! A search that has its memory does not ask for more. Alone in its test program: it counts all allocations.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use chase_engine::search::{Evaluations, Evaluator, GumbelParams, Search, SearchParams, Strategy, UniformEvaluator};
use chase_engine::{Chase, Game, chase::Rules};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one hands all on to the system's"
)]
// SAFETY: every call goes to the system's allocator with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Plays 20 plies with a search each, keeping the subtree in between. Returns the allocations of the searches.
fn play(search: &mut Search<Chase>, evaluations: &mut Evaluations, params: &SearchParams) -> usize {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut game = Chase::new(&Rules::default());
    let mut allocations = 0;
    search.clear();
    for _ in 0..20 {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        search.start(&game, params, &mut rng).unwrap();
        while let Some(leaf) = search.select() {
            evaluations.clear();
            UniformEvaluator.evaluate(&[leaf], evaluations).unwrap();
            search.expand(evaluations.get(0).unwrap()).unwrap();
        }
        let result = search.result();
        let action = match rng.random_range(0..2) {
            0 => result.best_action().unwrap(),
            _ => result.actions()[0],
        };
        search.advance(action);
        allocations += ALLOCATIONS.load(Ordering::Relaxed) - before;
        game.apply(action);
    }
    allocations
}

#[test]
fn a_second_game_allocates_nothing() {
    for strategy in [
        Strategy::Puct(Default::default()),
        Strategy::Gumbel(GumbelParams::default()),
    ] {
        let params = SearchParams {
            strategy,
            ..SearchParams::default()
        };
        let (mut search, mut evaluations) = (Search::new(), Evaluations::new());
        assert!(play(&mut search, &mut evaluations, &params) > 0, "the counter counts");
        // Trees change places: after an odd number of games each has been each.
        play(&mut search, &mut evaluations, &params);
        assert_eq!(play(&mut search, &mut evaluations, &params), 0, "{strategy:?}");
    }
}
