//! Kinds of work, and a unit in the hands of the worker that does it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use chase_models::device::Device;
use chase_training::selfplay::Counters;
use chase_training::store::files;
use serde::Serialize;
use serde::de::DeserializeOwned;
pub use tempfile::TempDir as Folder;

use crate::error::{ClusterError, trouble};
use crate::server::Server;
use crate::unit::Unit;

/// Input files, by their names in a unit: the contents, of which equal ones are sent once.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Name of the file with the terms of a unit.
pub(crate) const TERMS: &str = "terms.json";
/// Files that a worker keeps have no more bytes than this together.
const KEPT: u64 = 1 << 30;

/// A kind of work: a job and its files make a unit, whose result is the same on every machine of one
/// [version](crate::Version).
pub trait Job: Serialize + DeserializeOwned {
    /// Name of the kind in units.
    const KIND: &'static str;
    /// The terms that the jobs of some work share: sent once.
    type Terms: Serialize + DeserializeOwned;
    /// The result, once it is checked.
    type Output;

    /// Does the job on the machine of a worker; `None` if it was given up.
    ///
    /// # Errors
    /// The reason that it cannot be done.
    fn run(&self, terms: &Self::Terms, task: &Task<'_>) -> Result<Option<Vec<u8>>, String>;

    /// Reads what [`Job::run`] has returned.
    ///
    /// # Errors
    /// The reason that it cannot be the result of this job.
    fn check(&self, terms: &Self::Terms, content: Vec<u8>) -> Result<Self::Output, String>;
}

/// A unit to be done, and what it can have.
#[derive(Debug)]
pub struct Task<'a> {
    pub(crate) server: &'a Server,
    pub(crate) cache: &'a Mutex<Cache>,
    pub(crate) device: Device,
    pub(crate) unit: &'a Unit,
    pub(crate) counters: &'a Counters,
    pub(crate) give_up: &'a AtomicBool,
}

impl Task<'_> {
    /// The description of the work.
    pub const fn unit(&self) -> &Unit {
        self.unit
    }

    /// Does the unit as a job of this kind; `None` if it was given up.
    ///
    /// # Errors
    /// If it is none of this kind, or cannot be done.
    pub fn run<J: Job>(&self) -> Result<Option<Vec<u8>>, String> {
        let job = J::deserialize(&self.unit.job);
        let job = job.map_err(|error| format!("the unit is not of kind `{}`: {error}", J::KIND))?;
        job.run(&self.terms()?, self)
    }

    /// Its terms, in the form of its kind.
    ///
    /// # Errors
    /// If they cannot be fetched, or do not have that form.
    pub fn terms<T: DeserializeOwned>(&self) -> Result<T, String> {
        let text = self.file(TERMS)?;
        serde_json::from_slice(&text).map_err(|error| format!("the settings of the unit: {error}"))
    }

    /// An input file.
    ///
    /// # Errors
    /// If there is none of this name, or it cannot be fetched.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, String> {
        let sha256 = self.unit.files.get(name);
        let sha256 = sha256.ok_or_else(|| format!("the unit has no file {name}"))?;
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let path = cache.file(self.server, &self.unit.run, sha256)?;
        fs::read(path).map_err(trouble("read a file"))
    }

    /// A folder with the input files below this name.
    ///
    /// # Errors
    /// If they cannot be fetched.
    pub fn folder(&self, name: &str) -> Result<Folder, String> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = tempfile::tempdir_in(cache.folder.path()).map_err(trouble("create a folder"))?;
        for (path, sha256) in &self.unit.files {
            if let Some(file) = path.strip_prefix(name).and_then(|rest| rest.strip_prefix('/')) {
                let kept = cache.file(self.server, &self.unit.run, sha256)?;
                // It survives the removal of what is kept.
                fs::hard_link(kept, folder.path().join(file)).map_err(trouble("link a file"))?;
            }
        }
        Ok(folder)
    }

    /// Counters of the work that is done for it.
    pub const fn counters(&self) -> &Counters {
        self.counters
    }

    /// The device of the worker's networks.
    pub const fn device(&self) -> Device {
        self.device
    }

    /// Set if the unit is to be given up.
    pub const fn give_up(&self) -> &AtomicBool {
        self.give_up
    }
}

/// Adds these files of a folder to files, below a name.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn add_files(folder: &Path, of: &[&str], name: &str, files: &mut Files) -> Result<(), ClusterError> {
    for file in of {
        let path = folder.join(file);
        let content = fs::read(&path).map_err(|error| ClusterError::file(&path, error))?;
        files.insert(format!("{name}/{file}"), content);
    }
    Ok(())
}

/// Input files that a worker has fetched, named by their hashes.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: Folder,
    bytes: u64,
}

impl Cache {
    pub(crate) fn new() -> io::Result<Self> {
        let folder = tempfile::tempdir()?;
        Ok(Self { folder, bytes: 0 })
    }

    /// The path of a file of a run, which may be gone when another one is asked for.
    fn file(&mut self, server: &Server, run: &str, sha256: &str) -> Result<PathBuf, String> {
        let path = self.folder.path().join(sha256);
        if !path.exists() {
            let (content, _) = server.wait(server.get(run, &format!("file/{sha256}")))?;
            self.bytes += content.len() as u64;
            if self.bytes > KEPT {
                self.bytes = content.len() as u64;
                let kept = fs::read_dir(self.folder.path()).map_err(trouble("list files"))?;
                // Folders of tasks stay. A file that cannot be removed takes space until the worker ends.
                kept.flatten().for_each(|file| _ = fs::remove_file(file.path()));
            }
            files::write_whole(&path, &content).map_err(trouble("keep a file"))?;
        }
        Ok(path)
    }
}
