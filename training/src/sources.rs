//! The sources that the running program was built from, for the provenance of what it writes.
//!
//! A library that knew its commit would be built anew, with all that depends on it, at every commit. So the program knows,
//! and says so when it starts.

use std::sync::OnceLock;

/// A state of the repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sources {
    /// Hash of the commit.
    pub commit: String,
    /// Whether files differed from it.
    pub dirty: bool,
}

static SOURCES: OnceLock<Sources> = OnceLock::new();

/// States what the program was built from; the first statement counts.
pub fn state(sources: Sources) {
    SOURCES.get_or_init(|| sources);
}

/// What the program was built from; `None` if it was not built in a repository, or never said.
pub fn stated() -> Option<&'static Sources> {
    SOURCES.get()
}

impl std::fmt::Display for Sources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.commit, if self.dirty { "-dirty" } else { "" })
    }
}
