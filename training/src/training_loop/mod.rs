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

use chase_engine::{Game, Moment};
use chase_models::fused::FusedError;
use chase_models::manifest::{CheckpointError, NetworkOrigin};
use chase_models::processor::processor;
use chase_models::shipped;
use chase_nnue::WeightsError;
use chase_nnue::file::{BytesError, NetworkFileError};
use tch::{Device, TchError};

use crate::events::{Ended, Event, Observer, Summary};
use crate::game_record::Purpose;
use crate::kinds::nnue::rows::DataError;
use crate::kinds::{Kind, KindSettings, NetworkKind};
use crate::learner::{LearnError, StateError, rate};
use crate::metrics::{Metrics, ResumeSteps, RunPart};
use crate::replay::shard::{self, ShardError};
use crate::replay::unfinished;
use crate::selfplay::Counters;
use crate::settings::{ConfigError, Settings};
use crate::store::files::{self, FileError};
use crate::store::run_dir::{CHECKPOINTS, RunDir, RunDirError, STATE_FILE};
use crate::store::run_kind::RunKind;
use crate::store::run_state::RunState;
use crate::store::{OpenRun, RunSettings};
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
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    NetworkFile(#[from] NetworkFileError),
    #[error(transparent)]
    NetworkBytes(#[from] BytesError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error("libtorch: {0}")]
    Torch(#[from] TchError),
    /// Games that the last generation has left to the next one are not there.
    #[error(
        "{}: {found} of {left} files of unfinished games are there; put the others back from a copy",
        folder.display()
    )]
    Unfinished { folder: PathBuf, found: u64, left: u64 },
    /// Not even the newest game fits into what `replay.max_mib` allows.
    #[error("there is nothing to learn from: no game fits into a window of replay.max_mib = {0}")]
    EmptyWindow(usize),
    /// No game of the window has a row that is learned.
    #[error("there is nothing to learn from: no searched position in the games, or all of them are held out")]
    NoRows,
    /// A program's limit: no threads, or numbers that have no text form.
    #[error("cannot set up the run: {0}")]
    Setup(String),
}

/// A run in progress.
#[derive(Debug)]
pub struct Training<K: Kind> {
    run: RunDir,
    settings: K::Settings,
    rules: <K::Game as Game>::Rules,
    device: Device,
    origin: NetworkOrigin,
    state: RunState,
    venue: Box<dyn Venue<K>>,
    kind: K,
    metrics: Metrics,
}

/// A directory that is opened again, its state, and the checkpoint of that.
struct Found<K: Kind> {
    run: OpenRun<K::Settings>,
    saved: Option<(RunState, K::Saved)>,
}

/// The checkpoint that a folder stands for: the newest one of a run, and any other folder, or the name of a built-in network,
/// for itself. A caller that expects one of an efficiently updatable network finds out itself whether it is.
///
/// # Errors
/// If the folder is a run whose state is damaged, or without a checkpoint yet, or no folder of a training run; if a residual
/// network is expected, and it is of another kind.
pub fn checkpoint_folder(folder: &Path, expected: NetworkKind) -> Result<PathBuf, RunDirError> {
    let found = NetworkKind::of(folder);
    if expected == NetworkKind::Residual && found != expected {
        return Err(RunDirError::Other {
            path: folder.to_owned(),
            found: format!(
                "of a network of the kind {0}, which plays as {0}:{1}",
                found.facts().name,
                folder.display()
            ),
            expected: "the folder of a checkpoint or of a training run of a residual network".to_owned(),
        });
    }
    if shipped::is_shipped(folder) || chase_nnue::shipped::is_shipped(folder) {
        return Ok(folder.to_owned());
    }
    if let Some(state) = RunState::read(&folder.join(STATE_FILE))? {
        let newest = shard::generation_folder(state.generation);
        let checkpoints = folder.join(CHECKPOINTS);
        let path = checkpoints.join(&newest);
        let others = files::names(&checkpoints).unwrap_or_default();
        if path.exists() || others.is_empty() {
            return Ok(path);
        }
        return Err(RunDirError::Other {
            path: folder.to_owned(),
            found: format!("a run whose newest checkpoint, {newest}, is gone"),
            expected: format!(
                "it in {0}, or one of those that are there, as {0}/{1}",
                checkpoints.display(),
                others.join(", ")
            ),
        });
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

impl<K: Kind> Training<K> {
    /// Begins a run in a new directory.
    ///
    /// # Errors
    /// If the settings are invalid or for another game, or name something that cannot be read, or the directory or
    /// device cannot be used.
    pub fn create(
        directory: &Path,
        settings: K::Settings,
        observer: &mut dyn Observer<K>,
    ) -> Result<Self, TrainingError> {
        let (game, _) = settings.game();
        if K::Game::standard_rules(game).is_none() {
            let reason = format!("the configuration is for {game}, expected one for {}", K::Game::NAME);
            return Err(TrainingError::Setup(reason));
        }
        // Before the directory: a run that cannot begin should leave nothing behind.
        let settings = K::settle(settings)?;
        let kind = K::open(&settings, None, None)?;
        let files = kind.files();
        let files: Vec<(&str, &[u8])> = files.iter().map(|(name, content)| (*name, &content[..])).collect();
        let run = OpenRun::create(directory, settings, &RunDir::TRAINING, &files)?;
        Self::open(run, kind, None, observer)
    }

    /// Goes on with the run in a directory, under settings from [`Settings::changed`], which become the run's.
    ///
    /// # Errors
    /// If it is not a run of this game, is in use, or has damaged files.
    pub fn resume(
        directory: &Path,
        settings: K::Settings,
        observer: &mut dyn Observer<K>,
    ) -> Result<Self, TrainingError> {
        let Found { mut run, saved } = Self::find(directory, K::settle(settings)?)?;
        let change = Self::change_by_hand(&run, saved.as_ref())?;
        let (kind, state) = Self::restored(&run, saved)?;
        let state = state
            .map(|state| Self::warmed_up_again(&run.dir, &run, state, &kind))
            .transpose()?;
        Self::take_on(&mut run)?;
        let elsewhere = K::device(&run.settings)? == Device::Cpu && run.meta.processor != processor();
        let elsewhere = elsewhere.then(|| run.meta.processor.clone());
        let training = Self::open(run, kind, state, observer)?;
        if let Some(began) = elsewhere {
            let text = format!(
                "the run began on a processor with `{began}` and continues on one with `{}`: results may differ in \
                 their last digits",
                processor()
            );
            training.emit(observer, &Event::Warning(text));
        }
        if let Some(change) = change {
            training.emit(observer, &Event::Warning(change));
        }
        Ok(training)
    }

    /// Opens the directory of a run of this game under these settings, before anything of it is changed.
    fn find(directory: &Path, settings: K::Settings) -> Result<Found<K>, TrainingError> {
        let run = OpenRun::resume(directory, &|_, _| Ok::<_, TrainingError>(settings.clone()))?;
        let load = |state: RunState| -> Result<_, TrainingError> {
            let device = K::device(&run.settings)?;
            let saved = K::load(&run.settings, &run.dir.checkpoint(state.generation), device)?;
            Ok((state, saved))
        };
        let saved = RunState::of(&run.dir)?.map(load).transpose()?;
        Ok(Found { run, saved })
    }

    /// The network of a directory, and its state.
    fn restored(
        run: &OpenRun<K::Settings>,
        saved: Option<(RunState, K::Saved)>,
    ) -> Result<(K, Option<RunState>), TrainingError> {
        let Some((state, saved)) = saved else {
            return Ok((K::open(&run.settings, Some(&run.dir), None)?, None));
        };
        let folder = run.dir.checkpoint(state.generation);
        let kind = K::open(&run.settings, Some(&run.dir), Some((&folder, saved)))?;
        Ok((kind, Some(state)))
    }

    /// Refuses a `config.toml` that has lost keys since the newest checkpoint, or since the run began. Another change is
    /// returned as text.
    fn change_by_hand(
        run: &OpenRun<K::Settings>,
        saved: Option<&(RunState, K::Saved)>,
    ) -> Result<Option<String>, TrainingError> {
        let trunk = run.meta.branched_from.as_ref();
        let own = |(state, _): &&(RunState, _)| trunk.is_none_or(|trunk| trunk.generation < state.generation);
        let (since, sha256) = match saved.filter(own) {
            Some((state, saved)) => (shard::generation_folder(state.generation), K::trained_under(saved)),
            // The first checkpoint of a branch is of its trunk, and was trained under the trunk's.
            None => ("the run began".to_owned(), run.meta.config.as_deref()),
        };
        Ok(run.change_by_hand(&since, sha256)?)
    }

    /// Writes down what a resumed run changes, so that it continues under it the next time too.
    fn take_on(run: &mut OpenRun<K::Settings>) -> Result<(), TrainingError> {
        if run.began.sections().measurement != run.settings.sections().measurement {
            // First: games of before must not be found under what is written next.
            play::forget_measurement(&run.dir)?;
        }
        run.begin_again()?;
        for change in run.settings.differences(&run.began) {
            run.dir.log(&format!("config.toml: {change}"))?;
        }
        Ok(())
    }

    /// Has the learning rate of the run in `directory` warm up again if it will be much higher than under the settings
    /// that `run` began with, as where more time is given to a run whose rate had fallen: a jump would undo what it
    /// learned at a low one. Before the settings are taken on, so that this cannot be forgotten between the two.
    fn warmed_up_again(
        directory: &RunDir,
        run: &OpenRun<K::Settings>,
        mut state: RunState,
        kind: &K,
    ) -> Result<RunState, TrainingError> {
        /// Rates that differ by less do not count as a jump.
        const JUMP: f64 = 1.5;
        let rate = |settings: &K::Settings| {
            let progress = progress::progress(settings.sections().limits, &state, 0, 0.0);
            rate(&settings.learner(), u64::MAX, progress)
        };
        // A refit has a rate of its own.
        let refit = run.settings.sections().refit.generations;
        let refits = state.refit_from.is_some_and(|from| state.generation < from + refit);
        if state.generation > 0 && !refits && rate(&run.settings) > JUMP * rate(&run.began) {
            state.warm_up_from = kind.steps();
            state.write(&directory.state())?;
        }
        Ok(state)
    }

    fn open(
        run: OpenRun<K::Settings>,
        mut kind: K,
        saved: Option<RunState>,
        observer: &mut dyn Observer<K>,
    ) -> Result<Self, TrainingError> {
        let (run, settings) = (run.dir, run.settings);
        let resume = saved.as_ref().map(|state| resume_steps(state, kind.steps()));
        let state = saved.clone().unwrap_or_default();
        kind.warm_up_from(state.warm_up_from);
        let (metrics, failures) = Metrics::open(&run, resume);
        let mut training = Self {
            rules: K::rules(&settings),
            device: K::device(&settings)?,
            origin: commit::origin(&files::read(&run.config())?),
            run,
            settings,
            state,
            venue: Box::new(Here),
            kind,
            metrics,
        };
        training.warn(observer, failures);
        match saved {
            Some(_) => {
                // A run may have been killed after its state was written and before this.
                training.prune_checkpoints()?;
                training.load_window()?;
            }
            None => training.commit()?,
        }
        let directory = training.run.path().to_path_buf();
        let event = Event::Started {
            directory: &directory,
            generation: training.state.generation,
            note: training.kind.note(),
        };
        training.emit(observer, &event);
        Ok(training)
    }

    /// The same run, with its games played at `venue` instead of in this process.
    #[must_use]
    pub fn at(self, venue: Box<dyn Venue<K>>) -> Self {
        Self { venue, ..self }
    }

    /// The run's state after the last finished generation.
    pub const fn state(&self) -> &RunState {
        &self.state
    }

    /// The network in training.
    pub const fn kind(&self) -> &K {
        &self.kind
    }

    /// Works until a limit is reached or `stop` is set. [`Training::resume`] continues it, whatever ended it.
    ///
    /// # Errors
    /// If something fails that a run cannot continue without. It can be resumed from its last finished generation.
    pub fn run(mut self, observer: &mut dyn Observer<K>, stop: &AtomicBool) -> Result<Ended, TrainingError> {
        let ended = loop {
            // A refit begins where the limits of the run may be reached.
            let limit = match self.refitted() {
                Some(_) => None,
                None => progress::reached(self.settings.sections().limits, &self.state),
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
    fn generation(&mut self, observer: &mut dyn Observer<K>, stop: &AtomicBool) -> Result<bool, TrainingError> {
        if let Some(done) = self.refitted() {
            return self.refit_generation(done, observer, stop);
        }
        let begin = Moment::now();
        let generation = self.state.generation + 1;
        let counters = Counters::default();
        let games = self.settings.sections().games;
        let Some(played) = self.play(Purpose::Selfplay, generation, games, &counters, observer, stop)? else {
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
            self.kind.add(&records);
            games.extend(records);
        }
        self.kind.trim(&self.settings, &mut next);
        let openings = self.openings(generation, Purpose::Selfplay, &games)?;
        drop(games);

        self.kind.follow(self.settings.learner());
        if self
            .state
            .refit_from
            .map(|from| from + self.settings.sections().refit.generations)
            == Some(self.state.generation)
        {
            // The rate of a refit has fallen; the rate of a continued run is higher.
            next.warm_up_from = self.kind.steps();
            self.kind.warm_up_from(next.warm_up_from);
        }
        let pace = self.pace(&next);
        let Some(learned) = self.learn(generation, &pace, observer, stop)? else {
            return Ok(false);
        };
        next.last_milliseconds = played.earlier_milliseconds + begin.elapsed().as_millis() as u64;

        // No figure where all games were found: 0 a second would be as false as what they took before.
        let figure = |value: f64| if played.games > 0 { value } else { f64::NAN };
        let rate = |count: u64| figure(count as f64 / selfplay_seconds);
        let searched = rate(counters.evaluations.load(Ordering::Relaxed));
        let by_nodes = K::counts_nodes(&self.settings, generation);
        let [evaluations_per_second, nodes_per_second, mean_batch] = match by_nodes {
            true => [f64::NAN, searched, f64::NAN],
            false => [searched, f64::NAN, figure(counters.mean_batch())],
        };
        let summary = Summary {
            tally: openings.total,
            random_openings: openings.random_openings,
            mean_plies: openings.mean_plies.unwrap_or(f64::NAN),
            by_heuristic: generation <= self.settings.sections().heuristic_generations,
            new_rows: next.rows - self.state.rows,
            selfplay_seconds,
            games_per_second: rate(played.games),
            positions_per_second: rate(played.plies),
            evaluations_per_second,
            mean_batch,
            nodes_per_second,
            ..learned
        };
        self.finish(next, summary, observer)?;
        Ok(true)
    }

    /// Makes a generation final whose games, if it has some, were played and learned.
    fn finish(
        &mut self,
        mut next: RunState,
        summary: Summary,
        observer: &mut dyn Observer<K>,
    ) -> Result<(), TrainingError> {
        next.samples += summary.steps * u64::from(self.settings.learner().batch);
        next.milliseconds += next.last_milliseconds;
        let (window_rows, window_bytes) = self.kind.window();
        let summary = Summary {
            generation: next.generation,
            window_rows,
            window_bytes,
            checkpoint: shard::generation_folder(next.generation),
            minutes: next.milliseconds as f64 / 60_000.0,
            ..summary
        };
        self.record_selfplay(&summary, observer);
        self.state = next;
        self.commit()?;
        self.emit(observer, &Event::Generation(&summary));
        Ok(())
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
