//! What a worker has fetched: configurations and checkpoints.

use std::fs;
use std::io;
use std::path::PathBuf;

use chase_models::checkpoint::WEIGHTS_FILE;
use chase_models::manifest::{MANIFEST_FILE, Manifest};
use chase_training::config::Config;
use tempfile::TempDir;

use crate::error::trouble;
use crate::server::{self, Server};
use crate::unit::Unit;

/// Most bytes of a configuration, a manifest or weights.
const MOST_BYTES: u64 = 4 << 30;
/// Checkpoints that stay on disk.
const CHECKPOINTS: usize = 4;

/// Files of runs, by their hashes.
#[derive(Debug)]
pub(crate) struct Cache {
    folder: TempDir,
    /// Folders of checkpoints, the one used last at the end.
    checkpoints: Vec<String>,
    /// The configuration used last.
    config: Option<(String, Config)>,
}

impl Cache {
    pub(crate) fn new() -> io::Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            checkpoints: Vec::new(),
            config: None,
        })
    }

    /// The configuration of a unit's run.
    pub(crate) fn config(&mut self, server: &Server, unit: &Unit) -> Result<Config, String> {
        if let Some((sha256, config)) = &self.config
            && *sha256 == unit.config
        {
            return Ok(config.clone());
        }
        let text = String::from_utf8(fetch(server, unit, &unit.config)?).map_err(|error| error.to_string())?;
        let config = Config::load(Some(("the configuration of the run", &text)), &[]);
        let config = config.map_err(|error| error.to_string())?;
        self.config = Some((unit.config.clone(), config.clone()));
        Ok(config)
    }

    /// The folder of a unit's checkpoint. It may be gone when another one is asked for.
    pub(crate) fn checkpoint(&mut self, server: &Server, unit: &Unit) -> Result<PathBuf, String> {
        let name = &unit.checkpoint;
        let folder = self.folder.path().join(name);
        if !self.checkpoints.contains(name) {
            let write = |file: &str, content: &[u8]| {
                let written = fs::write(folder.join(file), content);
                written.map_err(trouble("keep a checkpoint"))
            };
            fs::create_dir_all(&folder).map_err(trouble("keep a checkpoint"))?;
            write(MANIFEST_FILE, &fetch(server, unit, name)?)?;
            let manifest = Manifest::read(&folder).map_err(|error| error.to_string())?;
            let weights = manifest
                .files
                .get(WEIGHTS_FILE)
                .ok_or("the checkpoint has no weights")?;
            write(WEIGHTS_FILE, &fetch(server, unit, &weights.sha256)?)?;
        }
        self.checkpoints.retain(|known| known != name);
        self.checkpoints.push(name.clone());
        while self.checkpoints.len() > CHECKPOINTS {
            let oldest = self.checkpoints.remove(0);
            // If this fails, it takes space until the worker ends.
            let _ = fs::remove_dir_all(self.folder.path().join(oldest));
        }
        Ok(folder)
    }
}

/// A file of a unit's run, by its hash.
fn fetch(server: &Server, unit: &Unit, sha256: &str) -> Result<Vec<u8>, String> {
    server.wait(async {
        let objects = server.objects(&unit.run).await?;
        server::get(&objects, &format!("file/{sha256}"), MOST_BYTES, sha256).await
    })
}
