//! A game with its conventions and its encoding.

mod state;

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use super::arguments::{Seed, encoding, value_error};
use crate::erased::{AnyGame, Tags};
use crate::registry::{find, names};
pub use state::State;
use state::parse_serialized;

/// The names of all games.
#[pyfunction]
pub fn registered_names() -> Vec<&'static str> {
    names()
}

/// A game by its name, with conventions as text and options of its encoding.
#[pyfunction]
#[pyo3(signature = (name, *, rules=None, encoding=None))]
pub fn load_game(name: &str, rules: Option<&str>, encoding: Option<&Bound<'_, PyAny>>) -> PyResult<Game> {
    Game::load(name, rules, encoding)
}

/// A game with its conventions and its encoding.
#[pyclass(frozen, module = "chase_rl")]
pub struct Game(pub Arc<dyn AnyGame>);

impl Game {
    fn load(name: &str, rules: Option<&str>, options: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let options = encoding(options)?;
        find(name, rules, options.as_ref()).map(Self).map_err(value_error)
    }
}

#[pymethods]
impl Game {
    #[getter]
    fn name(&self) -> &'static str {
        self.0.facts().name
    }

    #[getter]
    fn rules(&self) -> &str {
        &self.0.facts().rules
    }

    #[getter]
    fn rules_version(&self) -> u32 {
        self.0.facts().rules_version
    }

    #[getter]
    fn encoding_version(&self) -> u32 {
        self.0.facts().encoding_version
    }

    #[getter]
    fn encoding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = self.0.facts().encoding.to_string();
        py.import("json")?.call_method1("loads", (text,))
    }

    #[getter]
    fn plane_names(&self) -> Vec<String> {
        self.0.facts().planes.clone()
    }

    fn num_players(&self) -> usize {
        2
    }

    fn num_distinct_actions(&self) -> usize {
        self.0.facts().policy_size
    }

    fn observation_tensor_shape(&self) -> (usize, usize, usize) {
        self.0.facts().shape.input().into()
    }

    fn observation_tensor_size(&self) -> usize {
        self.0.facts().shape.input_size()
    }

    fn min_utility(&self) -> f64 {
        -1.0
    }

    fn max_utility(&self) -> f64 {
        1.0
    }

    fn utility_sum(&self) -> f64 {
        0.0
    }

    #[pyo3(signature = (position=None, *, seed=None))]
    fn new_initial_state(&self, position: Option<&str>, seed: Option<Seed>) -> PyResult<State> {
        let seed = seed.map(|seed| seed.0);
        Arc::clone(&self.0)
            .begin(position, seed)
            .map(State)
            .map_err(value_error)
    }

    fn deserialize_state(&self, text: &str) -> PyResult<State> {
        parse_serialized(text, |name, rules| {
            let facts = self.0.facts();
            if name != facts.name {
                return Err(format!("a game of {name}, expected one of {}", facts.name));
            }
            find(name, Some(rules), Some(&facts.encoding))
        })
    }

    fn read_records(&self, text: &str) -> PyResult<Vec<(Py<PyDict>, State)>> {
        let records = Arc::clone(&self.0).read_records(text).map_err(value_error)?;
        Python::attach(|py| {
            let mut states = Vec::with_capacity(records.len());
            for (tags, play) in records {
                states.push((tags_to_dict(py, tags)?, State(play)));
            }
            Ok(states)
        })
    }

    fn __repr__(&self) -> String {
        let facts = self.0.facts();
        format!(
            "load_game({:?}, rules={:?}, encoding={})",
            facts.name,
            facts.rules,
            literal(&facts.encoding)
        )
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let (own, other) = (self.0.facts(), other.get().0.facts());
            (own.name, &own.rules, &own.encoding) == (other.name, &other.rules, &other.encoding)
        })
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let (facts, mut hasher) = (self.0.facts(), DefaultHasher::new());
        (facts.name, &facts.rules, facts.encoding.to_string()).hash(&mut hasher);
        hasher.finish()
    }

    /// For pickle and copy.
    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<Reduced<'py, (String, String, Bound<'py, PyAny>)>> {
        let py = slf.py();
        let game = slf.get();
        let facts = game.0.facts();
        let load = py.import("chase_rl")?.getattr("_load")?;
        Ok((load, (facts.name.to_owned(), facts.rules.clone(), game.encoding(py)?)))
    }
}

fn tags_to_dict(py: Python<'_>, tags: Tags) -> PyResult<Py<PyDict>> {
    let dict = PyDict::new(py);
    for (name, value) in tags {
        dict.set_item(name, value)?;
    }
    Ok(dict.unbind())
}

/// A function and its arguments, by which pickle makes an object again.
type Reduced<'py, T> = (Bound<'py, PyAny>, T);

/// Options as Python writes them.
fn literal(value: &Value) -> String {
    match value {
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Null => "None".to_owned(),
        Value::Object(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|(name, value)| format!("{name:?}: {}", literal(value)))
                .collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}
