//! Copies of the networks that play, in the directory of a tournament: training removes old checkpoints, and runs are moved.
//! The program never writes into a file of a network, so a copy is a second name of the same file where the disk allows it.
//! Whoever writes over one in place changes the copy too, which its hash tells.

use std::fs;
use std::path::{Path, PathBuf};

use chase_engine::Chase;
use chase_nnue::NETWORK_FILE;
use chase_nnue::file::network_file;
use chase_training::kinds::Kind;
use chase_training::kinds::residual::Residual;
use chase_training::store::files::{self, FileError};

use super::directory::PlayerProvenance;
use crate::players::EvaluatorSpec;

/// Folder of the copies, one for each network, named by the beginning of its hash.
const NETWORKS: &str = "networks";

/// A network of a player as it was when the tournament began.
pub(super) struct PlayedNetwork<'a> {
    evaluator: &'a EvaluatorSpec,
    path: &'a Path,
    sha256: &'a str,
}

impl<'a> PlayedNetwork<'a> {
    /// The network of a player, unless it has none or a built-in one.
    pub fn of(player: &'a PlayerProvenance) -> Option<Self> {
        let evaluator = &player.player.search()?.evaluator;
        Some(Self {
            evaluator,
            path: evaluator.own_path()?,
            sha256: player.network()?,
        })
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
        for (name, from) in self.files() {
            let to = folder.join(name);
            if !to.exists() {
                files::share(&from, &to)?;
            }
        }
        Ok(())
    }

    /// Its files, by their names in a folder.
    fn files(&self) -> Vec<(&'static str, PathBuf)> {
        match self.evaluator {
            // It may be a file of any name, without a manifest.
            EvaluatorSpec::Updatable { path } => vec![(NETWORK_FILE, network_file(path))],
            _ => {
                // They are the same whatever the game.
                let names = Residual::<Chase>::PLAYING_FILES.iter();
                names.map(|&name| (name, self.path.join(name))).collect()
            }
        }
    }
}
