//! The commit that holds the configuration of a study, according to git: proof that the plan came before the games.

use std::path::Path;
use std::process::{Command, Stdio};

use chase_report::number;
use serde::{Deserialize, Serialize};

/// The commit that last changed a configuration file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfigCommit {
    /// Its hash.
    pub hash: String,
    /// Time of the commit by the committer's clock, in seconds since 1970.
    pub committed_at: u64,
}

impl ConfigCommit {
    /// The commit that last changed a file, from which `text` was read. `None` if the file is in no repository or in no
    /// commit, if it has changed since, or if git is not installed.
    pub fn of(file: &Path, text: &str) -> Option<Self> {
        // Resolve symbolic links.
        let file = file.canonicalize().ok()?;
        let (folder, name) = (file.parent()?, file.file_name()?.to_str()?);
        let last = git(folder, &["log", "-1", "--format=%H %ct", "--", name])?;
        let last = String::from_utf8(last).ok()?;
        let (hash, committed_at) = last.trim().split_once(' ')?;
        let committed = git(folder, &["show", &format!("HEAD:./{name}")])?;
        Some(Self {
            hash: hash.to_owned(),
            committed_at: committed_at.parse().ok()?,
        })
        .filter(|_| committed == text.as_bytes())
    }

    /// A sentence about the plan of a study, given the commit of its configuration.
    pub fn sentence(commit: Option<&Self>) -> String {
        match commit {
            Some(Self { hash, committed_at }) => {
                let short: String = hash.chars().take(10).collect();
                let moment = number::moment(*committed_at);
                format!("The configuration was committed on {moment} (commit {short}).")
            }
            None => "The configuration is not committed as it is used: this study is exploratory.".to_owned(),
        }
    }
}

/// Output of git in a folder; `None` if it fails.
fn git(folder: &Path, arguments: &[&str]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.current_dir(folder);
    command
        .args(["--literal-pathspecs", "-c", "log.showSignature=false"])
        .args(arguments);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    // Use the file's repository, even if a hook of another one started this program.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
        command.env_remove(variable);
    }
    let output = command.output().ok()?;
    output.status.success().then_some(output.stdout)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    #[test]
    fn the_moment_of_a_commit_is_in_the_sentence() {
        let commit = ConfigCommit {
            hash: "0123456789abcdef".into(),
            committed_at: 1_795_259_880,
        };
        assert_eq!(
            ConfigCommit::sentence(Some(&commit)),
            "The configuration was committed on 2026-11-21 11:18 UTC (commit 0123456789)."
        );
    }

    #[test]
    fn only_the_committed_text_counts() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("study.toml");
        fs::write(&file, "seed = 1\n").unwrap();
        assert_eq!(ConfigCommit::of(&file, "seed = 1\n"), None);
        let git = |arguments: &[&str]| {
            let identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
            git(home.path(), &[&identity, arguments].concat()).unwrap()
        };
        git(&["init", "--quiet"]);
        assert_eq!(ConfigCommit::of(&file, "seed = 1\n"), None);
        git(&["add", "study.toml"]);
        git(&["commit", "--quiet", "--no-verify", "--no-gpg-sign", "-m", "The plan"]);
        let found = ConfigCommit::of(&file, "seed = 1\n").unwrap();
        assert_eq!(found.hash.as_bytes(), git(&["rev-parse", "HEAD"]).trim_ascii());
        assert_eq!(ConfigCommit::of(&file, "seed = 2\n"), None);
    }
}
