//! Counts lines of play of the placement games from the start, and says how fast.
//!
//! `cargo run --release -p chase-engine --example placement_perft`

use std::time::Instant;

use chase_engine::placement::{Position, lines9, moves23, perft, tetra24, tricolour};

#[allow(clippy::print_stdout, reason = "an example")]
fn count<P: Position>(depth: u32) {
    let position = P::initial();
    let start = Instant::now();
    let nodes = perft(&position, depth);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:9} depth {depth} {nodes:11} nodes {:6.1} million a second",
        P::NAME,
        nodes as f64 / seconds / 1e6
    );
}

fn main() {
    count::<moves23::Moves23Position>(4);
    count::<tetra24::Tetra24Position>(4);
    count::<lines9::Lines9Position>(4);
    count::<tricolour::TricolourPosition>(8);
}
