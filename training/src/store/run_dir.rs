//! A run directory: all files of one run, and the lock that keeps a second process out.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::files::{self, FileError};
use super::lock::{LOCK, Lock};
pub use super::meta::{BranchPoint, Meta, RUN_VERSION, unix_seconds};
use super::serialised::pretty_json;
use crate::replay::shard::folder_generation;

/// The file with the progress of the run, within its directory.
pub const STATE_FILE: &str = "state.json";
/// The folder of checkpoints, within the run's directory.
pub(crate) const CHECKPOINTS: &str = "checkpoints";

/// Error returned when a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum RunDirError {
    /// A file or directory cannot be read or written, or is damaged.
    #[error(transparent)]
    File(#[from] FileError),
    /// Another process has locked the directory.
    #[error("{} is in use by process {holder}; wait for it to end, or choose another directory", path.display())]
    InUse {
        path: PathBuf,
        /// Process id of the holder, or `unknown`.
        holder: String,
    },
    /// A new run was requested in the directory of an existing one.
    #[error("{} already contains a run; resume it, or choose another directory", path.display())]
    AlreadyARun { path: PathBuf },
    /// A new run was requested in a directory with other files.
    #[error("{} is not empty and not a run (it contains `{found}`); choose another directory", path.display())]
    NotEmpty {
        path: PathBuf,
        /// One of these files.
        found: String,
    },
    /// There is nothing at the path.
    #[error("{}: there is no such folder: expected {expected}", path.display())]
    Absent { path: PathBuf, expected: String },
    /// Something else is at the path.
    #[error("{} is {found}, expected {expected}", path.display())]
    Other {
        path: PathBuf,
        found: String,
        expected: String,
    },
    /// A run was to be resumed in a directory without one.
    #[error("{} is not a run: there is no {missing} in it", path.display())]
    NotARun {
        path: PathBuf,
        /// The missing file, which every run has.
        missing: &'static str,
    },
    /// The run is one of another game, or of other rules.
    #[error("{} is a run of {found}, expected {expected}", path.display())]
    OtherGame {
        path: PathBuf,
        /// Its game, with the version of the rules.
        found: String,
        expected: String,
    },
    /// A `config.toml` that has lost keys: the run would continue under their defaults.
    #[error(
        "{} was changed since {since}: it lacks {}; put these keys back, or their defaults would apply",
        path.display(), keys.join(", ")
    )]
    LostKeys {
        path: PathBuf,
        /// The time of the last check.
        since: String,
        keys: Vec<String>,
    },
    /// The run was written by a program with another layout version.
    #[error("{} has layout version {found}; this program reads version {RUN_VERSION}", path.display())]
    Version { path: PathBuf, found: u32 },
    /// There is no `state.json`, though generations have been finished.
    #[error(
        "{} is missing, but the run has {found}, which a new start would overwrite; put the file back from a copy, \
         or begin a new run in another directory",
        path.display()
    )]
    NoState {
        path: PathBuf,
        /// A file or folder that a run has only after its first state, within the directory.
        found: String,
    },
}

impl RunDirError {
    /// The run in `path` is of another game, or of other rules, than expected.
    pub fn of_other_game(path: &Path, meta: &Meta, (game, rules_version): (&str, u32)) -> Self {
        let named = |game: &str, version: u32| format!("{game} (rules version {version})");
        Self::OtherGame {
            path: path.into(),
            found: named(&meta.game, meta.rules_version),
            expected: named(game, rules_version),
        }
    }
}

/// Name of the configuration in a directory.
pub const CONFIG_FILE: &str = "config.toml";
/// The file that makes a directory a run.
pub const META_FILE: &str = "meta.json";
/// The folder of games, within the directory.
pub(crate) const GAMES: &str = "games";
/// The folder of opening statistics.
pub const OPENINGS: &str = "openings";
/// The metrics of a run.
pub const METRICS_FILE: &str = "metrics.jsonl";
/// The folder of a data set with the network that plays it.
pub(crate) const NETWORK: &str = "network";

/// A run directory, locked by this process for the lifetime of the value.
///
/// [`OpenRun`](super::OpenRun) creates and resumes them under their settings.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    lock: Lock,
}

impl RunDir {
    /// The folders that training writes into.
    pub const TRAINING: [&str; 3] = [GAMES, CHECKPOINTS, OPENINGS];

    /// The folders that a data set may have left empty where it was interrupted as it began.
    pub(crate) const DATA_SET: [&str; 1] = [GAMES];

    /// Claims a directory for a new run, which it becomes with [`RunDir::finish`]. It may already contain empty ones of
    /// these `folders`, and these `files`, from an interrupted attempt.
    ///
    /// # Errors
    /// If the directory is in use, holds a run or other files, or cannot be written.
    pub(super) fn begin(path: &Path, folders: &[&str], files: &[&str]) -> Result<Self, RunDirError> {
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        if path.join(META_FILE).exists() {
            return Err(RunDirError::AlreadyARun { path: path.into() });
        }
        // Leftovers of a process that was killed between here and the end of `finish` do not count.
        let ours = [LOCK, CONFIG_FILE, "config.toml.tmp", "meta.json.tmp"];
        for found in files::names(path)? {
            let folder =
                folders.contains(&&*found) && files::names(&path.join(&found)).is_ok_and(|names| names.is_empty());
            let file = files.contains(&found.strip_suffix(".tmp").unwrap_or(&found));
            if !folder && !file && !ours.contains(&&*found) {
                return Err(RunDirError::NotEmpty {
                    path: path.into(),
                    found,
                });
            }
        }
        let run = Self::locked(path)?;
        if path.join(META_FILE).exists() {
            return Err(RunDirError::AlreadyARun { path: path.into() });
        }
        Ok(run)
    }

    /// Turns a directory from [`RunDir::begin`] into a run that begins with this `config.toml`, whatever was added to it
    /// meanwhile.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn finish(&self, config: &str, meta: &Meta) -> Result<(), FileError> {
        files::write_whole(&self.config(), config.as_bytes())?;
        // Last, since from here on the directory is a run.
        self.write_meta(meta)
    }

    /// Checks that the directory is still where it was: writing would else make a second, partial one there.
    ///
    /// # Errors
    /// If it was renamed or replaced.
    pub fn expect_in_place(&self) -> Result<(), FileError> {
        if self.lock.is_of(&self.path) {
            return Ok(());
        }
        let moved = "it was renamed or replaced while this process worked in it; resume it where it is now";
        Err(FileError::of("find", &self.path)(io::Error::other(moved)))
    }

    /// Writes the provenance.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn write_meta(&self, meta: &Meta) -> Result<(), FileError> {
        files::write_whole(&self.path.join(META_FILE), pretty_json(meta).as_bytes())
    }

    /// Opens the directory of a run.
    ///
    /// # Errors
    /// If it is not a run, in use, damaged, or of another layout version.
    pub(super) fn open(path: &Path) -> Result<(Self, Meta), RunDirError> {
        if !path.exists() {
            return Err(RunDirError::Absent {
                path: path.into(),
                expected: "a run".to_owned(),
            });
        }
        for missing in [META_FILE, CONFIG_FILE] {
            if !path.join(missing).is_file() {
                return Err(RunDirError::NotARun {
                    path: path.into(),
                    missing,
                });
            }
        }
        let run = Self::locked(path)?;
        let meta: Meta = files::read_json(&path.join(META_FILE))?;
        if meta.run_version != RUN_VERSION {
            return Err(RunDirError::Version {
                path: path.into(),
                found: meta.run_version,
            });
        }
        Ok((run, meta))
    }

    fn locked(path: &Path) -> Result<Self, RunDirError> {
        Ok(Self {
            path: path.into(),
            lock: Lock::of(path)?,
        })
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The resolved configuration, under which the run continues.
    pub fn config(&self) -> PathBuf {
        self.path.join(CONFIG_FILE)
    }

    /// The progress of the run: rewritten whole after every generation.
    pub fn state(&self) -> PathBuf {
        self.path.join(STATE_FILE)
    }

    /// The time that the games of an unfinished generation on disk have taken.
    pub(crate) fn clock(&self) -> PathBuf {
        self.path.join("clock.json")
    }

    /// All metrics, one JSON object per line.
    pub fn metrics(&self) -> PathBuf {
        self.path.join(METRICS_FILE)
    }

    /// Event files for TensorBoard.
    pub fn tensorboard(&self) -> PathBuf {
        self.path.join("tb")
    }

    /// Shards of games.
    pub fn games(&self) -> PathBuf {
        self.path.join(GAMES)
    }

    /// The network that plays a data set.
    pub fn network(&self) -> PathBuf {
        self.path.join(NETWORK)
    }

    /// Name of the network that plays a data set.
    pub(crate) fn model(&self) -> PathBuf {
        self.path.join("model.txt")
    }

    /// Opening statistics by generation.
    pub fn openings(&self) -> PathBuf {
        self.path.join(OPENINGS)
    }

    /// The last file, within the directory, that only a run with a finished generation has: a generation of games, or a
    /// checkpoint other than the first, which is written before the first `state.json`.
    pub(crate) fn of_finished_generations(&self) -> Result<Option<String>, FileError> {
        for (folder, first) in [(CHECKPOINTS, 1), (GAMES, 0)] {
            let path = self.path.join(folder);
            if !path.exists() {
                continue;
            }
            let mut names = files::names(&path)?;
            names.retain(|name| folder_generation(name).is_some_and(|generation| generation >= first));
            if let Some(last) = names.pop() {
                return Ok(Some(format!("{folder}/{last}")));
            }
        }
        Ok(None)
    }

    /// Appends a line, after the time in UTC, to `log.txt`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn log(&self, line: &str) -> Result<(), FileError> {
        let path = self.path.join("log.txt");
        let time = humantime::format_rfc3339_millis(SystemTime::now());
        let line = format!("{time} {}\n", line.replace('\n', "\\n"));
        files::append(&path)
            .and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(FileError::of("append to", &path))
    }
}
