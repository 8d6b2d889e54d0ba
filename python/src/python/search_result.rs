//! Searches, and what they found.

use std::collections::HashMap;

use numpy::PyArray1;
use pyo3::prelude::*;

use super::arguments::{Count, Seed, Threads};
use super::states::States;
use super::strategy::params;
use crate::evaluate::Evaluate;
use crate::registry::find;
use crate::search::Found;

/// Searches all states, which must be of one game, side by side: each batch holds leaves of all of them. One state has one
/// result, a list has a list of results.
///
/// `evaluate` is called with planes `[B, C, H, W]` and returns policy logits `[B, A]` and values for the player to
/// move.
#[pyfunction]
#[pyo3(signature = (states, evaluate, *, simulations=Count::new(200), strategy=None, seed=Seed::new(0), threads=None,
                    skip_forced=true, encoding=None),
       text_signature = "(states, evaluate, *, simulations=200, strategy=None, seed=0, threads=None, skip_forced=True, encoding=None)")]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn search<'py>(
    py: Python<'py>,
    states: States,
    evaluate: &Bound<'py, PyAny>,
    simulations: Count,
    strategy: Option<&Bound<'py, PyAny>>,
    seed: Seed,
    threads: Option<Threads>,
    skip_forced: bool,
    encoding: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let params = params(strategy, simulations, skip_forced)?;
    let evaluate = Evaluate::from_python(evaluate)?;
    let options = super::arguments::encoding(encoding)?;
    let threads = super::arguments::threads(threads);
    states.answer(py, |plays| {
        let mut game = plays[0].game();
        if let Some(options) = &options {
            let facts = game.facts();
            game = find(facts.name, Some(&facts.rules), Some(options)).map_err(super::arguments::value_error)?;
        }
        let found = game.search(py, plays, &params, &evaluate, seed.0, threads)?;
        Ok(found.into_iter().map(SearchResult).collect())
    })
}

/// Result of a search. Values are for the player to move at the root, arrays in the order of `actions`.
#[pyclass(frozen, module = "chase_rl")]
pub struct SearchResult(Found);

#[pymethods]
impl SearchResult {
    #[getter]
    fn player(&self) -> u8 {
        self.0.to_move as u8
    }

    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.0.actions.iter().map(|&index| i64::from(index)))
    }

    #[getter]
    fn action_strings(&self) -> Vec<String> {
        self.0.texts.clone()
    }

    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.0.visits.iter().map(|&visits| i64::from(visits)))
    }

    #[getter]
    fn priors<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.0.priors)
    }

    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.0.q)
    }

    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_slice(py, &self.0.policy)
    }

    #[getter]
    fn wdl(&self) -> Option<(f32, f32, f32)> {
        self.0.wdl.map(|wdl| (wdl.win, wdl.draw, wdl.loss))
    }

    #[getter]
    fn value(&self) -> Option<f32> {
        self.0.wdl.map(|wdl| wdl.value().0)
    }

    #[getter]
    fn best_action(&self) -> Option<u32> {
        self.0.best.map(|best| self.0.actions[best])
    }

    #[getter]
    fn best_action_string(&self) -> Option<&str> {
        self.0.best.map(|best| self.0.texts[best].as_str())
    }

    #[getter]
    fn principal_variation(&self) -> Vec<String> {
        self.0.line.clone()
    }

    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.0.proven.map(|outcome| outcome.name())
    }

    #[getter]
    fn simulations(&self) -> u32 {
        self.0.simulations
    }

    #[getter]
    fn stop(&self) -> &'static str {
        self.0.stop
    }

    /// A row for each action, the most visited first: what data frames are made of.
    fn rows(&self) -> Vec<HashMap<&'static str, Cell>> {
        let rows = self.order().into_iter().map(|index| {
            HashMap::from([
                ("action", Cell::Text(self.0.texts[index].clone())),
                ("index", Cell::Whole(self.0.actions[index])),
                ("visits", Cell::Whole(self.0.visits[index])),
                ("prior", Cell::Number(self.0.priors[index])),
                ("q", Cell::Number(self.0.q[index])),
                ("policy", Cell::Number(self.0.policy[index])),
            ])
        });
        rows.collect()
    }

    fn __repr__(&self) -> String {
        let found = &self.0;
        let value = self
            .value()
            .map_or_else(|| "none".to_owned(), |value| format!("{value:+.3}"));
        let mut text = format!(
            "SearchResult: {} of {} actions, value {value}, {} simulations\n",
            found.best.map_or("none", |best| found.texts[best].as_str()),
            found.actions.len(),
            found.simulations
        );
        for index in self.order().into_iter().take(10) {
            text += &format!(
                "{:>10}  visits {:>6}  q {:+.3}  prior {:.3}\n",
                found.texts[index], found.visits[index], found.q[index], found.priors[index]
            );
        }
        text
    }
}

impl SearchResult {
    /// Places in the arrays: the choice, then by visits and priors.
    fn order(&self) -> Vec<usize> {
        let found = &self.0;
        let mut order: Vec<usize> = (0..found.actions.len()).collect();
        order.sort_by(|&one, &other| {
            let rank = |index: usize| (found.best == Some(index), found.visits[index]);
            rank(other)
                .cmp(&rank(one))
                .then(found.priors[other].total_cmp(&found.priors[one]))
        });
        order
    }
}

/// A number or a text of a row.
#[derive(IntoPyObject)]
pub enum Cell {
    Text(String),
    Whole(u32),
    Number(f32),
}
