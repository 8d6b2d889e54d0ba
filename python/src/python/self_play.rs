//! Whole games of searches, as an iterator.

use std::sync::Arc;

use numpy::{PyArray1, PyArray2, PyArray4, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use super::arguments::{Count, Seed, Threads, Whole, value_error};
use super::game::{Game, State};
use super::strategy::params;
use crate::erased::{AnyGame, AnyPlay};
use crate::evaluate::Evaluate;
use crate::self_play::{AnySelfPlay, Plan, Played};

/// Games of searches in lock-step, as an iterator over those that are over.
#[pyclass(module = "chase_rl")]
pub struct SelfPlay {
    game: Arc<dyn AnyGame>,
    games: Box<dyn AnySelfPlay>,
}

#[pymethods]
impl SelfPlay {
    #[new]
    #[pyo3(signature = (game, evaluate, *, games, parallel=Whole::new(64), simulations=Count::new(32), strategy=None,
                        temperature=1.0, temperature_plies=Count::new(30), reuse_tree=true, max_plies=Count::new(2000),
                        seed=Seed::new(0), threads=None, skip_forced=true),
       text_signature = "(game, evaluate, *, games, parallel=64, simulations=32, strategy=None, temperature=1.0, temperature_plies=30, reuse_tree=True, max_plies=2000, seed=0, threads=None, skip_forced=True)")]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        game: &Bound<'_, Game>,
        evaluate: &Bound<'_, PyAny>,
        games: Seed,
        parallel: Whole<1, 65536>,
        simulations: Count,
        strategy: Option<&Bound<'_, PyAny>>,
        temperature: f32,
        temperature_plies: Count,
        reuse_tree: bool,
        max_plies: Count,
        seed: Seed,
        threads: Option<Threads>,
        skip_forced: bool,
    ) -> PyResult<Self> {
        let plan = Plan {
            games: games.0,
            parallel: parallel.0 as usize,
            params: params(strategy, simulations, skip_forced)?,
            temperature,
            temperature_plies: temperature_plies.0 as u32,
            reuse: reuse_tree,
            max_plies: max_plies.0 as u32,
            seed: seed.0,
            threads: super::arguments::threads(threads),
            evaluate: Evaluate::from_python(evaluate)?,
        };
        let game = Arc::clone(&game.get().0);
        let games = Arc::clone(&game).self_play(plan).map_err(value_error)?;
        Ok(Self { game, games })
    }

    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PlayedGame>> {
        let Some(played) = self.games.next(py)? else {
            return Ok(None);
        };
        let mut end = Arc::clone(&self.game)
            .begin(played.start.as_deref(), None)
            .map_err(PyRuntimeError::new_err)?;
        for ply in &played.plies {
            end.apply(ply.action).map_err(PyRuntimeError::new_err)?;
        }
        Ok(Some(PlayedGame { played, end }))
    }
}

/// A game of self-play that is over.
#[pyclass(frozen, module = "chase_rl")]
pub struct PlayedGame {
    played: Played,
    /// The end of the game.
    end: Box<dyn AnyPlay>,
}

#[pymethods]
impl PlayedGame {
    /// The number of the game, from 0, in the order in which games began.
    #[getter]
    fn index(&self) -> u64 {
        self.played.index
    }

    /// The position that it began from as text, in a game that begins at random; None in others.
    #[getter]
    fn start(&self) -> Option<&str> {
        self.played.start.as_deref()
    }

    #[getter]
    fn outcome(&self) -> &'static str {
        self.played.outcome.name()
    }

    #[getter]
    fn end_reason(&self) -> &'static str {
        self.played.reason
    }

    #[getter]
    fn actions(&self) -> Vec<u32> {
        self.played.plies.iter().map(|ply| ply.action).collect()
    }

    #[getter]
    fn action_strings(&self) -> Vec<String> {
        self.played.plies.iter().map(|ply| ply.text.clone()).collect()
    }

    #[getter]
    fn players<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        PyArray1::from_iter(py, self.played.plies.iter().map(|ply| ply.player as i8))
    }

    /// Values of the searches for the player who moved; not a number where nothing was evaluated.
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let plies = self.played.plies.iter();
        PyArray1::from_iter(py, plies.map(|ply| ply.wdl.map_or(f32::NAN, |wdl| wdl.value().0)))
    }

    /// Result of the game for the player who moved: 1, 0 or -1; NaN if it was truncated.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let outcome = self.played.outcome;
        let plies = self.played.plies.iter();
        PyArray1::from_iter(
            py,
            plies.map(|ply| outcome.value_for(ply.player).map_or(f32::NAN, |value| value.0)),
        )
    }

    /// Simulations of each search; 0 where the action was forced.
    #[getter]
    fn simulations<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.played.plies.iter().map(|ply| i64::from(ply.simulations)))
    }

    /// The targets of the policy, `[T, A]`.
    fn policies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let size = self.end.game().facts().policy_size;
        let mut policies = vec![0.0; self.played.plies.len() * size];
        for (ply, row) in self.played.plies.iter().zip(policies.chunks_exact_mut(size)) {
            for (&index, &probability) in ply.legal.iter().zip(&ply.policy) {
                row[index as usize] = probability;
            }
        }
        PyArray1::from_vec(py, policies).reshape([self.played.plies.len(), size])
    }

    /// The planes before each ply, `[T, C, H, W]`, from the view of the player who moved.
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray4<f32>>> {
        let game = self.end.game();
        let shape = game.facts().shape;
        let start = self.played.start.as_deref();
        let mut play = game.begin(start, None).map_err(PyRuntimeError::new_err)?;
        let mut planes = vec![0.0; self.played.plies.len() * shape.input_size()];
        for (ply, row) in self
            .played
            .plies
            .iter()
            .zip(planes.chunks_exact_mut(shape.input_size()))
        {
            play.encode(row);
            play.apply(ply.action).map_err(PyRuntimeError::new_err)?;
        }
        PyArray1::from_vec(py, planes).reshape(shape.batch(self.played.plies.len()))
    }

    /// The state at the end.
    fn final_state(&self) -> State {
        State(self.end.copy())
    }

    fn __len__(&self) -> usize {
        self.played.plies.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "PlayedGame({}: {} by {}, {} plies)",
            self.played.index,
            self.played.outcome.name(),
            self.played.reason,
            self.played.plies.len()
        )
    }
}
