//! Errors of a cluster.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use chase_training::store::files::FileError;

/// Error returned when a cluster cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum ClusterError {
    /// The address is none.
    #[error(
        "`{address}` is not the address of a server: {reason}; expected one such as nats://host:4222 or tls://host:4222"
    )]
    Address { address: String, reason: String },
    /// A file of the run, or for logging in, cannot be read or used.
    #[error("cannot use {}: {reason}", path.display())]
    File { path: PathBuf, reason: String },
    /// A file of the run cannot be written.
    #[error(transparent)]
    Write(#[from] FileError),
    /// The device cannot compute.
    #[error("{0}")]
    Device(String),
    /// The server does not answer, or refuses.
    #[error("cannot use the server {address}: {reason}")]
    Server { address: String, reason: String },
    /// A thread, a temporary folder or the network's sockets cannot be had.
    #[error("cannot {action}: {source}")]
    System { action: &'static str, source: io::Error },
}

impl ClusterError {
    /// A file that cannot be read or used.
    pub(crate) fn file(path: &Path, reason: impl Display) -> Self {
        Self::File {
            path: path.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// A failure that may pass: what was tried, and the reason.
pub(crate) fn trouble<E: Display>(action: &str) -> impl FnOnce(E) -> String + '_ {
    move |error| format!("cannot {action}: {error}")
}
