//! States as arguments.

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arguments::value_error;
use super::game::State;
use crate::erased::AnyPlay;

/// One state or several, as an argument: copies, so that Python may change the states while they are searched.
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
            plays.push(state.try_borrow()?.0.copy());
        }
        Ok(Self { plays, alone })
    }
}

impl States {
    /// The same states, if none of them is over.
    pub fn in_progress(self) -> PyResult<Self> {
        match self.plays.iter().position(|play| play.outcome().is_some()) {
            None => Ok(self),
            Some(index) => {
                let place = if self.alone {
                    String::new()
                } else {
                    format!("states[{index}]: ")
                };
                Err(value_error(format!(
                    "{place}the game is over, expected one in progress"
                )))
            }
        }
    }

    /// Returns `answer` for all states: one value for one state, a list for a list.
    pub fn answer<'py, T: IntoPyObject<'py>>(
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
