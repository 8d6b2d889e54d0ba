//! The loop: generations of self-play, learning and saving, until a limit is reached.
//!
//! A generation becomes final at one moment, when `state.json` is replaced. Everything before that moment can be done
//! again with the same result: games are derived from the seed, the learner continues from the last checkpoint. So a
//! run can be killed at any time, and continues as if it had not been. Shards that were written are kept and not played
//! again.

mod branch;
mod clock;
mod commit;
mod learn;
mod play;
pub mod progress;
mod refit;
mod report;
mod window;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use chase_models::checkpoint::{self, Checkpoint};
use chase_models::fused::FusedError;
use chase_models::manifest::{CheckpointError, Manifest, NetworkOrigin};
use chase_models::processor::processor;
use chase_models::{Precision, shipped};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tch::Device;

use self::learn::untrained;
use crate::config::Config;
use crate::events::{Ended, Event, Observer, Summary};
use crate::game_record::Purpose;
use crate::kinds::NetworkKind;
use crate::learner::{LearnError, Learner, StateError, rate};
use crate::metrics::{Metrics, ResumeSteps, RunPart};
use crate::replay::shard::{self, ShardError};
use crate::replay::{Buffer, unfinished};
use crate::selfplay::Counters;
use crate::settings::{ConfigError, Settings};
use crate::store::OpenRun;
use crate::store::files::{self, FileError};
use crate::store::run_dir::{CHECKPOINTS, RunDir, RunDirError, STATE_FILE};
use crate::store::run_kind::RunKind;
use crate::store::run_state::RunState;
use crate::trainable::Trainable;
use crate::venue::{Here, Venue, VenueError};

/// Error returned by a run that cannot begin or continue. Nothing that was finished is lost.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum TrainingError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error(transparent)]
    LearnerState(#[from] StateError),
    #[error(transparent)]
    Venue(#[from] VenueError),
    #[error(transparent)]
    Device(#[from] chase_models::device::DeviceError),
    #[error(transparent)]
    Fused(#[from] FusedError),
    #[error("{0}; put it back from a copy")]
    Shard(#[from] ShardError),
    /// Games that the last generation has left to the next one are not there.
    #[error(
        "{}: {found} of {left} files of unfinished games are there; put the others back from a copy",
        folder.display()
    )]
    Unfinished { folder: PathBuf, found: u64, left: u64 },
    /// Not even the newest game fits into what `replay.max_mib` allows.
    #[error("there is nothing to learn from: no game fits into a window of replay.max_mib = {0}")]
    EmptyWindow(usize),
    /// A program's limit: no threads, or numbers that have no text form.
    #[error("cannot set up the run: {0}")]
    Setup(String),
}

/// A run in progress.
#[derive(Debug)]
pub struct Training<G: Trainable> {
    run: RunDir,
    config: Config,
    rules: G::Rules,
    encoding: G::Encoding,
    device: Device,
    precision: Precision,
    pool: ThreadPool,
    origin: NetworkOrigin,
    state: RunState,
    venue: Box<dyn Venue<G>>,
    learner: Learner,
    buffer: Buffer<G>,
    metrics: Metrics,
}

/// Name of the checkpoint after a generation.
pub fn checkpoint_name(generation: u64) -> String {
    shard::generation_folder(generation)
}

/// The checkpoint of a residual network that a folder stands for: the newest one of a run, and any other folder, or the
/// [`shipped`] agent, for itself.
///
/// # Errors
/// If the folder is a run whose state is damaged, or of another kind, or without a checkpoint yet.
pub fn checkpoint_folder(folder: &Path) -> Result<PathBuf, RunDirError> {
    match NetworkKind::of(folder) {
        NetworkKind::Residual => any_checkpoint_folder(folder),
        NetworkKind::Nnue => Err(RunDirError::Other {
            path: folder.to_owned(),
            found: format!(
                "of an efficiently updatable network, which plays as nnue:{}",
                folder.display()
            ),
            expected: "the folder of a checkpoint or of a training run of a residual network".to_owned(),
        }),
    }
}

/// Like [`checkpoint_folder`], for a network of any kind.
///
/// # Errors
/// As [`checkpoint_folder`].
pub fn any_checkpoint_folder(folder: &Path) -> Result<PathBuf, RunDirError> {
    if shipped::is_shipped(folder) {
        return Ok(folder.to_owned());
    }
    if let Some(state) = RunState::read(&folder.join(STATE_FILE))? {
        return Ok(folder.join(CHECKPOINTS).join(checkpoint_name(state.generation)));
    }
    let found = match RunKind::of(folder) {
        None => return Ok(folder.to_owned()),
        Some(kind @ RunKind::Training) => format!("{kind} without a checkpoint yet"),
        Some(kind) => kind.to_string(),
    };
    Err(RunDirError::Other {
        path: folder.to_owned(),
        found,
        expected: "the folder of a checkpoint or of a training run".to_owned(),
    })
}

impl<G: Trainable> Training<G> {
    /// Begins a run in a new directory.
    ///
    /// # Errors
    /// If the configuration is invalid or for another game, or the directory or device cannot be used.
    pub fn create(directory: &Path, config: Config, observer: &mut dyn Observer<G>) -> Result<Self, TrainingError> {
        if G::standard_rules(config.game.name()).is_none() {
            let reason = format!("the configuration is for {}, expected one for {}", config.game, G::NAME);
            return Err(TrainingError::Setup(reason));
        }
        // Before the directory: a run that cannot begin should leave nothing behind.
        let device = chase_models::device::parse(&config.device)?;
        let config = config.on(device)?;
        Self::open(
            OpenRun::create(directory, config, &RunDir::TRAINING, &[])?,
            device,
            observer,
        )
    }

    /// Goes on with the run in a directory, under a configuration from [`Settings::changed`], which becomes the run's.
    ///
    /// # Errors
    /// If it is no run of this game, or in use, or what it holds is damaged.
    pub fn resume(directory: &Path, config: Config, observer: &mut dyn Observer<G>) -> Result<Self, TrainingError> {
        let device = chase_models::device::parse(&config.device)?;
        let run = Self::locked(directory, config.on(device)?)?;
        let change = Self::change_by_hand(&run)?;
        let elsewhere = device == Device::Cpu && run.meta.processor != processor();
        let elsewhere = elsewhere.then(|| run.meta.processor.clone());
        Self::warm_up_again(&run.dir, &run.began, &run.settings)?;
        Self::take_on(&run)?;
        let training = Self::open(run, device, observer)?;
        if let Some(began) = elsewhere {
            let text = format!(
                "the run began on a processor with `{began}` and continues on one with `{}`: last digits may differ from what \
                 it would have been there",
                processor()
            );
            training.emit(observer, &Event::Warning(text));
        }
        if let Some(change) = change {
            training.emit(observer, &Event::Warning(change));
        }
        Ok(training)
    }

    /// Refuses a `config.toml` that has lost keys since the newest checkpoint, or since the run began. Another change is
    /// returned as text.
    fn change_by_hand(run: &OpenRun<Config>) -> Result<Option<String>, TrainingError> {
        let trunk = run.meta.branched_from.as_ref();
        let own = |state: &RunState| trunk.is_none_or(|trunk| trunk.generation < state.generation);
        let (since, sha256) = match RunState::read(&run.dir.state())?.filter(own) {
            Some(state) => {
                let checkpoint = checkpoint_name(state.generation);
                let manifest = Manifest::read(&run.dir.checkpoint(state.generation))?;
                (checkpoint, manifest.origin.config)
            }
            // The first checkpoint of a branch is of its trunk, and was trained under the trunk's.
            None => ("the run began".to_owned(), run.meta.config.clone()),
        };
        Ok(run.change_by_hand(&since, sha256.as_deref())?)
    }

    /// Writes down what a resumed run changes, so that it continues under it the next time too.
    fn take_on(run: &OpenRun<Config>) -> Result<(), TrainingError> {
        if run.began.measurement != run.settings.measurement {
            // First: games of before must not be found under what is written next.
            play::forget_measurement(&run.dir)?;
        }
        run.write_settings()?;
        for change in run.settings.differences(&run.began) {
            run.dir.log(&format!("config.toml: {change}"))?;
        }
        Ok(())
    }

    /// Has the learning rate of a run warm up again if it will be much higher than under the settings of `before`, as
    /// where more time is given to a run whose rate had fallen: a jump would undo what it learned at a low one. Before
    /// the settings are taken on, so that this cannot be forgotten between the two.
    pub(super) fn warm_up_again(run: &RunDir, before: &Config, after: &Config) -> Result<(), TrainingError> {
        /// Rates that differ by less are no jump.
        const JUMP: f64 = 1.5;
        let Some(mut state) = RunState::of(run)?.filter(|state| state.generation > 0) else {
            return Ok(());
        };
        let rate = |config: &Config| {
            let progress = progress::progress(&config.limits, &state, 0, 0.0);
            rate(&config.learner, u64::MAX, progress)
        };
        if rate(after) > JUMP * rate(before) {
            let checkpoint = run.checkpoint(state.generation);
            state.warm_up_from = Manifest::read(&checkpoint)?.progress.steps;
            state.write(&run.state())?;
        }
        Ok(())
    }

    /// The directory of a run of this game, under these settings.
    fn locked(directory: &Path, config: Config) -> Result<OpenRun<Config>, TrainingError> {
        let run = OpenRun::resume(directory, |_, _| Ok::<_, TrainingError>(config))?;
        // Before anything of it is changed.
        RunState::of(&run.dir)?;
        Ok(run)
    }

    fn open(run: OpenRun<Config>, device: Device, observer: &mut dyn Observer<G>) -> Result<Self, TrainingError> {
        let (run, config) = (run.dir, run.settings);
        let encoding = G::encoding(&config);
        let precision = config.precision.on(&config.network, device);
        let pool = ThreadPoolBuilder::new().num_threads(config.thread_count()).build();
        let pool = pool.map_err(|error| TrainingError::Setup(error.to_string()))?;
        let mut learner = untrained::<G>(&config, device)?;
        let saved = RunState::of(&run)?;
        if let Some(state) = &saved {
            let folder = run.checkpoint(state.generation);
            let checkpoint = Checkpoint::<G>::load_for(config.game.name(), &folder, device)?;
            let moments = checkpoint::load_optimizer(&folder, &checkpoint.manifest)?;
            learner.restore(&checkpoint.network, &moments, checkpoint.manifest.progress.steps)?;
            learner.warm_up_from(state.warm_up_from);
        }
        let resume = saved.as_ref().map(|state| resume_steps(state, learner.steps()));
        let (metrics, failures) = Metrics::open(&run, resume);
        let origin = commit::origin(&files::read(&run.config())?);
        let mut training = Self {
            rules: G::rules(&config),
            run,
            buffer: Buffer::new(&config.learner),
            config,
            encoding,
            device,
            precision,
            pool,
            origin,
            state: saved.clone().unwrap_or_default(),
            venue: Box::new(Here),
            learner,
            metrics,
        };
        for failure in failures {
            training.emit(observer, &Event::Warning(failure.to_string()));
        }
        match saved {
            Some(_) => {
                // A run may have been killed after its state was written and before this.
                training.prune_checkpoints()?;
                training.load_window()?;
            }
            None => training.commit()?,
        }
        let directory = training.run.path().to_path_buf();
        let generation = training.state.generation;
        training.emit(
            observer,
            &Event::Started {
                directory: &directory,
                generation,
            },
        );
        Ok(training)
    }

    /// The same run, with its games played at `venue` instead of in this process.
    #[must_use]
    pub fn at(self, venue: Box<dyn Venue<G>>) -> Self {
        Self { venue, ..self }
    }

    /// The run's state after the last finished generation.
    pub const fn state(&self) -> &RunState {
        &self.state
    }

    /// The learner.
    pub const fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Works until a limit is reached or `stop` is set. [`Training::resume`] continues it, whatever ended it.
    ///
    /// # Errors
    /// If something fails that a run cannot continue without. It can be resumed from its last finished generation.
    pub fn run(mut self, observer: &mut dyn Observer<G>, stop: &AtomicBool) -> Result<Ended, TrainingError> {
        let ended = loop {
            // A refit begins where the limits of the run may be reached.
            let limit = match self.refitted() {
                Some(_) => None,
                None => progress::reached(&self.config.limits, &self.state),
            };
            if !self.report(limit.is_some(), observer, stop)? {
                break Ended::Stopped;
            }
            if let Some(limit) = limit {
                break limit;
            }
            if stop.load(Ordering::Relaxed) || !self.generation(observer, stop)? {
                break Ended::Stopped;
            }
        };
        let failures = self.metrics.flush();
        self.warn(observer, failures);
        if ended != Ended::Stopped
            && let Some(warning) = self.venue.close(self.run.path())
        {
            self.emit(observer, &Event::Warning(warning));
        }
        self.emit(observer, &Event::Ended(ended));
        Ok(ended)
    }

    /// One generation. Returns true if it was finished; otherwise the run was stopped.
    fn generation(&mut self, observer: &mut dyn Observer<G>, stop: &AtomicBool) -> Result<bool, TrainingError> {
        if let Some(done) = self.refitted() {
            return self.refit_generation(done, observer, stop);
        }
        let begin = Instant::now();
        let generation = self.state.generation + 1;
        let counters = Counters::default();
        let played = self.play(
            Purpose::Selfplay,
            generation,
            self.config.selfplay.games,
            &counters,
            observer,
            stop,
        )?;
        let Some(played) = played else {
            return Ok(false);
        };
        let selfplay_seconds = begin.elapsed().as_secs_f64();

        let mut next = self.state.clone();
        next.generation = generation;
        next.unfinished = unfinished::count(&self.run.games(), generation)?;
        let mut games = Vec::new();
        for (shard, records) in played.shards {
            next.games += shard.games;
            next.rows += shard.rows;
            next.shards.push(shard);
            self.buffer.add(&records);
            games.extend(records);
        }
        self.trim_window(&mut next);
        let openings = self.openings(generation, Purpose::Selfplay, &games)?;
        drop(games);

        let learning = Instant::now();
        self.learner.follow(self.config.learner.clone());
        if self.state.refit_from.map(|from| from + self.config.refit.generations) == Some(self.state.generation) {
            // The rate of a refit has fallen; that of a run that goes on is higher.
            next.warm_up_from = self.learner.steps();
            self.learner.warm_up_from(next.warm_up_from);
        }
        let pace = self.pace(&next);
        let Some(learned) = self.learn(generation, &pace, observer, stop)? else {
            return Ok(false);
        };
        next.samples += learned.steps * u64::from(self.config.learner.batch);
        next.last_milliseconds = played.earlier_milliseconds + begin.elapsed().as_millis() as u64;
        next.milliseconds += next.last_milliseconds;

        // No figure where all games were found: 0 a second would be as false as what they took before.
        let figure = |value: f64| if played.games > 0 { value } else { f64::NAN };
        let rate = |count: u64| figure(count as f64 / selfplay_seconds);
        let searched = rate(counters.evaluations.load(Ordering::Relaxed));
        let by_heuristic = generation <= self.config.selfplay.heuristic_generations;
        let [evaluations_per_second, nodes_per_second] = match by_heuristic {
            true => [f64::NAN, searched],
            false => [searched, f64::NAN],
        };
        let summary = Summary {
            generation,
            tally: openings.total,
            random_openings: openings.random_openings,
            mean_plies: openings.mean_plies,
            new_rows: next.rows - self.state.rows,
            window_rows: self.buffer.rows(),
            window_bytes: self.buffer.bytes() as u64,
            selfplay_seconds,
            learning_seconds: learning.elapsed().as_secs_f64(),
            games_per_second: rate(played.games),
            positions_per_second: rate(played.plies),
            evaluations_per_second,
            mean_batch: if by_heuristic {
                f64::NAN
            } else {
                figure(counters.mean_batch())
            },
            nodes_per_second,
            checkpoint: checkpoint_name(generation),
            minutes: next.milliseconds as f64 / 60_000.0,
            ..learned
        };
        self.record_selfplay(&summary, observer);
        self.state = next;
        self.commit()?;
        self.emit(observer, &Event::Generation(&summary));
        Ok(true)
    }
}

/// The steps from which on records are void when a run continues from `state`.
fn resume_steps(state: &RunState, steps: u64) -> ResumeSteps {
    // An evaluation that was not due, or failed, may have been made up for and not be final.
    let reported = state
        .reported
        .map(|reported| reported + u64::from(!state.omitted.evaluation));
    let evaluated = state.failed_evaluations.first().copied().or(reported);
    [
        (RunPart::Selfplay, state.generation + 1),
        (RunPart::Learner, steps + 1),
        (RunPart::Evaluation, evaluated.unwrap_or(0)),
    ]
}
