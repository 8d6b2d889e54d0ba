//! Nodes per second of searches with a network, on one core: `cargo run --release -p chase-nnue --example rate
//! [FOLDER]`.
//!
//! Without a folder, a network of random weights: its judgement is worth nothing, its cost is that of any other.

// A program of its own talks to its user.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use chase_engine::alpha_beta::{AlphaBeta, Limits, Settings};
use chase_engine::chase::{Rules, Seen};
use chase_engine::{Chase, Game, Instructions, SparseView};
use chase_nnue::{LineEvaluator, Network, StoredNetwork, Weights};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;

fn main() -> Result<(), Box<dyn Error>> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let weights = match std::env::args().nth(1) {
        Some(folder) => StoredNetwork::read(Path::new(&folder))?.weights,
        None => Weights::random(Seen::INPUTS, 128, &mut rng),
    };
    let network = Network::quantise(&weights)?;
    for instructions in Instructions::available() {
        let mut searcher = AlphaBeta::new(LineEvaluator::new(&network, instructions), Settings::STRONG);
        let (mut nodes, mut depth, begin) = (0, 0, Instant::now());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        let (mut game, mut actions) = (Chase::new(&Rules::default()), Vec::new());
        for _ in 0..10 {
            let found = searcher.best(&game, &Limits::nodes(200_000));
            nodes += found.nodes;
            depth += found.depth;
            for _ in 0..4 {
                game.legal_actions(&mut actions);
                if let Some(&action) = actions.choose(&mut rng) {
                    game.apply(action);
                }
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        println!(
            "{instructions:?}: {:.2} M nodes/s, mean depth {:.1} with 200,000 nodes",
            nodes as f64 / seconds / 1e6,
            f64::from(depth) / 10.0
        );
    }
    Ok(())
}
