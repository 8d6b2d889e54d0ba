//! The commit that holds a configuration file, as git tells.

use std::path::Path;
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

/// The commit that last changed a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigCommit {
    /// Its hash.
    pub hash: String,
    /// When it was made, by the clock of who made it, in seconds since 1970.
    pub committed_at: u64,
    /// Whether what was read is what stands there.
    pub unchanged: bool,
}

impl ConfigCommit {
    /// The commit that last changed a file, of which `text` was read. `None` if it lies in no repository or in no commit, or if there
    /// is no git.
    pub fn of(file: &Path, text: &str) -> Option<Self> {
        // Of a link the file is meant.
        let file = file.canonicalize().ok()?;
        let (folder, name) = (file.parent()?, file.file_name()?.to_str()?);
        let last = git(folder, &["log", "-1", "--format=%H %ct", "--", name])?;
        let last = String::from_utf8(last).ok()?;
        let (hash, committed_at) = last.trim().split_once(' ')?;
        let committed = git(folder, &["show", &format!("HEAD:./{name}")]);
        Some(Self {
            hash: hash.to_owned(),
            committed_at: committed_at.parse().ok()?,
            unchanged: committed.is_some_and(|committed| committed == text.as_bytes()),
        })
    }
}

/// What git prints in a folder; `None` if it fails.
fn git(folder: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
        .args(["--literal-pathspecs", "-c", "log.showSignature=false"])
        .args(arguments);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    // The repository is the file's, also for a program that a hook of another one started.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}
