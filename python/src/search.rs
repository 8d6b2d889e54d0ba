//! Searches of many positions side by side.

use chase_engine::search::{SearchParams, Stop};
use chase_engine::{Encode, Outcome, Player, Wdl, seed};
use pyo3::exceptions::PyValueError;
use pyo3::{PyResult, Python};

use crate::evaluate::{Evaluate, Lane, step};

/// Result of a search. Values are for the player to move.
#[derive(Clone, Debug)]
pub struct Found {
    pub to_move: Player,
    /// Policy indices of the legal actions.
    pub actions: Vec<u32>,
    pub texts: Vec<String>,
    pub visits: Vec<u32>,
    /// The evaluator's probabilities; 0 where nothing was evaluated.
    pub priors: Vec<f32>,
    /// Mean values; not a number where there are no visits.
    pub q: Vec<f32>,
    /// The strategy's target: shares of the visits with PUCT, the improved policy with Gumbel.
    pub policy: Vec<f32>,
    /// `None` if nothing was evaluated.
    pub wdl: Option<Wdl>,
    /// Where in `actions` the choice is; `None` if the game is over.
    pub best: Option<usize>,
    /// The line that the search expects.
    pub line: Vec<String>,
    pub proven: Option<Outcome>,
    pub simulations: u32,
    pub stop: &'static str,
}

/// Searches all positions side by side; the chance of each depends on the seed and its place alone.
///
/// # Errors
/// If a parameter is out of its range, or the evaluator fails.
pub fn search<G: Encode>(
    py: Python<'_>,
    encoding: &G::Encoding,
    games: &[G],
    params: &SearchParams,
    evaluate: &Evaluate,
    seed: u64,
    threads: usize,
) -> PyResult<Vec<Found>> {
    let mut lanes = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate() {
        let mut lane = Lane::new(seed::named("python rollouts", &[seed, index as u64]));
        let mut rng = seed::named("python search", &[seed, index as u64]);
        let started = lane.search.start(game, params, &mut rng);
        started.map_err(|error| PyValueError::new_err(error.to_string()))?;
        lanes.push(lane);
    }
    let mut open: Vec<&mut Lane<G>> = lanes.iter_mut().collect();
    while step(py, &mut open, evaluate, encoding, threads)? > 0 {}
    Ok(lanes.iter().zip(games).map(|(lane, game)| found(lane, game)).collect())
}

/// Result of the search of a lane, at its root.
pub fn found<G: Encode>(lane: &Lane<G>, game: &G) -> Found {
    let result = lane.search.result();
    let count = result.actions().len();
    let (mut visits, mut priors, mut q) = (vec![0; count], vec![0.0; count], vec![f32::NAN; count]);
    for (index, edge) in lane.search.root().into_iter().flat_map(|root| root.edges()).enumerate() {
        visits[index] = edge.visits;
        priors[index] = edge.prior;
        q[index] = edge.q.map_or(f32::NAN, |q| q.0);
    }
    let mut policy = Vec::new();
    if count > 0 {
        result.policy_target(&mut policy);
    }
    let best = result.best_action();
    let mut line = Vec::new();
    let mut ahead = game.clone();
    for action in result.principal_variation() {
        line.push(ahead.action_text(action));
        ahead.apply(action);
    }
    Found {
        to_move: game.to_move(),
        actions: result
            .actions()
            .iter()
            .map(|&action| game.policy_index(action) as u32)
            .collect(),
        texts: result
            .actions()
            .iter()
            .map(|&action| game.action_text(action))
            .collect(),
        visits,
        priors,
        q,
        policy,
        wdl: result.wdl(),
        best: best.and_then(|best| result.actions().iter().position(|&action| action == best)),
        line,
        proven: result.proven(),
        simulations: lane.search.simulations(),
        stop: match lane.search.stop() {
            Some(Stop::Proven) => "proven",
            Some(Stop::Forced) => "forced",
            Some(Stop::MemoryFull) => "memory full",
            Some(Stop::GameOver) => "game over",
            Some(Stop::Simulations) | None => "simulations",
        },
    }
}
