//! A new network that learns the games of another run.
//!
//! A network that plays has learned at a rate too high for its best, mostly from games of weaker ones, and has the size
//! and the planes that the run began with. A refit trains a new one, of any size and with any planes, on the newest
//! games, under a rate that falls to its end; then the run continues with it.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use chase_engine::Moment;

use super::learn::Pace;
use super::{Found, Training, TrainingError, branch, commit, window};
use crate::events::{Observer, Summary};
use crate::kinds::{Kind, KindSettings};
use crate::settings::Settings;
use crate::store::OpenRun;
use crate::store::files::FileError;
use crate::store::run_dir::RunDir;
use crate::store::run_state::RunState;

impl<K: Kind> Training<K> {
    /// Begins a run in a new directory with random weights and the games that the run in `trunk` has after its last
    /// finished generation, under settings from [`Settings::changed`]. The trunk stays as it is.
    ///
    /// The first [`RefitConfig::generations`](crate::config::RefitConfig::generations) only learn. Limits count what
    /// the trunk had done, and end nothing before that.
    ///
    /// # Errors
    /// As [`Training::branch`], and if the trunk has no games.
    pub fn refit(
        trunk: &Path,
        directory: &Path,
        settings: K::Settings,
        observer: &mut dyn Observer<K>,
    ) -> Result<Self, TrainingError> {
        let Found { run: source, saved } = Self::find(trunk, K::settle(settings)?)?;
        let trunk_state = saved.map(|(state, _)| state).filter(|state| state.rows > 0);
        let Some(mut state) = trunk_state else {
            let reason = format!("{} has no finished generation with games to learn", trunk.display());
            return Err(TrainingError::Setup(reason));
        };
        let kind = K::open(&source.settings, Some(&source.dir), None)?;
        let from = branch::branch_point(&source.dir, state.generation)?;
        window::reach_back(&source, &kind, &mut state)?;
        // Of the trunk only its games are taken over, with the counters that say how many there are.
        let state = RunState {
            generation: state.generation,
            reported: Some(state.generation),
            games: state.games,
            rows: state.rows,
            milliseconds: state.milliseconds,
            shards: state.shards,
            refit_from: Some(state.generation),
            ..RunState::default()
        };
        let settings = source.settings.clone();
        let origin = commit::origin(settings.to_toml().as_bytes());
        let mut write = |run: &RunDir| -> Result<_, TrainingError> {
            for folder in [run.checkpoints(), run.openings()] {
                fs::create_dir(&folder).map_err(FileError::of("create", &folder))?;
            }
            branch::share_generations(&source.dir.games(), &run.games(), state.generation)?;
            branch::write_files(run, &kind)?;
            kind.save(&run.checkpoint(state.generation), &state, origin.clone())?;
            state.write(&run.state())?;
            Ok(run.log(&format!("refit of the games of {}", trunk.display()))?)
        };
        let run = OpenRun::create_with(directory, settings, Some(from), (&[], &[]), &mut write)?;
        drop(source);
        Self::open(run, kind, Some(state), observer)
    }

    /// Number of finished generations of the refit; `None` if all are, or there is no refit.
    pub(super) fn refitted(&self) -> Option<u64> {
        let done = self.state.generation - self.state.refit_from?;
        (done < self.settings.sections().refit.generations).then_some(done)
    }

    /// One generation of a refit, after `done` others. Returns true if it was finished; otherwise the run was stopped.
    pub(super) fn refit_generation(
        &mut self,
        done: u64,
        observer: &mut dyn Observer<K>,
        stop: &AtomicBool,
    ) -> Result<bool, TrainingError> {
        let begin = Moment::now();
        let refit = self.settings.sections().refit;
        let (generations, learner) = (refit.generations, self.settings.refit_learner());
        let (rows, _) = self.kind.window();
        let all = refit.passes * rows as f64 / f64::from(learner.batch);
        // From the totals, so that no rounding adds up.
        let until = |done: u64| (all * (done as f64 / generations as f64)).round() as u64;
        let pace = Pace::new(until(done + 1) - until(done), |part| {
            (done as f64 + part) / generations as f64
        });
        self.kind.follow(learner);
        let mut next = self.state.clone();
        next.generation += 1;
        next.unfinished = 0;
        let Some(learned) = self.learn(next.generation, &pace, observer, stop)? else {
            return Ok(false);
        };
        next.last_milliseconds = begin.elapsed().as_millis() as u64;
        let summary = Summary {
            is_refit: true,
            // There are no games to have figures of.
            mean_plies: f64::NAN,
            games_per_second: f64::NAN,
            positions_per_second: f64::NAN,
            evaluations_per_second: f64::NAN,
            mean_batch: f64::NAN,
            nodes_per_second: f64::NAN,
            ..learned
        };
        self.finish(next, summary, observer)?;
        Ok(true)
    }
}
