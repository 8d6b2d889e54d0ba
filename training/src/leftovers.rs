//! Half-written files of a process that was killed.

use std::fs;
use std::path::Path;

use crate::files;
use crate::replay::shard;
use crate::run_dir::{CONFIG_FILE, METRICS_FILE, RunDir, STATE_FILE};

/// Files of a run that are replaced under a temporary name.
const REPLACED: [&str; 5] = ["clock.json", CONFIG_FILE, METRICS_FILE, "report.html", STATE_FILE];

/// Removes files and folders that a run can have begun to write and not finished, if this is its newest generation and
/// its `checkpoints` are in this folder. Those that cannot be removed only take space.
pub fn remove(run: &RunDir, checkpoints: &Path, generation: u64) {
    for name in REPLACED {
        let _ = fs::remove_file(files::temporary_name(&run.path().join(name)));
    }
    let games = [generation, generation + 1].map(|generation| run.games().join(shard::generation_folder(generation)));
    for folder in games
        .into_iter()
        .chain([run.openings(), run.path().join("evaluations")])
    {
        let names = files::names(&folder).unwrap_or_default();
        for name in names.iter().filter(|name| name.ends_with(".tmp")) {
            let _ = fs::remove_file(folder.join(name));
        }
    }
    let names = files::names(checkpoints).unwrap_or_default();
    let unfinished = |name: &&String| name.trim_start_matches('.').starts_with("gen-") && name.ends_with(".tmp");
    for name in names.iter().filter(unfinished) {
        let _ = fs::remove_dir_all(checkpoints.join(name));
    }
}
