//! Arguments from Python, with errors that say what was expected.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use serde_json::Value;

use crate::parallel::{MOST, cores};

/// A whole number within limits. Other values are a `TypeError`; a whole number beyond the limits is a `ValueError`.
#[derive(Clone, Copy)]
pub struct Whole<const LOW: u64, const HIGH: u64>(pub u64);

/// A seed of chance.
pub type Seed = Whole<0, { u64::MAX }>;
/// A policy index.
pub type ActionIndex = Whole<0, { u32::MAX as u64 }>;
/// Numbers of simulations and the like.
pub type Count = Whole<0, { u32::MAX as u64 }>;
/// Numbers of threads.
pub type Threads = Whole<1, { MOST as u64 }>;

impl<const LOW: u64, const HIGH: u64> Whole<LOW, HIGH> {
    /// A number that is written in this package.
    pub const fn new(number: u64) -> Self {
        Self(number)
    }
}

impl<const LOW: u64, const HIGH: u64> FromPyObject<'_, '_> for Whole<LOW, HIGH> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let expected = || format!("expected a whole number from {LOW} to {HIGH}");
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err(format!("{}, found a bool", expected())));
        }
        let Ok(index) = object.call_method0("__index__") else {
            let kind = object.get_type();
            return Err(PyTypeError::new_err(format!(
                "{}, found a {}",
                expected(),
                kind.name()?
            )));
        };
        match index
            .cast_exact::<PyInt>()
            .ok()
            .and_then(|int| int.extract::<u64>().ok())
        {
            Some(number) if (LOW..=HIGH).contains(&number) => Ok(Self(number)),
            _ => {
                // Python does not write numbers of thousands of digits.
                let found = index
                    .str()
                    .map_or_else(|_| "a number too long to write".to_owned(), |text| text.to_string());
                let found: String = found.chars().take(40).collect();
                Err(PyValueError::new_err(format!("{}, found {found}", expected())))
            }
        }
    }
}

/// All cores, where nothing else is asked for.
pub fn threads(wanted: Option<Threads>) -> usize {
    wanted.map_or_else(cores, |wanted| wanted.0 as usize)
}

/// Options of an encoding, a `dict` of simple values.
pub fn encoding(options: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Value>> {
    let Some(options) = options else { return Ok(None) };
    let py = options.py();
    let text = py.import("json")?.call_method1("dumps", (options,)).map_err(|error| {
        let explained = PyTypeError::new_err("encoding is no dict of options and values");
        explained.set_cause(py, Some(error));
        explained
    })?;
    let text: String = text.extract()?;
    serde_json::from_str(&text)
        .map(Some)
        .map_err(|error| PyValueError::new_err(format!("encoding: {error}")))
}

/// An error of the rules, as Python has it.
pub fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}
