//! The baselines.

use std::time::Duration;

use chase_engine::alpha_beta::{Limits, MAX_DEPTH, Pruning, Settings};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arguments::{Seed, Threads, Whole, threads as number_of_threads, value_error};
use super::game::State;
use crate::baselines::Assessed;
use crate::erased::AnyPlay;

/// Plies of a search.
type Depth = Whole<1, { MAX_DEPTH as u64 }>;
/// Nodes of a search.
type Nodes = Whole<1, { u64::MAX }>;
/// Time of a search: an hour at most.
type Milliseconds = Whole<1, 3_600_000>;

/// One state that is not over, or several: copies, so that they may change while others are at work.
pub struct States {
    plays: Vec<Box<dyn AnyPlay>>,
    alone: bool,
}

impl FromPyObject<'_, '_> for States {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let (items, alone) = if object.is_instance_of::<State>() {
            (vec![object.to_owned()], true)
        } else {
            let kind = object.get_type();
            let items = object.extract().map_err(|_| match kind.name() {
                Ok(name) => PyTypeError::new_err(format!("expected a State or a sequence of states, found a {name}")),
                Err(error) => error,
            })?;
            (items, false)
        };
        let mut plays = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let place = if alone {
                String::new()
            } else {
                format!("states[{index}]: ")
            };
            let Ok(state) = item.cast::<State>() else {
                let kind = item.get_type();
                return Err(PyTypeError::new_err(format!(
                    "{place}expected a State, found a {}",
                    kind.name()?
                )));
            };
            let play = state.try_borrow()?.0.copy();
            if play.outcome().is_some() {
                return Err(value_error(format!(
                    "{place}the game is over, expected one in progress"
                )));
            }
            plays.push(play);
        }
        Ok(Self { plays, alone })
    }
}

impl States {
    /// Returns `answer` for all states: one value for one state, a list for a list.
    fn answer<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        answer: impl FnOnce(&[&dyn AnyPlay]) -> PyResult<Vec<T>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let plays: Vec<&dyn AnyPlay> = self.plays.iter().map(AsRef::as_ref).collect();
        let mut answers = if plays.is_empty() { Vec::new() } else { answer(&plays)? };
        match answers.pop() {
            Some(answer) if self.alone => answer.into_bound_py_any(py),
            last => {
                answers.extend(last);
                answers.into_bound_py_any(py)
            }
        }
    }
}

/// A legal action of each state, all as likely as each other.
#[pyfunction]
#[pyo3(signature = (states, *, seed=Seed::new(0), threads=None))]
pub fn random_action(
    py: Python<'_>,
    states: States,
    seed: Seed,
    threads: Option<Threads>,
) -> PyResult<Bound<'_, PyAny>> {
    states.answer(py, |plays| {
        plays[0].game().random(py, plays, seed.0, number_of_threads(threads))
    })
}

/// A win at once, otherwise the action that leaves the player furthest ahead in material.
#[pyfunction]
#[pyo3(signature = (states, *, seed=Seed::new(0), threads=None))]
pub fn greedy(py: Python<'_>, states: States, seed: Seed, threads: Option<Threads>) -> PyResult<Bound<'_, PyAny>> {
    states.answer(py, |plays| {
        plays[0].game().greedy(py, plays, seed.0, number_of_threads(threads))
    })
}

/// Alpha–beta search of each state, with iterative deepening.
#[pyfunction]
#[pyo3(signature = (states, *, depth=None, nodes=None, milliseconds=None, quiescence=true, seed=Seed::new(0), threads=None))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn alpha_beta(
    py: Python<'_>,
    states: States,
    depth: Option<Depth>,
    nodes: Option<Nodes>,
    milliseconds: Option<Milliseconds>,
    quiescence: bool,
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
    let pruning = Pruning {
        quiescence,
        ..Settings::PLAIN.pruning
    };
    let settings = Settings {
        pruning,
        ..Settings::PLAIN
    };
    states.answer(py, |plays| {
        let threads = number_of_threads(threads);
        let found = plays[0]
            .game()
            .alpha_beta(py, plays, settings, limits, seed.0, threads)?;
        Ok(found.into_iter().map(AlphaBetaResult).collect())
    })
}

/// Value of each state for the player to move, in the units of the game's heuristic.
#[pyfunction]
pub fn heuristic(py: Python<'_>, states: States) -> PyResult<Bound<'_, PyAny>> {
    states.answer(py, |plays| plays[0].game().heuristic(plays))
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
