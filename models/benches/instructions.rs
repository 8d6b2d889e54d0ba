//! Instructions that rules, search and encoding take: the parts without libtorch, which valgrind would take minutes to
//! load. Run by `cargo xtask bench`; each bench asserts its answer, and fails if it takes more instructions than it
//! may.

#![allow(missing_docs, unused_qualifications, reason = "of items that the macros make")]
#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use chase_engine::chase::{ChaseEncoding, Position, Rules, perft};
use chase_engine::search::{GumbelParams, PuctParams, Search, SearchParams, Strategy, UniformEvaluator};
use chase_engine::{Chase, Encode, Game};
use gungraun::{Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};
use ndarray::Array3;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const START: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
const MIDDLE: &str = "1ed6/1ad1a4/1a4F2/4A3D/7b1/4B4/2C5f/3A2aA1/4F1A2 w";

/// Fails beyond this many instructions: those measured when the number was last set, and 5 % for other compilers and
/// processors. Lower it after an improvement.
fn at_most(instructions: u64) -> LibraryBenchmarkConfig {
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(EventKind::Ir, instructions)]);
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(callgrind);
    config
}

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[library_benchmark]
#[bench::start(args = (position(START), 3, 95_578), config = at_most(6_640_000))]
#[bench::middle(args = (position(MIDDLE), 2, 2_071), config = at_most(114_000))]
fn count_lines(position: Position, depth: u32, nodes: u64) {
    assert_eq!(perft(black_box(&position), depth), nodes);
}

#[library_benchmark]
#[bench::start(args = (position(START), 46), config = at_most(3_780))]
#[bench::middle(args = (position(MIDDLE), 44), config = at_most(3_140))]
fn generate(position: Position, count: usize) {
    assert_eq!(black_box(&position).legal_actions().len(), count);
}

#[library_benchmark]
#[bench::start(args = (START), config = at_most(14_100))]
#[bench::middle(args = (MIDDLE), config = at_most(18_500))]
fn read_position(text: &str) {
    assert_eq!(black_box(text).parse::<Position>().unwrap().to_short_cfen(), text);
}

fn play(game: &mut Chase, plies: u32, rng: &mut Xoshiro256PlusPlus) {
    let mut actions = Vec::new();
    while game.outcome().is_none() && game.plies() < plies {
        game.legal_actions(&mut actions);
        game.apply(actions[rng.random_range(0..actions.len())]);
    }
}

#[library_benchmark]
#[bench::seed_1(args = (1), config = at_most(1_203_000))]
fn random_game(seed: u64) {
    let mut game = Chase::new(&Rules::default());
    play(&mut game, u32::MAX, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    assert_eq!(game.position().key(), game.position().full_key());
}

/// A game after 40 random plies, and a search of it that has used its memory once, as in self-play.
fn searched(strategy: Strategy) -> (Chase, SearchParams, Search<Chase>) {
    let mut game = Chase::new(&Rules::default());
    play(&mut game, 40, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    let params = SearchParams {
        simulations: 200,
        strategy,
        ..SearchParams::default()
    };
    let mut search = Search::new();
    run(&game, &params, &mut search);
    search.clear();
    (game, params, search)
}

fn run(game: &Chase, params: &SearchParams, search: &mut Search<Chase>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    search.start(game, params, &mut rng).unwrap();
    search.run(&mut UniformEvaluator).unwrap();
}

#[library_benchmark]
#[bench::puct(args = (searched(Strategy::Puct(PuctParams::default()))), config = at_most(1_681_000))]
#[bench::gumbel(args = (searched(Strategy::Gumbel(GumbelParams::default()))), config = at_most(2_386_000))]
fn search((game, params, mut search): (Chase, SearchParams, Search<Chase>)) -> Search<Chase> {
    run(black_box(&game), &params, &mut search);
    let edges = search.root().into_iter().flat_map(|root| root.edges());
    assert_eq!(edges.map(|edge| edge.visits).sum::<u32>(), params.simulations);
    search
}

fn start(move_maps: bool) -> (Chase, ChaseEncoding, Array3<f32>) {
    let encoding = ChaseEncoding {
        attack_maps: true,
        move_maps,
    };
    let planes = Array3::from_elem(Chase::shape(&encoding).input(), 9.0);
    (Chase::new(&Rules::default()), encoding, planes)
}

#[library_benchmark]
#[bench::attack_maps(args = (start(false)), config = at_most(27_200))]
#[bench::move_maps(args = (start(true)), config = at_most(56_300))]
fn encode((game, encoding, mut planes): (Chase, ChaseEncoding, Array3<f32>)) -> Array3<f32> {
    black_box(&game).encode(&encoding, planes.view_mut());
    assert!(planes.iter().all(|number| (0.0..=1.0).contains(number)));
    planes
}

library_benchmark_group!(
    name = rules,
    benchmarks = [count_lines, generate, read_position, random_game]
);
library_benchmark_group!(name = searches, benchmarks = [search]);
library_benchmark_group!(name = encoding, benchmarks = [encode]);
main!(library_benchmark_groups = rules, searches, encoding);
