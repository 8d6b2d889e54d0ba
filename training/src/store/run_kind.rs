//! Kinds of runs.

use std::fmt;
use std::path::Path;

use super::run_dir::{CHECKPOINTS, CONFIG_FILE, META_FILE, NETWORK, RunDirError};

/// The kind of run in a directory with a `meta.json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunKind {
    /// A training run.
    Training,
    /// A match or a tournament.
    Tournament,
    /// A study.
    Study,
    /// A comparison of the balance of games.
    Balance,
    /// An opening book.
    Book,
    /// Games of one network.
    DataSet,
}

impl RunKind {
    /// The kind of a directory, determined by files that only its kind has from the beginning; `None` if it is of no
    /// kind.
    pub fn of(directory: &Path) -> Option<Self> {
        let holds = |name: &str| directory.join(name).exists();
        let marks = [
            (CHECKPOINTS, Self::Training),
            ("players.json", Self::Tournament),
            ("search", Self::Study),
            ("agents", Self::Balance),
            ("positions", Self::Book),
            (NETWORK, Self::DataSet),
        ];
        let kind = marks.into_iter().find(|&(mark, _)| holds(mark)).map(|(_, kind)| kind);
        kind.filter(|_| holds(META_FILE))
    }

    /// Checks that a directory may be a run of one of these kinds, the first of which a message names. A run of no kind
    /// is refused when it is opened, where more is known of what it lacks.
    ///
    /// # Errors
    /// What it is and what was expected, if it does not exist, is not a directory, has no configuration, or is a run of
    /// another kind.
    pub fn expect(directory: &Path, kinds: &[Self]) -> Result<(), RunDirError> {
        let expected = kinds[0].to_string();
        let found = match Self::of(directory) {
            Some(kind) if kinds.contains(&kind) => return Ok(()),
            Some(kind) => kind.to_string(),
            None if !directory.exists() => {
                let path = directory.into();
                return Err(RunDirError::Absent { path, expected });
            }
            None if !directory.is_dir() => "a file".to_owned(),
            None if directory.join(CONFIG_FILE).exists() => return Ok(()),
            None => match run_of_checkpoint(directory) {
                Some(run) => format!("a checkpoint of the run {}", run.display()),
                None => format!("a folder without {CONFIG_FILE}"),
            },
        };
        Err(RunDirError::Other {
            path: directory.into(),
            found,
            expected,
        })
    }
}

/// The run that a folder is a checkpoint of, if it is one.
fn run_of_checkpoint(folder: &Path) -> Option<&Path> {
    let run = folder.parent()?.parent()?;
    let kind = RunKind::of(run).filter(|&kind| kind == RunKind::Training);
    let name = folder.file_name()?.to_string_lossy();
    kind.filter(|_| name.starts_with("gen-")).map(|_| run)
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Training => "a training run",
            Self::Tournament => "a match or a tournament",
            Self::Study => "a study",
            Self::Balance => "a comparison of the balance of games",
            Self::Book => "an opening book",
            Self::DataSet => "a data set of self-play games",
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn what_is_no_run_of_the_kind_is_named_with_what_was_expected() {
        let directory = tempfile::tempdir().unwrap();
        let told = |name: &str, kinds: &[RunKind]| {
            let error = RunKind::expect(&directory.path().join(name), kinds).unwrap_err();
            let told = error.to_string();
            told.split_once(name).unwrap().1.to_owned()
        };
        let training = [RunKind::Training, RunKind::DataSet];
        assert_eq!(
            told("none", &training),
            ": there is no such folder: expected a training run"
        );
        std::fs::write(directory.path().join("file"), "").unwrap();
        assert_eq!(told("file", &training), " is a file, expected a training run");
        let run = directory.path().join("run");
        std::fs::create_dir(&run).unwrap();
        assert_eq!(
            told("run", &training),
            " is a folder without config.toml, expected a training run"
        );
        for name in [CONFIG_FILE, META_FILE, "players.json"] {
            std::fs::write(run.join(name), "").unwrap();
        }
        assert_eq!(
            told("run", &training),
            " is a match or a tournament, expected a training run"
        );
        assert!(RunKind::expect(&run, &[RunKind::Study, RunKind::Tournament]).is_ok());
        let checkpoint = directory.path().join("trained/checkpoints/gen-000003");
        std::fs::create_dir_all(&checkpoint).unwrap();
        std::fs::write(directory.path().join("trained").join(META_FILE), "").unwrap();
        let expected = format!(
            " is a checkpoint of the run {}, expected a training run",
            directory.path().join("trained").display()
        );
        assert_eq!(told("trained/checkpoints/gen-000003", &training), expected);
    }
}
