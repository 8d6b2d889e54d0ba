//! A run's record of the machines that did its work.

use std::fs;
use std::path::Path;

use chase_training::store::files::{self, FileError};
use chase_training::store::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use crate::version::Version;

/// The file of a run's directory that says what computed it.
pub const CLUSTER_FILE: &str = "cluster.json";

/// Content of [`CLUSTER_FILE`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Provenance {
    /// True if workers of any version were admitted.
    mixed: bool,
    /// The versions of the machines that offered units, and that did them.
    versions: Vec<Version>,
}

/// Records the versions of the machines that offered a unit and did it.
pub(crate) fn note(directory: &Path, mixed: bool, versions: [&Version; 2]) -> Result<(), FileError> {
    let path = directory.join(CLUSTER_FILE);
    // What cannot be read is of no use to anyone.
    let before = fs::read(&path).ok();
    let before: Option<Provenance> = before.and_then(|text| serde_json::from_slice(&text).ok());
    let mut now = before.clone().unwrap_or_default();
    now.mixed |= mixed;
    for version in versions {
        if !now.versions.contains(version) {
            now.versions.push(version.clone());
        }
    }
    if before.as_ref() != Some(&now) {
        files::write_whole(&path, pretty_json(&now).as_bytes())?;
    }
    Ok(())
}
