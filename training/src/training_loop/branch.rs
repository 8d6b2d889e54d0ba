//! A new run that continues from where another stands, with other settings.

use std::fs;
use std::path::Path;

use chase_models::Manifest;

use super::{Found, Training, TrainingError, play, window};
use crate::events::Observer;
use crate::kinds::Kind;
use crate::replay::shard;
use crate::store::OpenRun;
use crate::store::files::{self, FileError};
use crate::store::run_dir::{BranchPoint, RunDir};
use crate::store::run_state::RunState;

impl<K: Kind> Training<K> {
    /// Begins a run in a new directory with the weights, moments, counters and games that the run in `trunk` has after
    /// its last finished generation, under settings from [`Settings::changed`](crate::settings::Settings::changed). The
    /// trunk stays as it is.
    ///
    /// Limits count what the trunk had done. Without any change of settings the branch becomes what the trunk would.
    ///
    /// # Errors
    /// If the trunk is not a run of this game with a finished generation, or in use, or damaged; if the new directory or
    /// the device cannot be used. A directory that could not be filled is not a run.
    pub fn branch(
        trunk: &Path,
        directory: &Path,
        settings: K::Settings,
        observer: &mut dyn Observer<K>,
    ) -> Result<Self, TrainingError> {
        let Found { run: source, saved } = Self::find(trunk, K::settle(settings)?)?;
        let (kind, state) = Self::restored(&source, saved)?;
        let Some(mut state) = state else {
            return Err(TrainingError::Setup(format!(
                "{} has no finished generation to branch off from",
                trunk.display()
            )));
        };
        let from = branch_point(&source.dir, state.generation)?;
        window::reach_back(&source, &kind, &mut state)?;
        let settings = source.settings.clone();
        let mut write = |run: &RunDir| -> Result<_, TrainingError> {
            fill(run, &source.dir, &state)?;
            write_files(run, &kind)?;
            state = Self::warmed_up_again(run, &source, state.clone(), &kind)?;
            Ok(())
        };
        let run = OpenRun::create_with(directory, settings, Some(from), (&[], &[]), &mut write)?;
        drop(source);
        Self::open(run, kind, Some(state), observer)
    }
}

/// Writes the files that a run has from its beginning.
pub(super) fn write_files<K: Kind>(run: &RunDir, kind: &K) -> Result<(), FileError> {
    let files = kind.files();
    files
        .iter()
        .try_for_each(|(name, content)| files::write_whole(&run.path().join(name), content))
}

/// The point where a run continues from this generation of another.
pub(super) fn branch_point(source: &RunDir, generation: u64) -> Result<BranchPoint, TrainingError> {
    let checkpoint = source.checkpoint(generation);
    Ok(BranchPoint {
        run: source.path().into(),
        generation,
        checkpoint: Manifest::facts(&checkpoint)?.sha256,
    })
}

/// Everything of a run up to a generation but its configuration and provenance.
fn fill(run: &RunDir, source: &RunDir, state: &RunState) -> Result<(), TrainingError> {
    share_folder(&source.openings(), &run.openings())?;
    // Games of a later generation were played under the trunk's settings, as those of a measurement that is not
    // finished: the branch plays its own.
    for [from, to] in [[source.games(), run.games()], [source.checkpoints(), run.checkpoints()]] {
        share_generations(&from, &to, state.generation)?;
    }
    // What is appended to is copied.
    if source.metrics().exists() {
        files::write_whole(&run.metrics(), &files::read(&source.metrics())?)?;
    }
    state.write(&run.state())?;
    play::forget_measurement(run)?;
    run.log(&format!("branched from {}", source.path().display()))?;
    Ok(())
}

/// Puts the folders of the generations up to `last` into a new folder as well.
pub(super) fn share_generations(from: &Path, to: &Path, last: u64) -> Result<(), FileError> {
    fs::create_dir(to).map_err(FileError::of("create", to))?;
    for folder in (0..=last).map(shard::generation_folder) {
        let from = from.join(&folder);
        if from.exists() {
            share_folder(&from, &to.join(&folder))?;
        }
    }
    Ok(())
}

/// Puts the files of a folder into a new one as well.
fn share_folder(from: &Path, to: &Path) -> Result<(), FileError> {
    fs::create_dir(to).map_err(FileError::of("create", to))?;
    for entry in fs::read_dir(from).map_err(FileError::of("read", from))? {
        let entry = entry.map_err(FileError::of("read", from))?;
        files::share(&entry.path(), &to.join(entry.file_name()))?;
    }
    files::sync_directory(to)
}
