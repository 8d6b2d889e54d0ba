//! Copies of the networks that play, in the directory of a tournament: training removes old checkpoints, and runs are moved.
//! The program never writes into a file of a network, so a copy is a second name of the same file where the disk allows it.
//! Whoever writes over one in place changes the copy too, which its hash tells.

use std::fs;
use std::path::{Path, PathBuf};

use chase_models::manifest::MANIFEST_FILE;
use chase_models::{checkpoint, shipped};
use chase_nnue::NETWORK_FILE;
use chase_training::store::files::FileError;

use super::directory::PlayerProvenance;

/// Folder of the copies, one for each network, named by the beginning of its hash.
const NETWORKS: &str = "networks";

/// A network of a player as it was when the tournament began.
pub(super) struct PlayedNetwork<'a> {
    path: &'a Path,
    sha256: &'a str,
    files: &'static [&'static str],
}

impl<'a> PlayedNetwork<'a> {
    /// The network of a player, unless it has none or a built-in one.
    pub fn of(player: &'a PlayerProvenance) -> Option<Self> {
        let network = match (&player.checkpoint, &player.nnue) {
            (Some(found), _) => Self {
                path: &found.path,
                sha256: &found.manifest_sha256,
                files: &[MANIFEST_FILE, checkpoint::WEIGHTS_FILE],
            },
            (None, Some(found)) => Self {
                path: &found.path,
                sha256: &found.sha256,
                files: &[NETWORK_FILE],
            },
            (None, None) => return None,
        };
        let is_built_in = shipped::is_shipped(network.path) || chase_nnue::shipped::is_shipped(network.path);
        (!is_built_in).then_some(network)
    }

    /// The folder of its copy in the directory of a tournament.
    pub fn copy(&self, directory: &Path) -> PathBuf {
        let name = self.sha256.get(..16).unwrap_or(self.sha256);
        directory.join(NETWORKS).join(name)
    }

    /// Copies it there, unless it has been.
    pub fn keep(&self, directory: &Path) -> Result<(), FileError> {
        let folder = self.copy(directory);
        fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        for file in self.files {
            let (from, to) = (self.file(file), folder.join(file));
            if !to.exists() && fs::hard_link(&from, &to).is_err() {
                fs::copy(&from, &to).map_err(FileError::of("copy", &from))?;
            }
        }
        Ok(())
    }

    /// A file of it; its path may be that of its only one.
    fn file(&self, name: &str) -> PathBuf {
        match self.path.is_file() {
            true => self.path.to_owned(),
            false => self.path.join(name),
        }
    }
}
