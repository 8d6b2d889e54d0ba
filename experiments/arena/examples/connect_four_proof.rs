//! Agreement of a trained agent with perfect play in Connect Four, as JSON.
//!
//! `cargo run --release -p chase-experiments --example connect_four_proof -- CHECKPOINT [KEY=VALUE]…`, with the keys
//! `simulations`, `positions`, `games`, `random_plies` and `seed`.

use std::path::PathBuf;

use chase_arena::connect_four::{Agreement, FirstPlayerGames, Solver, first_player_games, graded_positions};
use chase_arena::evaluation::choices;
use chase_arena::{Agent, AgentFailure, TreeAgent, network_contestant};
use chase_engine::search::{SearchParams, UniformEvaluator};
use chase_engine::{ConnectFour, Game};
use chase_models::Precision;
use chase_models::device::{Device, single_threaded};
use chase_models::manifest::{Manifest, TrainingProgress};
use serde::Serialize;

type Failure = Box<dyn std::error::Error>;

/// Settings of the measurement.
#[derive(Serialize)]
struct Settings {
    /// Simulations per move of the agent that searches.
    simulations: u32,
    /// Test positions.
    positions: u32,
    /// Games against the solver.
    games: u32,
    /// Plies before which the solver's side plays at random.
    random_plies: u32,
    seed: u32,
}

#[derive(Serialize)]
struct Report {
    /// Training progress of the network.
    progress: TrainingProgress,
    #[serde(flatten)]
    settings: Settings,
    /// The network's policy alone.
    policy: Agreement,
    /// The network with search.
    search: Agreement,
    /// The same search with an evaluator that knows nothing.
    search_without_network: Agreement,
    /// Games of the network with search, as first player against the solver.
    games_as_first_player: FirstPlayerGames,
    /// The same without network.
    games_without_network: FirstPlayerGames,
}

fn settings(arguments: impl Iterator<Item = String>) -> Result<Settings, Failure> {
    let mut settings = Settings {
        simulations: 800,
        positions: 500,
        games: 50,
        random_plies: 8,
        seed: 20_001,
    };
    for argument in arguments {
        let wrong = || format!("`{argument}`: expected simulations, positions, games, random_plies or seed = a number");
        let (key, value) = argument.split_once('=').ok_or_else(wrong)?;
        let place = match key {
            "simulations" => &mut settings.simulations,
            "positions" => &mut settings.positions,
            "games" => &mut settings.games,
            "random_plies" => &mut settings.random_plies,
            "seed" => &mut settings.seed,
            _ => return Err(wrong().into()),
        };
        *place = value.parse().map_err(|_| wrong())?;
    }
    Ok(settings)
}

#[allow(clippy::print_stdout, reason = "an example")]
fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let checkpoint = PathBuf::from(arguments.next().ok_or("expected the folder of a checkpoint")?);
    let settings = settings(arguments)?;
    let seed = u64::from(settings.seed);
    single_threaded();
    let params = |simulations| SearchParams {
        simulations,
        ..SearchParams::default()
    };
    let network = |simulations| -> Result<Box<dyn Agent<ConnectFour>>, Failure> {
        let params = params(simulations);
        Ok(network_contestant(
            ConnectFour::NAME,
            "network",
            &checkpoint,
            Device::Cpu,
            Precision::F32,
            params,
        )?
        .agent())
    };
    let (mut policy, mut search) = (network(0)?, network(settings.simulations)?);
    let mut blind = TreeAgent::new(UniformEvaluator, params(settings.simulations));
    let manifest = Manifest::read(&checkpoint)?;

    let mut solver = Solver::default();
    let positions = graded_positions(&mut solver, settings.positions as usize, 8..=30, seed);
    let agreement = |agent: &mut dyn Agent<ConnectFour>| -> Result<Agreement, AgentFailure> {
        Ok(Agreement::new(&positions, &choices(agent, &positions, seed)?))
    };
    let mut games = |agent: &mut dyn Agent<ConnectFour>| {
        first_player_games(agent, &mut solver, settings.games, settings.random_plies, seed)
    };
    let report = Report {
        progress: manifest.progress,
        policy: agreement(&mut *policy)?,
        search: agreement(&mut *search)?,
        search_without_network: agreement(&mut blind)?,
        games_as_first_player: games(&mut *search)?,
        games_without_network: games(&mut blind)?,
        settings,
    };
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}
