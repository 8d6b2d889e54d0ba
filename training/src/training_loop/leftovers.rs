//! Half-written files of a process that was killed.

use std::fs;

use crate::files;
use crate::replay::shard;
use crate::run_dir::RunDir;

/// Files of a run that are replaced under a temporary name.
const REPLACED: [&str; 5] = [
    "clock.json",
    "config.toml",
    "metrics.jsonl",
    "report.html",
    "state.json",
];

/// Removes files that a run whose newest generation this is can have begun to write and not finished. Those that cannot be
/// removed only take space.
pub(super) fn remove(run: &RunDir, generation: u64) {
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
    let checkpoints = run.checkpoints();
    let names = files::names(&checkpoints).unwrap_or_default();
    for name in names
        .iter()
        .filter(|name| name.starts_with(".gen-") && name.ends_with(".tmp"))
    {
        let _ = fs::remove_dir_all(checkpoints.join(name));
    }
}
