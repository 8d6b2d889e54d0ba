//! The server's folder of runs.

use std::path::{Path, PathBuf};

use chase_engine::GameName;
use chase_training::store::files;
use chase_training::store::run_dir::{META_FILE, Meta};

/// A folder of runs, or a single run. Pages identify runs by name, never by a path: an unknown name leads nowhere.
#[derive(Debug)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    pub const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// The folder of the run with this name.
    pub fn run(&self, name: &str) -> Option<PathBuf> {
        let mut runs = self.all().into_iter();
        runs.find(|(known, _)| known == name).map(|(_, run)| run)
    }

    /// The runs of a game, by name.
    pub fn of_game(&self, game: GameName) -> Vec<(String, PathBuf)> {
        let mut runs = self.all();
        runs.retain(|(_, run)| game_of(run) == Some(game));
        runs
    }

    /// All runs, by name.
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let Self(folder) = self;
        if folder.join(META_FILE).is_file() {
            let whole = folder.canonicalize().ok();
            let name = whole.as_deref().and_then(Path::file_name);
            let name = name.map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned());
            return vec![(name, folder.clone())];
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let runs = entries.filter(|entry| entry.path().join(META_FILE).is_file());
        let mut runs: Vec<(String, PathBuf)> = runs
            .filter_map(|run| Some((run.file_name().into_string().ok()?, run.path())))
            .collect();
        runs.sort();
        runs
    }
}

/// The game of a run; `None` if it does not say so, or names a game that this program does not know.
pub fn game_of(run: &Path) -> Option<GameName> {
    let meta: Meta = files::read_json(&run.join(META_FILE)).ok()?;
    meta.game.parse().ok()
}
