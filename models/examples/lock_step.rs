//! Steps a second of games in lock-step by the engine alone, on one core: what study 0022 holds the Python package
//! against.
//!
//! `cargo run --release -p chase-models --no-default-features --example lock_step -- GAMES SECONDS` prints a line of
//! JSON.

use std::hint::black_box;
use std::time::{Duration, Instant};

use chase_engine::{Chase, ConnectFour, Encode, seed};
use ndarray::Array3;
use rand::RngExt;

/// Random legal actions in this many games, which begin anew when they end; with the planes and the mask of every
/// position, or by the rules alone. Returns steps of all games together per second.
fn rate<G: Encode>(games: usize, time: Duration, planes: bool) -> f64 {
    let rules = G::standard_rules(G::NAME).expect("the standard rules");
    let encoding = G::standard_encoding(&rules);
    let mut rng = seed::named("lock step", &[1]);
    let mut states: Vec<G> = (0..games).map(|_| G::new(&rules)).collect();
    let mut seen = vec![Array3::<f32>::zeros(G::shape(&encoding).input()); games];
    let mut masks = vec![vec![false; G::POLICY_SIZE]; games];
    let mut actions = Vec::new();
    let (mut steps, start) = (0u64, Instant::now());
    while start.elapsed() < time {
        for ((game, seen), mask) in states.iter_mut().zip(&mut seen).zip(&mut masks) {
            game.legal_actions(&mut actions);
            if planes {
                mask.fill(false);
                for &action in &actions {
                    mask[game.policy_index(action)] = true;
                }
                game.encode(&encoding, seen.view_mut());
            }
            game.apply(actions[rng.random_range(0..actions.len())]);
            if game.outcome().is_some() {
                *game = G::new(&rules);
            }
        }
        black_box((&states, &seen, &masks));
        steps += games as u64;
    }
    steps as f64 / start.elapsed().as_secs_f64()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let games = arguments.next().ok_or("expected GAMES SECONDS")?.parse()?;
    let time = Duration::try_from_secs_f64(arguments.next().ok_or("expected GAMES SECONDS")?.parse()?)?;
    let rates = serde_json::json!({
        "chase": {"rules": rate::<Chase>(games, time, false), "planes": rate::<Chase>(games, time, true)},
        "connect-four": {
            "rules": rate::<ConnectFour>(games, time, false),
            "planes": rate::<ConnectFour>(games, time, true),
        },
    });
    #[expect(clippy::print_stdout, reason = "a program's result")]
    {
        println!("{rates}");
    }
    Ok(())
}
