//! Checkpoints: their manifests and weights, verified.

use std::path::PathBuf;

use chase_models::{Manifest, shipped};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::arguments::value_error;

/// The manifest of a checkpoint as JSON, and the bytes of `model.safetensors`, whose size and SHA-256 are those of the
/// manifest. Without a folder, those of the default agent; the name of a built-in agent stands for its folder.
#[pyfunction]
#[pyo3(signature = (folder=None))]
pub fn read_checkpoint(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<(String, Bound<'_, PyBytes>)> {
    let folder = folder.unwrap_or_else(|| shipped::NAME.into());
    let manifest = Manifest::read(&folder).map_err(|error| value_error(error.to_string()))?;
    let weights = manifest
        .read_file(&folder, "model.safetensors")
        .map_err(|error| value_error(error.to_string()))?;
    let text = serde_json::to_string(&manifest).map_err(|error| value_error(error.to_string()))?;
    Ok((text, PyBytes::new(py, &weights)))
}
