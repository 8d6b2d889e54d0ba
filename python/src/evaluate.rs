//! Leaves of searches as arrays, and what an evaluator says about them.

use std::sync::{Mutex, PoisonError};

use chase_engine::search::{EvaluationError, Evaluations, Evaluator, Leaf, RolloutEvaluator, Search, UniformEvaluator};
use chase_engine::{Encode, Wdl};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use rand::rngs::Xoshiro256PlusPlus;

use crate::parallel::each;
use crate::ruled::encode;

/// The most plies of a random game that judges a position.
const ROLLOUT_PLIES: u32 = 1000;
/// Simulations of a search without Python before signals such as Ctrl-C are looked at.
const PATIENCE: usize = 256;

/// A source of evaluations of positions.
pub enum Evaluate {
    /// Nothing is known: every action and every result is as likely as any other.
    Uniform,
    /// The result of one random game.
    Rollout,
    /// Called with planes `[B, C, H, W]`; returns policy logits `[B, A]`, and values `[B]` or probabilities of win,
    /// draw and loss `[B, 3]`, for the player to move.
    Python(Py<PyAny>),
}

impl Evaluate {
    /// # Errors
    /// If the object is neither callable nor the name of an evaluator.
    pub fn from_python(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_callable() {
            return Ok(Self::Python(object.clone().unbind()));
        }
        match object.extract::<String>().as_deref() {
            Ok("uniform") => Ok(Self::Uniform),
            Ok("rollout") => Ok(Self::Rollout),
            Ok(name) => Err(PyValueError::new_err(format!(
                "evaluate is '{name}', expected a callable, 'uniform' or 'rollout'"
            ))),
            Err(_) => Err(PyTypeError::new_err(format!(
                "evaluate is a {}, expected a callable, 'uniform' or 'rollout'",
                object.get_type().name()?
            ))),
        }
    }
}

/// A search among others that share their batches.
pub struct Lane<G: Encode> {
    pub search: Search<G>,
    rollout: RolloutEvaluator<G>,
    evaluations: Evaluations,
    failure: Option<EvaluationError>,
}

impl<G: Encode> Lane<G> {
    /// A lane without a search; the generator is for the chance of random games.
    pub fn new(rng: Xoshiro256PlusPlus) -> Self {
        Self {
            search: Search::new(),
            rollout: RolloutEvaluator::new(1, ROLLOUT_PLIES, rng),
            evaluations: Evaluations::new(),
            failure: None,
        }
    }

    fn expand(&mut self) {
        for evaluation in self.evaluations.iter() {
            if let Err(error) = self.search.expand(evaluation) {
                self.failure.get_or_insert(error);
                return;
            }
        }
    }

    /// Goes on without Python, for some simulations. Returns the number of leaves.
    fn advance(&mut self, evaluate: &Evaluate) -> usize {
        let mut done = 0;
        while done < PATIENCE && self.failure.is_none() && self.search.select().is_some() {
            let leaves: Vec<Leaf<'_, G>> = self.search.leaves().collect();
            done += leaves.len();
            let filled = match evaluate {
                Evaluate::Rollout => self.evaluations.fill(&mut self.rollout, &leaves),
                _ => self
                    .evaluations
                    .fill(&mut UniformEvaluator as &mut dyn Evaluator<G>, &leaves),
            };
            match filled {
                Ok(()) => self.expand(),
                Err(error) => self.failure = Some(error),
            }
        }
        done
    }
}

/// Takes searches further together: all leaves that wait are evaluated at once. Returns their number, 0 once all are
/// over.
///
/// # Errors
/// If the evaluator raises, or does not return an evaluation; the leaves then still wait.
pub fn step<G: Encode>(
    py: Python<'_>,
    lanes: &mut [&mut Lane<G>],
    evaluate: &Evaluate,
    encoding: &G::Encoding,
    threads: usize,
) -> PyResult<usize> {
    py.check_signals()?;
    let count = match evaluate {
        Evaluate::Python(callable) => ask(py, lanes, callable.bind(py), encoding, threads)?,
        _ => py.detach(|| {
            let total = Mutex::new(0);
            each(lanes.iter_mut().collect(), threads, |lane| {
                let done = lane.advance(evaluate);
                *total.lock().unwrap_or_else(PoisonError::into_inner) += done;
            });
            total.into_inner().unwrap_or_else(PoisonError::into_inner)
        }),
    };
    let mut failures = lanes.iter_mut().filter_map(|lane| lane.failure.take());
    match failures.next() {
        Some(failure) => Err(PyValueError::new_err(format!("evaluate: {failure}"))),
        None => Ok(count),
    }
}

/// Asks a callable of Python.
fn ask<G: Encode>(
    py: Python<'_>,
    lanes: &mut [&mut Lane<G>],
    callable: &Bound<'_, PyAny>,
    encoding: &G::Encoding,
    threads: usize,
) -> PyResult<usize> {
    let shape = G::shape(encoding);
    let size = shape.input_size();
    let (planes, count) = py.detach(|| {
        each(lanes.iter_mut().collect(), threads, |lane| {
            lane.search.select();
        });
        let count: usize = lanes.iter().map(|lane| lane.search.leaves().len()).sum();
        let mut planes = vec![0.0f32; count * size];
        let mut rest = planes.as_mut_slice();
        let mut tasks = Vec::with_capacity(lanes.len());
        for lane in lanes.iter() {
            let (own, behind) = std::mem::take(&mut rest).split_at_mut(lane.search.leaves().len() * size);
            rest = behind;
            tasks.push((&lane.search, own));
        }
        each(tasks, threads, |(search, planes)| {
            for (leaf, planes) in search.leaves().zip(planes.chunks_exact_mut(size)) {
                encode(leaf.game, encoding, planes);
            }
        });
        (planes, count)
    });
    if count == 0 {
        return Ok(0);
    }
    let planes = PyArray1::from_vec(py, planes).reshape(shape.batch(count))?;
    let answer = callable.call1((planes,))?;
    let answer = Answer::read(&answer, count, shape.policy_size())?;
    {
        // Read while no other thread of Python can write.
        let (policy, value) = (answer.policy.try_readonly()?, answer.value.try_readonly()?);
        let (policy, value) = (policy.as_slice()?, value.as_slice()?);
        let mut rows = policy
            .chunks_exact(shape.policy_size())
            .zip(value.chunks_exact(answer.values))
            .enumerate();
        for lane in lanes.iter_mut() {
            lane.evaluations.clear();
            for (leaf, (row, (policy, value))) in lane.search.leaves().zip(rows.by_ref()) {
                let wdl = wdl(value).map_err(|found| {
                    PyValueError::new_err(format!(
                        "evaluate returned {found} as the value of position {row}, {VALUE}"
                    ))
                })?;
                let logits = leaf
                    .actions
                    .iter()
                    .map(|&action| policy[leaf.game.policy_index(action)]);
                lane.evaluations.push(wdl, logits);
            }
        }
    }
    py.detach(|| each(lanes.iter_mut().collect(), threads, |lane| lane.expand()));
    Ok(count)
}

const VALUE: &str =
    "expected a number from -1 to 1, or three probabilities of win, draw and loss with sum 1, for the player to move";
/// Largest deviation of a sum of probabilities from 1, as in the engine.
const TOLERANCE: f32 = 0.01;

/// One value, or probabilities of win, draw and loss.
fn wdl(value: &[f32]) -> Result<Wdl, String> {
    match *value {
        [value] if value.abs() <= 1.0 => Ok(Wdl::new((1.0 + value) / 2.0, 0.0, (1.0 - value) / 2.0)),
        [win, draw, loss]
            if win >= 0.0 && draw >= 0.0 && loss >= 0.0 && (win + draw + loss - 1.0).abs() <= TOLERANCE =>
        {
            Ok(Wdl::new(win, draw, loss))
        }
        [value] => Err(value.to_string()),
        _ => Err(format!("{value:?}")),
    }
}

/// Arrays that an evaluator returned, of the right shapes.
struct Answer<'py> {
    /// `[B, A]`.
    policy: Bound<'py, PyArrayDyn<f32>>,
    /// `[B]`, `[B, 1]` or `[B, 3]`.
    value: Bound<'py, PyArrayDyn<f32>>,
    /// Numbers of a position in `value`.
    values: usize,
}

impl<'py> Answer<'py> {
    fn read(answer: &Bound<'py, PyAny>, count: usize, policy_size: usize) -> PyResult<Self> {
        let pair = answer.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>();
        let Ok((policy, value)) = pair else {
            return Err(PyTypeError::new_err(format!(
                "evaluate returned a {}, expected a tuple of two arrays: policy logits [B, {policy_size}] and values [B]",
                answer.get_type().name()?
            )));
        };
        let (policy, value) = (floats(&policy, "policy logits")?, floats(&value, "values")?);
        if policy.shape() != [count, policy_size] {
            return Err(PyValueError::new_err(format!(
                "evaluate returned policy logits of shape {:?}, expected [{count}, {policy_size}]: a row for each position, a \
                 column for each action",
                policy.shape()
            )));
        }
        let values = match *value.shape() {
            [rows] if rows == count => 1,
            [rows, columns @ (1 | 3)] if rows == count => columns,
            ref shape => {
                return Err(PyValueError::new_err(format!(
                    "evaluate returned values of shape {shape:?}, expected [{count}], or [{count}, 3] for probabilities of \
                     win, draw and loss"
                )));
            }
        };
        Ok(Self { policy, value, values })
    }
}

/// Whatever numpy makes an array of, as one of 32-bit floats in C order.
fn floats<'py>(object: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyArrayDyn<f32>>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let array = numpy
        .call_method1("ascontiguousarray", (object, "float32"))
        .map_err(|error| {
            let explained = PyTypeError::new_err(format!(
                "evaluate returned {what} that numpy makes no array of numbers of"
            ));
            explained.set_cause(py, Some(error));
            explained
        })?;
    Ok(array.cast_into()?)
}
