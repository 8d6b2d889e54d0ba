//! Counts lines of play of some draughts games from the start, and says how fast.
//!
//! `cargo run --release -p chase-engine --example draughts_perft`

use std::time::Instant;

use chase_engine::draughts::{Checkers, CheckersUni, Position, Queens, QueensUniNum, Stax, StaxCyl, Variant, perft};

#[allow(clippy::print_stdout, reason = "an example")]
fn count<V: Variant>(depth: u32) {
    let position = Position::<V>::initial();
    let start = Instant::now();
    let nodes = perft(&position, depth);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:15} depth {depth} {nodes:11} nodes {:6.1} million a second",
        V::NAME,
        nodes as f64 / seconds / 1e6
    );
}

fn main() {
    count::<Checkers>(11);
    count::<CheckersUni>(10);
    count::<Stax>(10);
    count::<StaxCyl>(10);
    count::<Queens>(10);
    count::<QueensUniNum>(9);
}
