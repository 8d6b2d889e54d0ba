//! Benchmarks of the rules engine, on one core.

use anyhow::ensure;
use chase_engine::{GameName, Playable};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::Options;
use super::console::Console;
use super::contest::{alone, repeats};
use super::figure::{Figure, FigureUnit};

/// A position of a random game of Chase after 60 plies: dice are less aligned, and open paths are longer than at the
/// start.
const MIDDLE: &str = "1ed6/1ad1a4/1a4F2/4A3D/7b1/4B4/2C5f/3A2aA1/4F1A2 w";

/// Least number of nodes to count in other games.
const COUNTED: u64 = 200_000;

pub fn figures<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    let game = options.config.game;
    console.begin(format_args!("rules of {game}"))?;
    let rules = G::published_rules(&options.rules::<G>());
    let start = G::new(&rules);
    let counted = if game == GameName::Chase {
        let middle = G::from_position_text(MIDDLE, &rules)?;
        vec![
            ("start", "from the start", start, 4, 4_304_870),
            ("middle", "mid-game", middle, 3, 83_696),
        ]
    } else {
        let depth = (1..12).find(|&depth| start.perft(depth) >= COUNTED).unwrap_or(12);
        let nodes = start.perft(depth);
        vec![("start", "from the start", start, depth, nodes)]
    };
    for (name, position, game, depth, expected) in counted {
        let what = format!("perft {depth} {position}");
        console.measure(&what);
        let rates = alone(console, || {
            let nodes = std::hint::black_box(&game).perft(depth);
            ensure!(nodes == expected, "{what}: {nodes} nodes instead of {expected}");
            Ok(nodes)
        })?;
        let figure = Figure::new(format!("engine/perft_{name}"), &what, FigureUnit::Nodes, &rates);
        console.add([figure.with_target(options.target(100e6))])?;
    }
    random_games::<G>(options, console)
}

/// Whole random games with their draw conventions: generate, choose, apply. No allocation per ply.
fn random_games<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    const GAMES: u64 = 100;
    console.measure("random games");
    let start = G::new(&options.rules::<G>());
    let mut game = start.clone();
    let mut actions = Vec::new();
    let mut first_plies = None;
    let rates = alone(console, || {
        let mut plies = 0;
        for seed in 0..GAMES {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            game.clone_from(&start);
            while game.outcome().is_none() {
                game.legal_actions(&mut actions);
                game.apply(actions[rng.random_range(0..actions.len())]);
            }
            plies += u64::from(game.plies());
        }
        repeats("random games", &mut first_plies, plies)?;
        Ok(plies)
    })?;
    let figure = Figure::new("engine/random_games", "random games", FigureUnit::Plies, &rates);
    console.add([figure.with_target(options.target(2e6))])
}
