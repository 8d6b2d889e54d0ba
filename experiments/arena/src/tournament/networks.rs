//! Copies of the networks that play, in the directory of a tournament: training removes old checkpoints, and runs are moved.
//! The program never writes into a file of a network, so a copy is a second name of the same file where the disk allows it.
//! Whoever writes over one in place changes the copy too, which its hash tells.

use std::fs;
use std::path::{Path, PathBuf};

use chase_training::store::files::{self, FileError};

use super::directory::PlayerProvenance;
use crate::players::NetworkSpec;

/// Folder of the copies, one for each network, named by the beginning of its hash.
const NETWORKS: &str = "networks";

/// A network of a player as it was when the tournament began.
pub(super) struct PlayedNetwork<'a> {
    network: &'a NetworkSpec,
    sha256: &'a str,
}

impl<'a> PlayedNetwork<'a> {
    /// The network of a player, unless it has none or a built-in one.
    pub fn of(player: &'a PlayerProvenance) -> Option<Self> {
        let network = player.player.network().filter(|network| !network.is_built_in())?;
        let sha256 = &player.network.as_ref()?.sha256;
        Some(Self { network, sha256 })
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
        for (name, from) in self.network.files() {
            let to = folder.join(name);
            if !to.exists() {
                files::share(&from, &to)?;
            }
        }
        Ok(())
    }
}
