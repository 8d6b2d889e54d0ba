//! Efficiently updatable networks.

use std::path::PathBuf;

use pyo3::prelude::*;

use super::arguments::value_error;
use crate::updatable::Updatable;

/// An efficiently updatable network, for `alpha_beta`.
#[pyclass(frozen, module = "chase_rl")]
pub struct UpdatableNetwork(pub Updatable);

#[pymethods]
impl UpdatableNetwork {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Updatable::read(&path).map(Self).map_err(value_error)
    }

    #[getter]
    fn game(&self) -> &'static str {
        self.0.game.name()
    }

    fn __repr__(&self) -> String {
        format!("UpdatableNetwork for {}", self.0.game)
    }
}
