//! The sources of the running program, for the provenance of its files.
//!
//! If a library knew its commit, it and everything that depends on it would be rebuilt at every commit. So only the
//! program knows its commit, and registers it when it starts.

use std::sync::OnceLock;

/// State of the repository at the build.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Hash of the commit.
    pub commit: String,
    /// True if files differed from the commit.
    pub dirty: bool,
}

static SOURCES: OnceLock<Sources> = OnceLock::new();

/// Registers the sources of the program; only the first call counts.
pub fn state(sources: Sources) {
    SOURCES.get_or_init(|| sources);
}

/// The sources of the program; `None` if it was not built in a repository, or never registered them.
pub fn stated() -> Option<&'static Sources> {
    SOURCES.get()
}

/// The commit of the program, for the metadata of its files; empty if it is not known.
pub fn commit() -> String {
    stated().map_or(String::new(), |sources| sources.commit.clone())
}

impl std::fmt::Display for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.commit, if self.dirty { "-dirty" } else { "" })
    }
}
