//! The folder of runs that the server was pointed at.

use std::path::{Path, PathBuf};

use chase_engine::{Chase, Game};
use chase_experiments::report::run::Meta;
use chase_training::run_dir::META_FILE;
use chase_training::training_loop::checkpoint_folder;

/// A folder of runs, or a run itself. Pages call runs by name, never by a path: a name that is not among those that are
/// there leads nowhere.
#[derive(Debug)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    pub const fn new(folder: PathBuf) -> Self {
        Self(folder)
    }

    /// All runs, by name.
    pub fn names(&self) -> Vec<String> {
        self.runs().into_iter().map(|(name, _)| name).collect()
    }

    /// Runs of Chase that have a network, by name.
    pub fn networks(&self) -> Vec<String> {
        let runs = self.runs().into_iter();
        let runs = runs.filter(|(_, run)| game(run).as_deref() == Some(Chase::NAME) && has_network(run));
        runs.map(|(name, _)| name).collect()
    }

    /// Where the run of this name is.
    pub fn run(&self, name: &str) -> Option<PathBuf> {
        let mut runs = self.runs().into_iter();
        runs.find(|(known, _)| known == name).map(|(_, run)| run)
    }

    fn runs(&self) -> Vec<(String, PathBuf)> {
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

/// The game of a run.
fn game(run: &Path) -> Option<String> {
    let text = std::fs::read(run.join(META_FILE)).ok()?;
    let meta: Meta = serde_json::from_slice(&text).ok()?;
    Some(meta.game)
}

fn has_network(run: &Path) -> bool {
    checkpoint_folder(run).is_ok_and(|folder| folder != run && folder.is_dir())
}
