//! Benchmarks of the searches, on one core.

use anyhow::ensure;
use chase_arena::{SearchSpec, updatable_evaluators};
use chase_engine::Playable;
use chase_engine::alpha_beta::{AlphaBeta, Limits};
use chase_engine::search::{Search, SearchParams, Stop, UniformEvaluator};
use chase_nnue::shipped;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

use super::console::Console;
use super::contest::{alone, repeats};
use super::figure::{Figure, FigureUnit};
use super::{Options, games};

const POSITIONS: usize = 16;
const SIMULATIONS: u32 = 200;

/// Nodes of an alpha-beta search.
const NODES: u64 = 50_000;

pub fn figures<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    tree::<G>(options, console)?;
    if G::HAS_SPARSE_INPUTS && options.config.game == shipped::GAME {
        alpha_beta::<G>(options, console)?;
    }
    Ok(())
}

fn tree<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    console.begin("search without a network")?;
    let games = games::middle::<G>(options, POSITIONS);
    let params = SearchParams {
        simulations: SIMULATIONS,
        ..SearchParams::default()
    };
    let mut search = Search::new();
    let mut first_choices = None;
    let rates = alone(console, || {
        let mut simulations = 0;
        let mut choices = Vec::with_capacity(games.len());
        for game in &games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            search.start(game, &params, &mut rng)?;
            search.run(&mut UniformEvaluator)?;
            let visits: u32 = search
                .root()
                .iter()
                .flat_map(|root| root.edges())
                .map(|edge| edge.visits)
                .sum();
            // In small games, a search may end with a proof.
            let whole = search.stop() == Some(Stop::Simulations) && visits == SIMULATIONS;
            ensure!(
                whole || search.stop() == Some(Stop::Proven) && visits < SIMULATIONS,
                "search: {visits} visits of the root's actions instead of {SIMULATIONS}, stopped by {:?}",
                search.stop()
            );
            simulations += u64::from(visits);
            choices.push(search.result().best_action());
        }
        repeats("search", &mut first_choices, choices)?;
        Ok(simulations)
    })?;
    // The target is 3 µs a simulation.
    let figure = Figure::new("search/uniform", "", FigureUnit::Simulations, &rates);
    console.add([figure.with_target(options.target(1e6 / 3.0))])
}

/// Alpha-beta with the built-in efficiently updatable network.
fn alpha_beta<G: Playable>(options: &Options, console: &mut Console) -> anyhow::Result<()> {
    let what = format!("alpha-beta search with {}", shipped::NAME);
    console.begin(&what)?;
    let games = games::middle::<G>(options, POSITIONS);
    let make = updatable_evaluators::<G>(shipped::NAME.as_ref(), options.config.game.name())?;
    let mut search = AlphaBeta::new(make(), SearchSpec::updatable(shipped::NAME).alpha_beta);
    let limits = Limits::nodes(NODES);
    let mut first = None;
    let rates = alone(console, || {
        let searches = games.iter().map(|game| search.best(game, &limits));
        let found: Vec<_> = searches.map(|found| (found.action, found.nodes)).collect();
        let nodes = found.iter().map(|(_, nodes)| nodes).sum();
        repeats(&what, &mut first, found)?;
        Ok(nodes)
    })?;
    console.add([Figure::new("search/nnue", "", FigureUnit::Nodes, &rates).with_target(Some(1e6))])
}
