//! Allocations of a search: none once it has its memory, and no more than its limit allows. Alone in its test program,
//! whose allocator counts for each thread, so for each test.

#![allow(clippy::unwrap_used, reason = "a failed test may panic")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use chase_engine::search::{
    Evaluations, Evaluator, GumbelParams, Search, SearchParams, Stop, Strategy, UniformEvaluator,
};
use chase_engine::{Chase, Game, chase::Rules};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    /// Bytes of the largest block.
    static LARGEST: Cell<usize> = const { Cell::new(0) };
}

fn count(bytes: usize) {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    LARGEST.set(LARGEST.get().max(bytes));
}

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one hands all on to the system's"
)]
// SAFETY: every call goes to the system's allocator with the arguments it came with.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size);
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
        let before = ALLOCATIONS.get();
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
        allocations += ALLOCATIONS.get() - before;
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

#[test]
fn many_simulations_need_no_memory_before_they_are_run() {
    let params = SearchParams {
        simulations: 200_000_000,
        strategy: Strategy::Gumbel(GumbelParams::default()),
        ..SearchParams::default()
    };
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut search = Search::with_memory_limit(1 << 20);
    search.start(&Chase::new(&Rules::default()), &params, &mut rng).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
    assert_eq!(search.stop(), Some(Stop::MemoryFull));
    assert!(LARGEST.get() <= 1 << 20, "a block of {} bytes", LARGEST.get());
}
