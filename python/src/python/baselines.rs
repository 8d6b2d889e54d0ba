//! The baselines.

use std::time::Duration;

use chase_engine::alpha_beta::{Limits, MAX_DEPTH, Pruning, Settings};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arguments::{Seed, Threads, Whole, threads as number_of_threads};
use super::states::States;
use super::updatable::UpdatableNetwork;
use crate::baselines::Assessed;

/// Plies of a search.
type Depth = Whole<1, { MAX_DEPTH as u64 }>;
/// Nodes of a search.
type Nodes = Whole<1, { u64::MAX }>;
/// Time of a search: an hour at most.
type Milliseconds = Whole<1, 3_600_000>;

/// A legal action of each state, all as likely as each other.
#[pyfunction]
#[pyo3(signature = (states, *, seed=Seed::new(0), threads=None),
       text_signature = "(states, *, seed=0, threads=None)")]
pub fn random_action(
    py: Python<'_>,
    states: States,
    seed: Seed,
    threads: Option<Threads>,
) -> PyResult<Bound<'_, PyAny>> {
    states.in_progress()?.answer(py, |plays| {
        plays[0].game().random(py, plays, seed.0, number_of_threads(threads))
    })
}

/// A win at once, otherwise the action that leaves the player furthest ahead in material.
#[pyfunction]
#[pyo3(signature = (states, *, seed=Seed::new(0), threads=None),
       text_signature = "(states, *, seed=0, threads=None)")]
pub fn greedy(py: Python<'_>, states: States, seed: Seed, threads: Option<Threads>) -> PyResult<Bound<'_, PyAny>> {
    states.in_progress()?.answer(py, |plays| {
        plays[0].game().greedy(py, plays, seed.0, number_of_threads(threads))
    })
}

/// Alpha–beta search of each state, with iterative deepening.
#[pyfunction]
#[pyo3(signature = (states, *, depth=None, nodes=None, milliseconds=None, quiescence=true, network=None, seed=Seed::new(0),
                    threads=None),
       text_signature = "(states, *, depth=None, nodes=None, milliseconds=None, quiescence=True, network=None, seed=0, \
                         threads=None)")]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn alpha_beta(
    py: Python<'_>,
    states: States,
    depth: Option<Depth>,
    nodes: Option<Nodes>,
    milliseconds: Option<Milliseconds>,
    quiescence: bool,
    network: Option<Py<UpdatableNetwork>>,
    seed: Seed,
    threads: Option<Threads>,
) -> PyResult<Bound<'_, PyAny>> {
    if depth.is_none() && nodes.is_none() && milliseconds.is_none() {
        return Err(PyTypeError::new_err(
            "alpha_beta needs a limit: depth, nodes or milliseconds, as in alpha_beta(state, depth=3)",
        ));
    }
    let limits = Limits {
        depth: depth.map_or(MAX_DEPTH, |depth| depth.0 as u32),
        nodes: nodes.map(|nodes| nodes.0),
        time: milliseconds.map(|time| Duration::from_millis(time.0)),
    };
    let network = network.as_ref().map(|network| &network.get().0);
    // Those of the program's players.
    let usual = match network {
        None => Settings::PLAIN,
        Some(_) => Settings::STRONG,
    };
    let pruning = Pruning {
        quiescence,
        ..usual.pruning
    };
    let settings = Settings { pruning, ..usual };
    states.in_progress()?.answer(py, |plays| {
        let threads = number_of_threads(threads);
        let found = plays[0]
            .game()
            .alpha_beta(py, plays, (network, settings), limits, seed.0, threads)?;
        Ok(found.into_iter().map(AlphaBetaResult).collect())
    })
}

/// Value of each state for the player to move, in the units of the game's heuristic.
#[pyfunction]
pub fn heuristic(py: Python<'_>, states: States) -> PyResult<Bound<'_, PyAny>> {
    states
        .in_progress()?
        .answer(py, |plays| plays[0].game().heuristic(plays))
}

/// Result of an alpha–beta search. The score is for the player to move at the root.
#[pyclass(frozen, module = "chase_rl")]
pub struct AlphaBetaResult(Assessed);

#[pymethods]
impl AlphaBetaResult {
    #[getter]
    fn player(&self) -> u8 {
        self.0.to_move as u8
    }

    #[getter]
    fn best_action(&self) -> u32 {
        self.0.action
    }

    #[getter]
    fn best_action_string(&self) -> &str {
        &self.0.text
    }

    #[getter]
    fn score(&self) -> i32 {
        self.0.score
    }

    #[getter]
    fn plies_to_win(&self) -> Option<i32> {
        self.0.plies_to_win
    }

    #[getter]
    fn depth(&self) -> u32 {
        self.0.depth
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.0.nodes
    }

    fn __repr__(&self) -> String {
        let Assessed {
            text,
            score,
            plies_to_win,
            depth,
            nodes,
            ..
        } = &self.0;
        let score = match plies_to_win {
            Some(plies @ 0..) => format!("win in {plies} plies"),
            Some(plies) => format!("loss in {} plies", -plies),
            None => format!("score {score:+}"),
        };
        format!("AlphaBetaResult: {text}, {score}, depth {depth}, {nodes} nodes")
    }
}
