//! Many games in lock-step, in numpy arrays.

#![allow(
    unsafe_code,
    reason = "arrays of numpy that lie in the memory of this class, so that nothing is copied, can be made in no other way"
)]

use numpy::ndarray::{Array, ArrayD, IxDyn};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::arguments::{Seed, Threads, Whole, value_error};
use super::game::Game;
use crate::vector::{AnyVector, Rows};

/// The most games of one environment.
const MOST: u64 = 1 << 20;

/// Games in lock-step that begin anew in the step in which they end.
///
/// Everything lies in memory that is made once and written in place by every step.
#[pyclass(module = "chase_rl")]
pub struct VectorEnv {
    game: Py<Game>,
    vector: Box<dyn AnyVector>,
    threads: usize,
    games: usize,
    planes: ArrayD<f32>,
    mask: ArrayD<bool>,
    to_move: ArrayD<i8>,
    rewards: ArrayD<f32>,
    terminated: ArrayD<bool>,
    truncated: ArrayD<bool>,
}

/// Zeros, in C order.
fn zeros<T: Default + Clone>(shape: &[usize]) -> PyResult<ArrayD<T>> {
    let no_memory = || PyMemoryError::new_err(format!("no memory for an array of shape {shape:?}"));
    let size = shape
        .iter()
        .try_fold(1usize, |size, &next| size.checked_mul(next))
        .ok_or_else(no_memory)?;
    let mut memory = Vec::new();
    memory.try_reserve_exact(size).map_err(|_| no_memory())?;
    memory.resize(size, T::default());
    Array::from_shape_vec(IxDyn(shape), memory).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The numbers of an array made by [`zeros`].
fn numbers<T>(array: &mut ArrayD<T>) -> &mut [T] {
    array.as_slice_mut().unwrap_or_default()
}

impl VectorEnv {
    fn parts(&mut self) -> (&mut dyn AnyVector, Rows<'_>, usize) {
        let rows = Rows {
            planes: numbers(&mut self.planes),
            mask: numbers(&mut self.mask),
            to_move: numbers(&mut self.to_move),
            rewards: numbers(&mut self.rewards),
            terminated: numbers(&mut self.terminated),
            truncated: numbers(&mut self.truncated),
        };
        (self.vector.as_mut(), rows, self.threads)
    }
}

/// An array of numpy in the memory of the environment, which it keeps alive.
fn shared<'py, T: Element>(
    slf: &Bound<'py, VectorEnv>,
    array: impl for<'a> Fn(&'a VectorEnv) -> &'a ArrayD<T>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let environment = slf.try_borrow()?;
    // SAFETY: no array of an environment is ever replaced or grows, and the environment lives as long as what is
    // returned.
    Ok(unsafe { PyArrayDyn::borrow_from_array(array(&environment), slf.clone().into_any()) })
}

#[pymethods]
impl VectorEnv {
    #[new]
    #[pyo3(signature = (game, num_envs, *, seed=Seed::new(0), threads=None, observations=true),
       text_signature = "(game, num_envs, *, seed=0, threads=None, observations=True)")]
    fn new(
        game: Py<Game>,
        num_envs: Whole<1, MOST>,
        seed: Seed,
        threads: Option<Threads>,
        observations: bool,
    ) -> PyResult<Self> {
        let games = num_envs.0 as usize;
        let any = game.get().0.clone();
        let facts = any.facts();
        let [planes, height, width] = facts.shape.input();
        let planes = if observations { planes } else { 0 };
        let (planes, mask) = (
            zeros(&[games, planes, height, width])?,
            zeros(&[games, facts.policy_size])?,
        );
        let vector = any
            .vector(games, seed.0, observations)
            .map_err(PyMemoryError::new_err)?;
        let mut environment = Self {
            game,
            vector,
            threads: super::arguments::threads(threads),
            games,
            planes,
            mask,
            to_move: zeros(&[games])?,
            rewards: zeros(&[games, 2])?,
            terminated: zeros(&[games])?,
            truncated: zeros(&[games])?,
        };
        let (vector, rows, threads) = environment.parts();
        vector.reset(rows, None, threads);
        Ok(environment)
    }

    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    #[getter]
    fn num_envs(&self) -> usize {
        self.games
    }

    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    #[getter]
    fn observations(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<f32>>> {
        shared(&slf, |environment| &environment.planes)
    }

    #[getter]
    fn action_mask(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<bool>>> {
        shared(&slf, |environment| &environment.mask)
    }

    #[getter]
    fn current_player(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<i8>>> {
        shared(&slf, |environment| &environment.to_move)
    }

    #[getter]
    fn rewards(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<f32>>> {
        shared(&slf, |environment| &environment.rewards)
    }

    #[getter]
    fn terminated(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<bool>>> {
        shared(&slf, |environment| &environment.terminated)
    }

    #[getter]
    fn truncated(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyArrayDyn<bool>>> {
        shared(&slf, |environment| &environment.truncated)
    }

    /// Begins all games anew.
    #[pyo3(signature = (*, seed=None))]
    fn reset(&mut self, py: Python<'_>, seed: Option<Seed>) {
        let (vector, rows, threads) = self.parts();
        py.detach(|| vector.reset(rows, seed.map(|seed| seed.0), threads));
    }

    /// Plays one action in every game, or in none if one is not legal.
    fn step(&mut self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let actions = whole_numbers(actions)?;
        let (vector, rows, threads) = self.parts();
        py.detach(|| vector.step(&actions, rows, threads)).map_err(value_error)
    }

    /// A legal action for every game by the game's own chance: for measurements and tests.
    fn random_actions<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let mut actions = vec![0; self.games];
        self.vector.sample(&mut actions);
        PyArray1::from_vec(py, actions)
    }

    /// The position of a game as text.
    fn position(&self, index: Seed) -> PyResult<String> {
        let games = self.games;
        let found = usize::try_from(index.0)
            .ok()
            .and_then(|index| self.vector.position(index));
        found.ok_or_else(|| PyIndexError::new_err(format!("there are games 0 to {}, found {}", games - 1, index.0)))
    }

    fn __len__(&self) -> usize {
        self.games
    }

    fn __repr__(&self) -> String {
        format!(
            "VectorEnv({:?}, num_envs={})",
            self.game.get().0.facts().name,
            self.games
        )
    }
}

/// A copy of what numpy makes a one-dimensional array of integers of.
fn whole_numbers(object: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let explain = |cause: Option<PyErr>, found: String| {
        let explained = PyTypeError::new_err(format!(
            "actions {found}, expected an array of integers, one for each game"
        ));
        explained.set_cause(py, cause);
        explained
    };
    let array = numpy
        .call_method1("asarray", (object,))
        .map_err(|error| explain(Some(error), "are no array".to_owned()))?;
    let kind: String = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        return Err(explain(None, format!("have the type {}", array.getattr("dtype")?)));
    }
    let array = numpy.call_method1("ascontiguousarray", (&array, "int64"))?;
    let array = array.cast_into::<PyArrayDyn<i64>>()?;
    if array.ndim() != 1 {
        return Err(PyValueError::new_err(format!(
            "actions have the shape {:?}, expected one action for each game",
            array.shape()
        )));
    }
    Ok(array.try_readonly()?.as_slice()?.to_vec())
}
