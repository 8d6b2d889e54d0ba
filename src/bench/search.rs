//! Benchmark of the tree search, on one core.

use anyhow::ensure;
use chase_engine::chase::Rules;
use chase_engine::search::{Search, SearchParams, Stop, UniformEvaluator};
use chase_engine::{Chase, Game};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::{Figure, repeat};

const POSITIONS: u64 = 16;
/// Random plies before the search: dice are spread and some are lost.
const PLIES: u32 = 40;
const SIMULATIONS: u32 = 200;

pub fn figures(seconds: f64) -> anyhow::Result<Vec<Figure>> {
    let games: Vec<Chase> = (0..).filter_map(middle).take(POSITIONS as usize).collect();
    let params = SearchParams {
        simulations: SIMULATIONS,
        ..SearchParams::default()
    };
    let mut search = Search::new();
    let mut first_choices = None;
    let rates = repeat(seconds, || {
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
            ensure!(
                search.stop() == Some(Stop::Simulations) && visits == SIMULATIONS,
                "search: {visits} visits of the root's actions instead of {SIMULATIONS}, stopped by {:?}",
                search.stop()
            );
            simulations += u64::from(visits);
            choices.push(search.result().best_action());
        }
        let first = first_choices.get_or_insert_with(|| choices.clone());
        ensure!(
            choices == *first,
            "search: chose {choices:?}, but {first:?} for the same positions before"
        );
        Ok(simulations)
    })?;
    // The target is 3 µs a simulation.
    Ok(vec![Figure::from_rates(
        "search without a network",
        "simulations/s",
        1e6 / 3.0,
        rates,
    )])
}

/// A game after random plies; none if it has ended by then, or offers no choice.
fn middle(seed: u64) -> Option<Chase> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = Chase::new(&Rules::default());
    let mut actions = Vec::new();
    for _ in 0..PLIES {
        game.legal_actions(&mut actions);
        game.apply(*actions.get(rng.random_range(0..actions.len().max(1)))?);
    }
    game.legal_actions(&mut actions);
    (actions.len() > 1).then_some(game)
}
