//! A new network that learns the games of another run.
//!
//! A network that plays has learned at a rate too high for its best, mostly from games of weaker ones, and has the size
//! and the planes that the run began with. A refit trains a new one, of any size and with any planes, on the newest
//! games, under a rate that falls to its end; then the run continues with it.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::learn::{Pace, untrained};
use super::{Training, TrainingError, branch, checkpoint_name, commit, window};
use crate::config::Config;
use crate::events::{Event, Observer, Summary};
use crate::settings::Settings;
use crate::store::OpenRun;
use crate::store::files::FileError;
use crate::store::run_state::RunState;
use crate::trainable::Trainable;

impl<G: Trainable> Training<G> {
    /// Begins a run in a new directory with random weights and the games that the run in `trunk` has after its last
    /// finished generation, under a configuration from [`Settings::changed`]. The trunk stays as it is.
    ///
    /// The first [`RefitConfig::generations`](crate::config::RefitConfig::generations) only learn. Limits count what
    /// the trunk had done, and end nothing before that.
    ///
    /// # Errors
    /// As [`Training::branch`], and if the trunk has no games.
    pub fn refit(
        trunk: &Path,
        directory: &Path,
        config: Config,
        observer: &mut dyn Observer<G>,
    ) -> Result<Self, TrainingError> {
        let device = chase_models::device::parse(&config.device)?;
        let config = config.on(device)?;
        let source = Self::locked(trunk, config)?;
        let trunk_state = RunState::of(&source.dir)?.filter(|state| state.rows > 0);
        let Some(mut state) = trunk_state else {
            let reason = format!("{} has no finished generation with games to learn", trunk.display());
            return Err(TrainingError::Setup(reason));
        };
        let from = branch::branch_point(&source.dir, state.generation)?;
        window::reach_back::<G>(&source, &mut state)?;
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
        let config = source.settings.clone();
        let encoding = G::encoding(&config);
        let learner = untrained::<G>(&config, device)?;
        let origin = commit::origin(config.to_toml().as_bytes());
        let run = OpenRun::create_with(
            directory,
            config,
            Some(from),
            (&[], &[]),
            |run| -> Result<_, TrainingError> {
                for folder in [run.checkpoints(), run.openings()] {
                    fs::create_dir(&folder).map_err(FileError::of("create", &folder))?;
                }
                branch::share_generations(&source.dir.games(), &run.games(), state.generation)?;
                let folder = run.checkpoint(state.generation);
                commit::save::<G>(&folder, &learner, &encoding, &state, origin)?;
                state.write(&run.state())?;
                Ok(run.log(&format!("refit of the games of {}", trunk.display()))?)
            },
        )?;
        drop(source);
        Self::open(run, device, observer)
    }

    /// Number of finished generations of the refit; `None` if all are, or there is no refit.
    pub(super) fn refitted(&self) -> Option<u64> {
        let done = self.state.generation - self.state.refit_from?;
        (done < self.config.refit.generations).then_some(done)
    }

    /// One generation of a refit, after `done` others. Returns true if it was finished; otherwise the run was stopped.
    pub(super) fn refit_generation(
        &mut self,
        done: u64,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<bool, TrainingError> {
        let begin = Instant::now();
        let generations = self.config.refit.generations;
        let batch = u64::from(self.config.learner.batch);
        let all = self.config.refit.passes * self.buffer.rows() as f64 / batch as f64;
        // From the totals, so that no rounding adds up.
        let until = |done: u64| (all * (done as f64 / generations as f64)).round() as u64;
        let pace = Pace::new(until(done + 1) - until(done), |part| {
            (done as f64 + part) / generations as f64
        });
        self.learner.follow(self.config.refit_learner());
        let mut next = self.state.clone();
        next.generation += 1;
        next.unfinished = 0;
        let Some(learned) = self.learn(next.generation, &pace, observer, stop)? else {
            return Ok(false);
        };
        next.samples += learned.steps * batch;
        next.last_milliseconds = begin.elapsed().as_millis() as u64;
        next.milliseconds += next.last_milliseconds;
        let summary = Summary {
            generation: next.generation,
            window_rows: self.buffer.rows(),
            window_bytes: self.buffer.bytes() as u64,
            // There are no games to have figures of.
            mean_plies: f64::NAN,
            games_per_second: f64::NAN,
            positions_per_second: f64::NAN,
            evaluations_per_second: f64::NAN,
            mean_batch: f64::NAN,
            nodes_per_second: f64::NAN,
            learning_seconds: begin.elapsed().as_secs_f64(),
            checkpoint: checkpoint_name(next.generation),
            minutes: next.milliseconds as f64 / 60_000.0,
            ..learned
        };
        self.state = next;
        self.commit()?;
        self.emit(observer, &Event::Generation(&summary));
        Ok(true)
    }
}
