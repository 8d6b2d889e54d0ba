//! The arithmetic that computed the games of a run.

use std::path::Path;

use chase_training::files::{self, FileError};
use chase_training::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;

/// The file of a run's directory with the arithmetic that computed its games.
pub const CLUSTER_FILE: &str = "cluster.json";

/// Content of [`CLUSTER_FILE`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Provenance {
    /// True if other arithmetic than that of the machine that offers was admitted.
    mixed: bool,
    /// The arithmetic of the machine that offers, at each precision that was needed.
    offered: Vec<Arithmetic>,
    /// The arithmetic of the games that were taken from workers.
    workers: Vec<Arithmetic>,
}

/// Records the arithmetic of the games of a unit.
pub(crate) fn note(
    directory: &Path,
    mixed: bool,
    offered: &[Arithmetic],
    workers: &[Arithmetic],
) -> Result<(), FileError> {
    let path = directory.join(CLUSTER_FILE);
    // What cannot be read is of no use to anyone.
    let before = files::read_document(&path).ok();
    let before: Option<Provenance> = before.and_then(|text| serde_json::from_slice(&text).ok());
    let mut now = before.clone().unwrap_or_default();
    now.mixed |= mixed;
    for (known, found) in [(&mut now.offered, offered), (&mut now.workers, workers)] {
        for arithmetic in found {
            if !known.contains(arithmetic) {
                known.push(arithmetic.clone());
            }
        }
    }
    if before.as_ref() != Some(&now) {
        files::write_whole(&path, pretty_json(&now).as_bytes())?;
    }
    Ok(())
}
