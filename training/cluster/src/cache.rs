//! Files that a worker has fetched: configurations and checkpoints.

use std::fs;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use chase_models::checkpoint::WEIGHTS_FILE;
use chase_models::manifest::{MANIFEST_FILE, Manifest};
use tempfile::TempDir;

use crate::error::trouble;
use crate::server::{self, Server};
use crate::unit::is_hash;

/// Most bytes of weights, and of other files.
const MOST_BYTES: u64 = 4 << 30;
const SMALL: u64 = 64 << 20;
/// Checkpoints that stay on disk if they have no more bytes than this together, and files that stay in memory.
const CHECKPOINTS: u64 = 1 << 30;
const FILES: usize = 16;

/// Files of runs, by their hashes.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: TempDir,
    /// Folders of checkpoints and their bytes, the one used last at the end.
    checkpoints: Vec<(String, u64)>,
    /// Small files, the one used last at the end.
    files: Vec<(String, Arc<Vec<u8>>)>,
}

impl Cache {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            checkpoints: Vec::new(),
            files: Vec::new(),
        })
    }

    /// A small file of a run.
    pub(crate) fn file(&mut self, server: &Server, run: &str, sha256: &str) -> Result<Arc<Vec<u8>>, String> {
        let known = self.files.iter().position(|(name, _)| name == sha256);
        let file = match known {
            Some(place) => self.files.remove(place).1,
            None => Arc::new(fetch(server, run, sha256, SMALL)?),
        };
        self.files.push((sha256.to_owned(), Arc::clone(&file)));
        if self.files.len() > FILES {
            self.files.remove(0);
        }
        Ok(file)
    }

    /// The folder of a checkpoint, by the hash of its manifest. It may be gone when another one is asked for.
    pub(crate) fn checkpoint(&mut self, server: &Server, run: &str, name: &str) -> Result<PathBuf, String> {
        // It becomes the name of a folder.
        if !is_hash(name, 64) {
            return Err(format!(
                "the manifest of a checkpoint is named `{name}`, expected a SHA-256"
            ));
        }
        let folder = self.folder.path().join(name);
        let known = self.checkpoints.iter().position(|(known, _)| known == name);
        let checkpoint = match known {
            Some(place) => self.checkpoints.remove(place),
            None => {
                let write = |file: &str, content: &[u8]| {
                    let written = fs::write(folder.join(file), content);
                    written.map_err(trouble("keep a checkpoint"))
                };
                fs::create_dir_all(&folder).map_err(trouble("keep a checkpoint"))?;
                write(MANIFEST_FILE, &fetch(server, run, name, SMALL)?)?;
                let manifest = Manifest::read(&folder).map_err(|error| error.to_string())?;
                let weights = manifest
                    .files
                    .get(WEIGHTS_FILE)
                    .ok_or("the checkpoint has no weights")?;
                let weights = fetch(server, run, &weights.sha256, MOST_BYTES)?;
                write(WEIGHTS_FILE, &weights)?;
                (name.to_owned(), weights.len() as u64)
            }
        };
        self.checkpoints.push(checkpoint);
        let mut bytes: u64 = self.checkpoints.iter().map(|(_, bytes)| bytes).sum();
        while bytes > CHECKPOINTS && self.checkpoints.len() > 1 {
            let (oldest, freed) = self.checkpoints.remove(0);
            bytes -= freed;
            // If this fails, it takes space until the worker ends.
            let _ = fs::remove_dir_all(self.folder.path().join(oldest));
        }
        Ok(folder)
    }
}

/// A file of a run, by its hash.
fn fetch(server: &Server, run: &str, sha256: &str, most: u64) -> Result<Vec<u8>, String> {
    if !is_hash(sha256, 64) {
        return Err(format!("a file of the run is named `{sha256}`, expected a SHA-256"));
    }
    server.wait(async {
        let objects = server.objects(run).await?;
        server::get(&objects, &format!("file/{sha256}"), most, sha256).await
    })
}
