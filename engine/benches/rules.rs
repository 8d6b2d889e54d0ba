//! Instructions that the rules engine takes. Run by `cargo xtask bench`; each bench asserts its answer.

#![allow(missing_docs, unused_qualifications, reason = "of items that the macros make")]
#![allow(clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::hint::black_box;

use chase_engine::chase::{Position, Rules, perft};
use chase_engine::{Chase, Game};
use gungraun::{library_benchmark, library_benchmark_group, main};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

const START: &str = "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w";
const MIDDLE: &str = "1ed6/1ad1a4/1a4F2/4A3D/7b1/4B4/2C5f/3A2aA1/4F1A2 w";

fn position(text: &str) -> Position {
    text.parse().unwrap()
}

#[library_benchmark]
#[bench::start(position(START), 3, 95_578)]
#[bench::middle(position(MIDDLE), 2, 2_071)]
fn count_lines(position: Position, depth: u32, nodes: u64) {
    assert_eq!(perft(black_box(&position), depth), nodes);
}

#[library_benchmark]
#[bench::start(position(START), 46)]
#[bench::middle(position(MIDDLE), 44)]
fn generate(position: Position, count: usize) {
    assert_eq!(black_box(&position).legal_actions().len(), count);
}

#[library_benchmark]
#[bench::start(START)]
#[bench::middle(MIDDLE)]
fn read_position(text: &str) {
    assert_eq!(black_box(text).parse::<Position>().unwrap().to_short_cfen(), text);
}

#[library_benchmark]
#[bench::seed_1(1)]
fn random_game(seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Chase::new(&Rules::default());
    let mut actions = Vec::new();
    while game.outcome().is_none() {
        game.legal_actions(&mut actions);
        game.apply(actions[rng.random_range(0..actions.len())]);
    }
    assert_eq!(game.position().key(), game.position().full_key());
}

library_benchmark_group!(
    name = rules,
    benchmarks = [count_lines, generate, read_position, random_game]
);
main!(library_benchmark_groups = rules);
