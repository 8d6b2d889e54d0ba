//! Benchmarks of the rules engine, on one core.

use anyhow::ensure;
use chase_engine::chase::{Position, Rules, perft};
use chase_engine::{Chase, Game, GameName, Playable};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::console::Console;
use super::contest::alone;
use super::figure::{Figure, FigureUnit};

/// A position of a random game after 60 plies: dice are less aligned, and open paths are longer than at the start.
const MIDDLE: &str = "1ed6/1ad1a4/1a4F2/4A3D/7b1/4B4/2C5f/3A2aA1/4F1A2 w";

/// Least number of nodes to count.
const COUNTED: u64 = 200_000;

pub fn figures<G: Playable>(game: GameName, seconds: f64, console: &mut Console) -> anyhow::Result<()> {
    console.begin(format_args!("rules of {game}"))?;
    if game == GameName::Chase {
        return chase(seconds, console);
    }
    let start = G::new(&G::published_rules(&game.rules::<G>()));
    let depth = (1..12).find(|&depth| start.perft(depth) >= COUNTED).unwrap_or(12);
    let (expected, what) = (start.perft(depth), format!("perft {depth} from the start"));
    console.measure(&what);
    let rates = alone(console, seconds, || {
        let nodes = std::hint::black_box(&start).perft(depth);
        ensure!(nodes == expected, "{what}: {nodes} nodes, but {expected} before");
        Ok(nodes)
    })?;
    console.add([Figure::new(
        "engine/perft_start",
        what.as_str(),
        FigureUnit::Nodes,
        &rates,
    )])?;
    let games = random_games::<G>(&game.rules::<G>(), seconds, console)?;
    Ok(console.add([games])?)
}

fn chase(seconds: f64, console: &mut Console) -> anyhow::Result<()> {
    let (start, middle): (_, Position) = (Position::initial(), MIDDLE.parse()?);
    for (name, what, counted) in [
        ("engine/perft_start", "perft 4 from the start", (&start, 4, 4_304_870)),
        ("engine/perft_middle", "perft 3 mid-game", (&middle, 3, 83_696)),
    ] {
        let figure = perft_rate(name, what, counted, seconds, console)?;
        console.add([figure])?;
    }
    let games = random_games::<Chase>(&Rules::default(), seconds, console)?;
    Ok(console.add([games.with_target(2e6)])?)
}

fn perft_rate(
    name: &str,
    what: &str,
    (position, depth, expected): (&Position, u32, u64),
    seconds: f64,
    console: &Console,
) -> anyhow::Result<Figure> {
    console.measure(what);
    let rates = alone(console, seconds, || {
        let nodes = perft(std::hint::black_box(position), depth);
        ensure!(nodes == expected, "{what}: {nodes} nodes instead of {expected}");
        Ok(nodes)
    })?;
    Ok(Figure::new(name, what, FigureUnit::Nodes, &rates).with_target(100e6))
}

/// Whole random games with their draw conventions: generate, choose, apply. No allocation per ply.
fn random_games<G: Game>(rules: &G::Rules, seconds: f64, console: &Console) -> anyhow::Result<Figure> {
    const GAMES: u64 = 100;
    console.measure("random games");
    let start = G::new(rules);
    let mut game = start.clone();
    let mut actions = Vec::new();
    let mut first_plies = None;
    let rates = alone(console, seconds, || {
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
        let first = *first_plies.get_or_insert(plies);
        ensure!(
            plies == first,
            "random games: {plies} plies, but {first} for the same seeds before"
        );
        Ok(plies)
    })?;
    Ok(Figure::new(
        "engine/random_games",
        "random games",
        FigureUnit::Plies,
        &rates,
    ))
}
