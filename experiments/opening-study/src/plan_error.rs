//! The error of plans.

use std::path::PathBuf;

use chase_training::config::ConfigError;
use chase_training::files::FileError;

/// Error returned when the plan of a study cannot be written, or differs from the one before its first game.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The configuration file is invalid.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file has unexpected content, or differs from the plan.
    #[error("{}: {reason}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The fault, and what was expected.
        reason: String,
    },
}
