//! Instructions that positions take to become planes. Run by `cargo xtask bench`, as those of the engine.

#![allow(missing_docs, unused_qualifications, reason = "of items that the macros make")]

use std::hint::black_box;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Game};
use chase_models::Encode;
use chase_models::encoding::ChaseEncoding;
use gungraun::{Callgrind, EventKind, LibraryBenchmarkConfig, library_benchmark, library_benchmark_group, main};

/// As in the benches of the engine.
fn at_most(instructions: u64) -> LibraryBenchmarkConfig {
    let mut callgrind = Callgrind::default();
    callgrind.hard_limits([(EventKind::Ir, instructions)]);
    let mut config = LibraryBenchmarkConfig::default();
    config.tool(callgrind);
    config
}

fn start(move_maps: bool) -> (Chase, ChaseEncoding, Vec<f32>) {
    let encoding = ChaseEncoding {
        attack_maps: true,
        move_maps,
    };
    let size = Chase::shape(&encoding).input_size();
    (Chase::new(&Rules::default()), encoding, vec![9.0; size])
}

#[library_benchmark]
#[bench::attack_maps(args = (start(false)), config = at_most(33_300))]
#[bench::move_maps(args = (start(true)), config = at_most(68_300))]
fn encode((game, encoding, mut planes): (Chase, ChaseEncoding, Vec<f32>)) -> Vec<f32> {
    black_box(&game).encode(&encoding, &mut planes);
    assert!(planes.iter().all(|number| (0.0..=1.0).contains(number)));
    planes
}

library_benchmark_group!(name = encoding, benchmarks = [encode]);
main!(library_benchmark_groups = encoding);
