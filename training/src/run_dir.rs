//! A run directory: all files of one run, and the lock that keeps a second process out.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use chase_models::manifest::FileFacts;
use chase_models::processor::processor;
use serde::{Deserialize, Serialize};

use crate::files::{self, FileError};
use crate::replay::shard::folder_generation;
use crate::sources;

/// The file with the progress of the run, within its directory.
pub const STATE_FILE: &str = "state.json";
/// The folder of checkpoints, within the run's directory.
pub(crate) const CHECKPOINTS: &str = "checkpoints";

/// Version of the layout of a run directory; a run with another version cannot be resumed.
pub const RUN_VERSION: u32 = 1;

/// Provenance of a run: the facts needed to repeat it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// [`RUN_VERSION`] of the program that wrote the run.
    pub run_version: u32,
    /// Version of this crate.
    pub program_version: String,
    /// The commit that the program was built from, if it was built in a repository.
    pub git_hash: Option<String>,
    /// True if the sources differed from that commit when the program was built.
    pub git_dirty: Option<bool>,
    /// The game's name.
    pub game: String,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// Seed of the run.
    pub seed: u64,
    /// The command line. The program has its name alone: its folder says much of the machine, and nothing of the run.
    pub argv: Vec<String>,
    /// Cores of the machine that started the run.
    pub host_cores: usize,
    /// Maker and sets of instructions of its processor, which the last digits of a network's output depend on.
    pub processor: String,
    /// Start of the run, in seconds since 1970.
    pub started: u64,
    /// The point where it branched off, if it is a branch of another run.
    pub branched_from: Option<BranchPoint>,
    /// SHA-256 of the initial `config.toml` of a training run or tournament; `None` for other runs.
    pub config: Option<String>,
}

/// The point where a run branches off another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BranchPoint {
    /// Directory of the other run, as it was typed.
    pub run: PathBuf,
    /// Its last finished generation.
    pub generation: u64,
    /// SHA-256 of the manifest of its checkpoint, which vouches for the weights.
    pub checkpoint: String,
}

impl Meta {
    /// Metadata of this program, on this machine, now.
    pub fn new(game: &str, rules_version: u32, seed: u64) -> Self {
        let sources = sources::stated();
        Self {
            run_version: RUN_VERSION,
            program_version: env!("CARGO_PKG_VERSION").into(),
            git_hash: sources.map(|sources| sources.commit.clone()),
            git_dirty: sources.map(|sources| sources.dirty),
            game: game.into(),
            rules_version,
            seed,
            argv: command_line(std::env::args_os()),
            host_cores: std::thread::available_parallelism().map_or(1, usize::from),
            processor: processor(),
            started: unix_seconds() as u64,
            branched_from: None,
            config: None,
        }
    }

    /// Checks that the run in a directory is of this game and version of its rules.
    ///
    /// # Errors
    /// Both games and versions, if it is not.
    pub fn expect(&self, directory: &Path, game: &str, rules_version: u32) -> Result<(), String> {
        if (self.game.as_str(), self.rules_version) == (game, rules_version) {
            return Ok(());
        }
        Err(format!(
            "{} is a run of {} (rules version {}), expected {game} (rules version {rules_version})",
            directory.display(),
            self.game,
            self.rules_version,
        ))
    }

    /// The same metadata for a run that begins with this `config.toml`.
    #[must_use]
    pub fn under(self, config: &str) -> Self {
        Self {
            config: Some(FileFacts::of(config.as_bytes()).sha256),
            ..self
        }
    }
}

/// Seconds since 1970.
pub fn unix_seconds() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0.0, |since| since.as_secs_f64())
}

/// Error returned when a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum RunDirError {
    /// A file or directory cannot be read or written.
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
    #[error("{} holds a run already; resume it, or choose another directory", path.display())]
    AlreadyARun { path: PathBuf },
    /// A new run was requested in a directory with other files.
    #[error("{} is not empty and not a run (it holds `{found}`); choose another directory", path.display())]
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
    /// `meta.json` is damaged.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The run was written by a program with another layout version.
    #[error("{} has layout version {found}; this program reads version {RUN_VERSION}", path.display())]
    Version { path: PathBuf, found: u32 },
}

const LOCK: &str = "LOCK";
/// Name of the configuration in a directory.
pub const CONFIG_FILE: &str = "config.toml";
/// The file that makes a directory a run.
pub const META_FILE: &str = "meta.json";
const GAMES: &str = "games";
/// The folder of opening statistics.
pub const OPENINGS: &str = "openings";
/// The metrics of a run.
pub const METRICS_FILE: &str = "metrics.jsonl";
/// The folder of checkpoints of the second family, within the run's directory.
pub(crate) const NNUE: &str = "nnue";
/// The folder of a data set with the network that plays it.
pub(crate) const NETWORK: &str = "network";

/// A run directory, locked by this process for the lifetime of the value.
///
/// The operating system locks the file `LOCK` and the directory, so that the lock ends with the process that holds it,
/// even after `kill -9`: no lock can be stale. The process id in the file is for messages.
#[derive(Debug)]
pub struct RunDir {
    path: PathBuf,
    /// Held, never read: closing the files releases the locks.
    _locks: [Option<File>; 2],
}

impl RunDir {
    /// The folders that training writes into.
    pub const TRAINING: [&str; 3] = [GAMES, CHECKPOINTS, OPENINGS];

    /// The folders that training of the second family writes into.
    pub const NNUE: [&str; 3] = [GAMES, NNUE, OPENINGS];

    /// The folders that a data set may have left empty where it was interrupted as it began.
    pub const DATA_SET: [&str; 1] = [GAMES];

    /// Creates a new run directory with empty folders in it, and writes the resolved configuration and the run's
    /// provenance.
    ///
    /// # Errors
    /// If the directory is in use, holds a run or other files, or cannot be written.
    pub fn create(path: &Path, config: &str, meta: &Meta, folders: &[&str]) -> Result<Self, RunDirError> {
        Self::create_with(path, config, meta, folders, &[])
    }

    /// Like [`RunDir::create`], with `files`, by name, that are written before the directory is a run: an interrupted
    /// process never leaves a run without them.
    ///
    /// # Errors
    /// As [`RunDir::create`].
    pub fn create_with(
        path: &Path,
        config: &str,
        meta: &Meta,
        folders: &[&str],
        files: &[(&str, &[u8])],
    ) -> Result<Self, RunDirError> {
        let names: Vec<&str> = files.iter().map(|&(name, _)| name).collect();
        let run = Self::begin(path, folders, &names)?;
        for (name, content) in files {
            files::write_whole(&run.path.join(name), content)?;
        }
        for folder in folders.iter().map(|folder| run.path.join(folder)) {
            fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        }
        run.finish(config, meta)?;
        Ok(run)
    }

    /// Claims a directory for a new run, which it becomes with [`RunDir::finish`]. It may already contain empty ones of
    /// these `folders`, and these `files`, from an interrupted attempt.
    ///
    /// # Errors
    /// If the directory is in use, holds a run or other files, or cannot be written.
    pub(crate) fn begin(path: &Path, folders: &[&str], files: &[&str]) -> Result<Self, RunDirError> {
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        if path.join(META_FILE).exists() {
            return Err(RunDirError::AlreadyARun { path: path.into() });
        }
        // Leftovers of a process that was killed between here and the end of `finish` do not count.
        let ours = [LOCK, CONFIG_FILE, "config.toml.tmp", "meta.json.tmp"];
        let empty = |folder: &Path| fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        for entry in fs::read_dir(path).map_err(FileError::of("read", path))? {
            let entry = entry.map_err(FileError::of("read", path))?;
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let folder = folders.contains(&&*name) && empty(&entry.path());
            let file = files.contains(&name.strip_suffix(".tmp").unwrap_or(&name));
            if !folder && !file && !ours.contains(&&*name) {
                let found = name.into_owned();
                return Err(RunDirError::NotEmpty {
                    path: path.into(),
                    found,
                });
            }
        }
        let run = Self {
            path: path.into(),
            _locks: lock(path)?,
        };
        if path.join(META_FILE).exists() {
            return Err(RunDirError::AlreadyARun { path: path.into() });
        }
        Ok(run)
    }

    /// Turns a directory from [`RunDir::begin`] into a run, whatever was added to it meanwhile.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(&self, config: &str, meta: &Meta) -> Result<(), RunDirError> {
        files::write_whole(&self.config(), config.as_bytes())?;
        let path = self.path.join(META_FILE);
        let text = serde_json::to_string_pretty(meta).map_err(|error| RunDirError::Damaged {
            path: path.clone(),
            reason: error.to_string(),
        })?;
        // Last, since from here on the directory is a run.
        Ok(files::write_whole(&path, text.as_bytes())?)
    }

    /// Opens the directory of an interrupted run.
    ///
    /// # Errors
    /// If it is not a run, in use, damaged, or of another layout version.
    pub fn resume(path: &Path) -> Result<(Self, Meta), RunDirError> {
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
        let run = Self {
            path: path.into(),
            _locks: lock(path)?,
        };
        let meta_path = path.join(META_FILE);
        let meta: Meta =
            serde_json::from_slice(&files::read_document(&meta_path)?).map_err(|error| RunDirError::Damaged {
                path: meta_path,
                reason: error.to_string(),
            })?;
        if meta.run_version != RUN_VERSION {
            return Err(RunDirError::Version {
                path: path.into(),
                found: meta.run_version,
            });
        }
        Ok((run, meta))
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

    /// Networks and optimizer states.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join(CHECKPOINTS)
    }

    /// The network that plays a data set.
    pub fn network(&self) -> PathBuf {
        self.path.join(NETWORK)
    }

    /// Name of the network that plays a data set.
    pub(crate) fn model(&self) -> PathBuf {
        self.path.join("model.txt")
    }

    /// Networks and optimizer states of the second family.
    pub fn nnue_checkpoints(&self) -> PathBuf {
        self.path.join(NNUE)
    }

    /// Opening statistics by generation.
    pub fn openings(&self) -> PathBuf {
        self.path.join(OPENINGS)
    }

    /// The last file, within the directory, that only a run with a finished generation has: a generation of games, or a
    /// checkpoint other than the first, which is written before the first `state.json`.
    pub(crate) fn of_finished_generations(&self) -> Result<Option<String>, FileError> {
        for (folder, first) in [(CHECKPOINTS, 1), (NNUE, 1), (GAMES, 0)] {
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

/// A command line as it is recorded.
fn command_line(arguments: impl Iterator<Item = OsString>) -> Vec<String> {
    let arguments = arguments.enumerate().map(|(place, argument)| {
        let name = Path::new(&argument).file_name().filter(|_| place == 0);
        name.unwrap_or(&argument).to_string_lossy().into_owned()
    });
    arguments.collect()
}

/// Locks a file, at the latest after a fifth of a second. A process that is being started holds the locks of the one that
/// starts it until its own program runs.
fn lock_soon(file: &File) -> Result<(), TryLockError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}

fn lock(directory: &Path) -> Result<[Option<File>; 2], RunDirError> {
    let path = directory.join(LOCK);
    let in_use = || {
        let holder = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
        RunDirError::InUse {
            path: directory.into(),
            holder: if holder.is_empty() { "unknown".into() } else { holder },
        }
    };
    // Also lock the directory, where the system can: that lock holds even if someone removes the file.
    let folder = File::open(directory).ok();
    if let Some(Err(TryLockError::WouldBlock)) = folder.as_ref().map(lock_soon) {
        return Err(in_use());
    }
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = opened.map_err(FileError::of("open", &path))?;
    match lock_soon(&file) {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(in_use()),
        Err(TryLockError::Error(error)) => return Err(FileError::of("lock", &path)(error).into()),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(FileError::of("write", &path))?;
    Ok([Some(file), folder])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn meta() -> Meta {
        Meta::new("connect-four", 1, 7)
    }

    #[test]
    fn a_command_line_names_the_program_without_its_folder() {
        let typed = ["target/release/chase", "train", "--run-dir", "runs/first"].map(OsString::from);
        let expected = ["chase", "train", "--run-dir", "runs/first"];
        assert_eq!(command_line(typed.into_iter()), expected);
    }

    #[test]
    fn a_run_is_created_once_held_by_one_and_resumed_with_what_it_knew() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("runs/first");
        let run = RunDir::create(&path, "seed = 7\n", &meta(), &[]).unwrap();
        let in_use = RunDir::resume(&path).unwrap_err().to_string();
        assert!(in_use.contains(&format!("process {}", std::process::id())), "{in_use}");
        drop(run);
        let exists = RunDir::create(&path, "", &meta(), &[]).unwrap_err().to_string();
        assert!(exists.contains("holds a run already"), "{exists}");
        let (run, read) = RunDir::resume(&path).unwrap();
        assert_eq!((read.seed, read.game.as_str()), (7, "connect-four"));
        assert_eq!(fs::read_to_string(run.config()).unwrap(), "seed = 7\n");
        run.log("two\nlines").unwrap();
        assert!(
            fs::read_to_string(path.join("log.txt"))
                .unwrap()
                .ends_with("Z two\\nlines\n")
        );
    }

    #[test]
    fn directories_that_are_no_runs_are_left_alone() {
        let directory = tempfile::tempdir().unwrap();
        let missing = RunDir::resume(directory.path()).unwrap_err().to_string();
        assert!(missing.contains("no meta.json"), "{missing}");
        fs::write(directory.path().join("thesis.tex"), "years of work").unwrap();
        let refused = RunDir::create(directory.path(), "", &meta(), &[])
            .unwrap_err()
            .to_string();
        assert!(refused.contains("thesis.tex"), "{refused}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_creation_that_was_interrupted_can_be_repeated() {
        let directory = tempfile::tempdir().unwrap();
        for left in [LOCK, CONFIG_FILE, "meta.json.tmp"] {
            fs::write(directory.path().join(left), "half").unwrap();
        }
        for folder in RunDir::TRAINING {
            fs::create_dir(directory.path().join(folder)).unwrap();
        }
        let create = || RunDir::create(directory.path(), "seed = 8\n", &meta(), &RunDir::TRAINING);
        // A folder of that name with content belongs to someone else.
        let foreign = directory.path().join(GAMES).join("chess.pgn");
        fs::write(&foreign, "1. e4").unwrap();
        let refused = create().unwrap_err().to_string();
        assert!(refused.contains("`games`"), "{refused}");
        fs::remove_file(&foreign).unwrap();
        let run = create().unwrap();
        assert_eq!(fs::read_to_string(run.config()).unwrap(), "seed = 8\n");
    }

    #[test]
    fn damage_and_foreign_versions_are_named() {
        let directory = tempfile::tempdir().unwrap();
        drop(RunDir::create(directory.path(), "", &meta(), &[]).unwrap());
        let path = directory.path().join(META_FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"run_version\": 1", "\"run_version\": 99")).unwrap();
        let version = RunDir::resume(directory.path()).unwrap_err().to_string();
        assert!(version.contains("version 99"), "{version}");
        fs::write(&path, &text[..40]).unwrap();
        let damaged = RunDir::resume(directory.path()).unwrap_err().to_string();
        assert!(damaged.contains("meta.json is damaged"), "{damaged}");
    }
}
