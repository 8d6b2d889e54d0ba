//! The loop: generations of self-play, learning and saving, until a limit is reached.
//!
//! A generation becomes final at one moment, when `state.json` is replaced. Everything before that moment can be done
//! again with the same result: games are derived from the seed, the learner goes on from the last checkpoint. So a run
//! can be killed at any time, and goes on as if it had not been. Shards that were written are kept and not played
//! again.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use chase_models::checkpoint::{self, Checkpoint};
use chase_models::inference::InferenceError;
use chase_models::manifest::{CheckpointError, FileFacts, Manifest, Origin, Progress};
use chase_models::{InferenceNetwork, Precision};
use rayon::{ThreadPool, ThreadPoolBuilder};
use tch::Device;

use crate::config::{Config, ConfigError, PrecisionChoice};
use crate::events::{Ended, EvaluationRequest, Event, Observer, Summary};
use crate::files::{self, FileError};
use crate::game_record::{GameRecord, Purpose};
use crate::learner::{LearnError, Learner, Losses, StateError};
use crate::metrics::{Metrics, Part, Record, ResumeSteps};
use crate::openings::Openings;
use crate::replay::shard::{self, Origin as ShardOrigin, ShardError, ShardId};
use crate::replay::{BatchMaker, Buffer, window_rows};
use crate::run_dir::{Meta, RunDir, RunDirError, unix_seconds};
use crate::run_state::{RunState, RunStateError};
use crate::seed::{self, Stream};
use crate::selfplay::{self, Counters, Group, NetworkEvaluator, SelfplayError, Settings};
use crate::trainable::Trainable;

/// Steps of the learner that make one record of the metrics.
const STEPS_A_RECORD: u64 = 20;

/// Why a run cannot begin or go on. Nothing that was finished is lost.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum TrainingError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    State(#[from] RunStateError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error(transparent)]
    LearnerState(#[from] StateError),
    #[error(transparent)]
    Selfplay(#[from] SelfplayError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    #[error(transparent)]
    Inference(#[from] InferenceError),
    #[error(transparent)]
    Device(#[from] chase_models::device::DeviceError),
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
    origin: Origin,
    state: RunState,
    learner: Learner,
    buffer: Buffer<G>,
    metrics: Metrics,
}

/// Name of the checkpoint after a generation.
pub fn checkpoint_name(generation: u64) -> String {
    format!("gen-{generation:06}")
}

impl<G: Trainable> Training<G> {
    /// Begins a run in a new directory.
    ///
    /// # Errors
    /// If the configuration is invalid or for another game, or the directory or device cannot be used.
    pub fn create(directory: &Path, config: Config, observer: &mut dyn Observer<G>) -> Result<Self, TrainingError> {
        let text = config
            .to_toml()
            .map_err(|error| TrainingError::Setup(error.to_string()))?;
        // Before the directory: a run that cannot begin should leave nothing behind.
        let device = chase_models::device::parse(&config.device)?;
        let run = RunDir::create(directory, &text, &Meta::new(G::NAME, G::RULES_VERSION, config.seed))?;
        Self::open(run, config, device, observer)
    }

    /// Goes on with the run in a directory, under a configuration from [`Config::resume`].
    ///
    /// # Errors
    /// If it is no run of this game, or in use, or what it holds is damaged.
    pub fn resume(directory: &Path, config: Config, observer: &mut dyn Observer<G>) -> Result<Self, TrainingError> {
        let device = chase_models::device::parse(&config.device)?;
        let (run, meta) = RunDir::resume(directory)?;
        if (meta.game.as_str(), meta.rules_version) != (G::NAME, G::RULES_VERSION) {
            return Err(TrainingError::Setup(format!(
                "{} is a run of {} (rules version {}), expected {} (rules version {})",
                directory.display(),
                meta.game,
                meta.rules_version,
                G::NAME,
                G::RULES_VERSION
            )));
        }
        Self::open(run, config, device, observer)
    }

    fn open(
        run: RunDir,
        config: Config,
        device: Device,
        observer: &mut dyn Observer<G>,
    ) -> Result<Self, TrainingError> {
        let encoding = G::encoding(&config);
        let precision = match config.precision {
            PrecisionChoice::Auto => Precision::fastest(device),
            PrecisionChoice::F32 => Precision::F32,
            PrecisionChoice::Bf16 => Precision::Bf16,
        };
        let pool = ThreadPoolBuilder::new().num_threads(config.thread_count()).build();
        let pool = pool.map_err(|error| TrainingError::Setup(error.to_string()))?;
        let mut rng = seed::generator(config.seed, Stream::Initialisation, 0, 0);
        let shape = G::shape(&encoding);
        let mut learner = Learner::new(&config.learner, &config.network, shape, device, &mut rng)?;
        let saved = RunState::read(&run.state())?;
        if let Some(state) = &saved {
            let folder = run.checkpoints().join(checkpoint_name(state.generation));
            let checkpoint = Checkpoint::<G>::load(&folder, device)?;
            let moments = checkpoint::load_optimizer(&folder, &checkpoint.manifest)?;
            learner.restore(&checkpoint.network, &moments, checkpoint.manifest.progress.steps)?;
        }
        let resume = saved.as_ref().map(|state| resume_steps(state, learner.steps()));
        let fresh = Part::ALL.map(|part| (part, 0));
        let (metrics, failures) = Metrics::open(&run.metrics(), &run.tensorboard(), &resume.unwrap_or(fresh));
        let commit = env!("CHASE_GIT_HASH");
        let dirty = if env!("CHASE_GIT_DIRTY") == "true" {
            "-dirty"
        } else {
            ""
        };
        let origin = Origin {
            config: Some(FileFacts::of(&files::read(&run.config())?).sha256),
            git: (!commit.is_empty()).then(|| format!("{commit}{dirty}")),
            parent: None,
        };
        let mut training = Self {
            rules: G::rules(&config),
            run,
            config,
            encoding,
            device,
            precision,
            pool,
            origin,
            state: saved.clone().unwrap_or_default(),
            learner,
            buffer: Buffer::default(),
            metrics,
        };
        for failure in failures {
            training.emit(observer, &Event::Warning(failure.to_string()));
        }
        match saved {
            Some(_) => training.load_window(observer),
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

    /// The run's state after the last finished generation.
    pub const fn state(&self) -> &RunState {
        &self.state
    }

    /// The learner.
    pub const fn learner(&self) -> &Learner {
        &self.learner
    }

    /// Works until a limit is reached or `stop` is set. Whatever ends it, [`Training::resume`] goes on.
    ///
    /// # Errors
    /// If something fails that a run cannot go on without. It can be resumed from its last finished generation.
    pub fn run(mut self, observer: &mut dyn Observer<G>, stop: &AtomicBool) -> Result<Ended, TrainingError> {
        let ended = loop {
            let limit = self.limit();
            if self.state.reported != Some(self.state.generation) && !self.report(limit.is_some(), observer, stop)? {
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
        self.emit(observer, &Event::Ended(ended));
        Ok(ended)
    }

    /// The limit that is reached. Of time: if more than half of a further generation would lie behind it.
    fn limit(&self) -> Option<Ended> {
        let limits = &self.config.limits;
        let minutes = (self.state.milliseconds + self.state.last_milliseconds / 2) as f64 / 60_000.0;
        if limits.generations > 0 && self.state.generation >= limits.generations {
            Some(Ended::Generations)
        } else if limits.minutes > 0.0 && minutes >= limits.minutes {
            Some(Ended::Minutes)
        } else {
            None
        }
    }

    /// The part of the run that is over when `part` of the next generation is.
    fn progress(&self, part: f64) -> f64 {
        let limits = &self.config.limits;
        let share = |done: f64, limit: f64| if limit > 0.0 { done / limit } else { 0.0 };
        let by_generations = share(self.state.generation as f64 + part, limits.generations as f64);
        by_generations.max(share(self.state.milliseconds as f64 / 60_000.0, limits.minutes))
    }

    /// One generation. Whether it was finished; otherwise the run was stopped.
    fn generation(&mut self, observer: &mut dyn Observer<G>, stop: &AtomicBool) -> Result<bool, TrainingError> {
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
        let mut games = Vec::new();
        for (shard, records) in played {
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
        let Some(learned) = self.learn(&next, observer, stop)? else {
            return Ok(false);
        };
        next.samples += learned.steps * u64::from(self.config.learner.batch);
        next.last_milliseconds = begin.elapsed().as_millis() as u64;
        next.milliseconds += next.last_milliseconds;

        let relaxed = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let summary = Summary {
            generation,
            tally: openings.total,
            mean_plies: openings.mean_plies,
            new_rows: next.rows - self.state.rows,
            window_rows: self.buffer.rows(),
            window_bytes: self.buffer.bytes() as u64,
            selfplay_seconds,
            learning_seconds: learning.elapsed().as_secs_f64(),
            evaluations_per_second: relaxed(&counters.evaluations) / selfplay_seconds,
            mean_batch: relaxed(&counters.evaluations) / relaxed(&counters.batches).max(1.0),
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

    /// Saves the learner and the state: from here on the generation is final.
    fn commit(&mut self) -> Result<(), TrainingError> {
        let generation = self.state.generation;
        let folder = self.run.checkpoints().join(checkpoint_name(generation));
        if folder.exists() {
            // Of a generation that never became final.
            fs::remove_dir_all(&folder).map_err(FileError::of("remove", &folder))?;
        }
        let progress = Progress {
            steps: self.learner.steps(),
            samples: self.state.samples,
            games: self.state.games,
        };
        let origin = Origin {
            parent: generation.checked_sub(1).map(checkpoint_name),
            ..self.origin.clone()
        };
        let manifest = Manifest::new::<G>(&self.encoding, &self.config.network, progress, origin)
            .map_err(|error| TrainingError::Setup(error.to_string()))?;
        checkpoint::save(&folder, manifest, self.learner.average(), &self.learner.state())?;
        self.state.write(&self.run.state())?;
        self.prune_checkpoints()
    }

    /// Removes checkpoints that the configuration does not keep.
    fn prune_checkpoints(&self) -> Result<(), TrainingError> {
        let keep = &self.config.checkpoints;
        let folder = self.run.checkpoints();
        for entry in fs::read_dir(&folder).map_err(FileError::of("read", &folder))? {
            let name = entry.map_err(FileError::of("read", &folder))?.file_name();
            let number = name
                .to_str()
                .and_then(|name| name.strip_prefix("gen-")?.parse::<u64>().ok());
            let Some(generation) = number else { continue };
            let newest = generation + keep.keep_last > self.state.generation;
            let milestone = keep.keep_every > 0 && generation.is_multiple_of(keep.keep_every);
            if !newest && !milestone {
                // Under another name first, so that no half of a checkpoint is ever taken for a whole one.
                let (old, doomed) = (folder.join(&name), folder.join(".removed.tmp"));
                if doomed.exists() {
                    fs::remove_dir_all(&doomed).map_err(FileError::of("remove", &doomed))?;
                }
                fs::rename(&old, &doomed).map_err(FileError::of("remove", &old))?;
                fs::remove_dir_all(&doomed).map_err(FileError::of("remove", &doomed))?;
            }
        }
        Ok(())
    }

    /// Plays the games of a generation, or takes those that an interrupted attempt has left, and writes the others.
    /// Groups in their order; `None` if stopped.
    #[allow(clippy::type_complexity, reason = "a list of shards and what is in them")]
    fn play(
        &mut self,
        purpose: Purpose,
        generation: u64,
        games: u32,
        counters: &Counters,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<Option<Vec<(ShardId, Vec<GameRecord<G>>)>>, TrainingError> {
        let folder = self.run.games();
        let mut done: Vec<(u32, ShardId, Vec<GameRecord<G>>)> = Vec::new();
        let mut missing = Vec::new();
        let mut found = 0;
        for group in selfplay::groups(games, self.config.selfplay.group_games) {
            match self.read_group(purpose, generation, &group) {
                Ok(Some((id, records))) => {
                    found += id.games;
                    done.push((group.number, id, records));
                }
                Ok(None) => missing.push(group),
                Err(error) => {
                    self.emit(
                        observer,
                        &Event::Warning(format!("{error}; its games are played again")),
                    );
                    missing.push(group);
                }
            }
        }
        let mut evaluators = Vec::new();
        for _ in 0..missing.len().min(self.config.thread_count()) {
            let network = InferenceNetwork::new(self.learner.average(), self.device, self.precision)?;
            evaluators.push(NetworkEvaluator::<G>::new(network, self.encoding.clone()));
        }
        let settings = Settings::<G>::new(&self.config, purpose, generation);
        let model = checkpoint_name(self.state.generation);
        let run_seed = self.config.seed;
        let finished = |group: &Group, records: Vec<GameRecord<G>>| -> Result<(), TrainingError> {
            let origin = ShardOrigin {
                generation,
                purpose,
                group: group.number,
                model: model.clone(),
                run_seed,
            };
            let id = shard::write(&folder, &origin, &records)?;
            done.push((group.number, id, records));
            Ok(())
        };
        let tick = || {
            observer.event(&Event::Playing {
                generation,
                purpose,
                games: found + counters.games.load(Ordering::Relaxed),
                of: games.into(),
                plies: counters.plies.load(Ordering::Relaxed),
                evaluations: counters.evaluations.load(Ordering::Relaxed),
            });
        };
        selfplay::play(&mut evaluators, &missing, &settings, stop, counters, finished, tick)?;
        let all = selfplay::groups(games, self.config.selfplay.group_games).len();
        if done.len() < all {
            return Ok(None);
        }
        done.sort_by_key(|&(number, ..)| number);
        Ok(Some(done.into_iter().map(|(_, id, records)| (id, records)).collect()))
    }

    /// The shard of a group, if it was written before.
    #[allow(clippy::type_complexity, reason = "a shard and what is in it")]
    fn read_group(
        &self,
        purpose: Purpose,
        generation: u64,
        group: &Group,
    ) -> Result<Option<(ShardId, Vec<GameRecord<G>>)>, ShardError> {
        let folder = self.run.games();
        let Some(name) = shard::find(&folder, generation, purpose, group.number)? else {
            return Ok(None);
        };
        let records = shard::read::<G>(&folder, &name, &self.rules)?;
        let rows = records.iter().map(|record| record.rows() as u64).sum();
        // A group of other games, after a change of the number of games: not what this run would play.
        if !records.iter().map(|record| record.index).eq(group.games.clone()) {
            return Ok(None);
        }
        Ok(Some((
            ShardId {
                name,
                games: records.len() as u64,
                rows,
            },
            records,
        )))
    }

    /// Trains on the window until every row of `next` was used as often as it should be. Means over the steps; `None`
    /// if stopped.
    fn learn(
        &mut self,
        next: &RunState,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<Option<Summary>, TrainingError> {
        let batch = self.config.learner.batch as usize;
        // From the totals, so that no rounding adds up over generations.
        let wanted = (next.rows as f64 * self.config.replay.reuse / batch as f64) as u64;
        let steps = wanted.saturating_sub(self.learner.steps());
        let generation = next.generation;
        let mut rng = seed::generator(self.config.seed, Stream::Replay, generation, 0);
        let rows = self.buffer.draw(steps as usize * batch, &mut rng);
        let maker = BatchMaker::<G>::new(self.encoding.clone(), &self.config.learner);
        let progress: Vec<f64> = (0..steps)
            .map(|step| self.progress(step as f64 / steps as f64))
            .collect();
        let (pool, buffer, learner) = (&self.pool, &self.buffer, &mut self.learner);
        let (sender, batches) = sync_channel(2);
        let mut means = Means::default();
        let mut records = Vec::new();
        let finished = std::thread::scope(|scope| {
            // Makes the next batches while the learner works on this one.
            scope.spawn(move || {
                for rows in rows.chunks_exact(batch) {
                    let made = pool.install(|| maker.make(buffer, rows));
                    if sender.send(made).is_err() {
                        break;
                    }
                }
            });
            let begin = Instant::now();
            let mut since = Means::default();
            for (step, batch) in (1..).zip(batches) {
                if stop.load(Ordering::Relaxed) {
                    return Ok(false);
                }
                let report = learner.step(&batch, progress[step as usize - 1])?;
                for means in [&mut means, &mut since] {
                    means.add(&report);
                }
                observer.event(&Event::Learning {
                    generation,
                    step,
                    of: steps,
                    losses: report.losses,
                });
                if since.steps == STEPS_A_RECORD || step == steps {
                    let seen = step as f64 * batch.rows as f64 / begin.elapsed().as_secs_f64();
                    records.push((learner.steps(), since.values(seen)));
                    since = Means::default();
                }
            }
            Ok::<_, LearnError>(true)
        })?;
        if !finished {
            return Ok(None);
        }
        for (step, values) in records {
            self.record(Part::Learner, generation, step, values, observer);
        }
        Ok(Some(means.summary()))
    }

    /// Shortens the window to what it should hold after the games of `next`.
    fn trim_window(&mut self, next: &mut RunState) {
        let rows = window_rows(&self.config.replay, next.rows);
        self.buffer.trim(rows, self.config.replay.max_mib << 20);
        next.trim_shards(self.buffer.rows());
    }

    /// Reads the window back from its shards.
    fn load_window(&mut self, observer: &mut dyn Observer<G>) {
        let mut state = self.state.clone();
        state
            .shards
            .retain(|id| match shard::read::<G>(&self.run.games(), &id.name, &self.rules) {
                Ok(records) => {
                    self.buffer.add(&records);
                    true
                }
                Err(error) => {
                    let text = format!("{error}; the run goes on without its games, and is no longer exactly the same");
                    self.emit(observer, &Event::Warning(text));
                    false
                }
            });
        self.trim_window(&mut state);
        self.state = state;
    }

    /// Measures and evaluates the newest network, if it is due. Whether it was finished; otherwise it was stopped.
    fn report(&mut self, last: bool, observer: &mut dyn Observer<G>, stop: &AtomicBool) -> Result<bool, TrainingError> {
        let generation = self.state.generation;
        let begin = Instant::now();
        let due = |every: u64| every > 0 && (last || generation.is_multiple_of(every));
        if due(self.config.measurement.every) {
            let games = self.config.measurement.games;
            let played = self.play(
                Purpose::Measurement,
                generation,
                games,
                &Counters::default(),
                observer,
                stop,
            )?;
            let Some(played) = played else {
                return Ok(false);
            };
            let games: Vec<_> = played.into_iter().flat_map(|(_, records)| records).collect();
            let openings = self.openings(generation, Purpose::Measurement, &games)?;
            self.emit(observer, &Event::Measured(&openings));
        }
        if due(self.config.evaluation.every) {
            let result = observer.evaluate(&EvaluationRequest {
                generation,
                checkpoint: &self.run.checkpoints().join(checkpoint_name(generation)),
                network: self.learner.average(),
                encoding: &self.encoding,
                rules: &self.rules,
                device: self.device,
                precision: self.precision,
                config: &self.config,
                seed: seed::number(self.config.seed, Stream::Evaluation, generation, 0),
                stop,
            });
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            match result {
                Ok(values) => {
                    self.emit(
                        observer,
                        &Event::Evaluated {
                            generation,
                            values: &values,
                        },
                    );
                    self.record(Part::Evaluation, generation, generation, values, observer);
                }
                Err(error) => self.emit(observer, &Event::Warning(format!("evaluation failed: {error}"))),
            }
        }
        self.state.reported = Some(generation);
        self.state.milliseconds += begin.elapsed().as_millis() as u64;
        self.state.write(&self.run.state())?;
        Ok(true)
    }

    /// Counts openings and writes them down.
    fn openings(&self, generation: u64, purpose: Purpose, games: &[GameRecord<G>]) -> Result<Openings, TrainingError> {
        let model = checkpoint_name(self.state.generation);
        let openings = Openings::new(&self.rules, generation, purpose.name(), &model, games);
        let text = serde_json::to_string_pretty(&openings).map_err(|error| TrainingError::Setup(error.to_string()))?;
        let path = |ending: &str| {
            let name = format!("{}-{}.{ending}", checkpoint_name(generation), purpose.name());
            self.run.openings().join(name)
        };
        files::write_whole(&path("json"), text.as_bytes())?;
        files::write_whole(&path("csv"), openings.to_csv().as_bytes())?;
        Ok(openings)
    }

    fn record_selfplay(&mut self, summary: &Summary, observer: &mut dyn Observer<G>) {
        let tally = &summary.tally;
        let games = tally.games.max(1) as f64;
        let values = [
            ("selfplay/games_per_s", games / summary.selfplay_seconds),
            (
                "selfplay/positions_per_s",
                games * summary.mean_plies / summary.selfplay_seconds,
            ),
            ("selfplay/ply_mean", summary.mean_plies),
            ("selfplay/draw_rate", tally.draws as f64 / games),
            ("selfplay/truncated_rate", tally.truncated as f64 / games),
            (
                "selfplay/first_player_score",
                tally.first_player_score().unwrap_or(f64::NAN),
            ),
            ("inference/evals_per_s", summary.evaluations_per_second),
            ("inference/batch_mean", summary.mean_batch),
            ("replay/rows", summary.window_rows as f64),
            ("replay/mib", summary.window_bytes as f64 / f64::from(1 << 20)),
            ("replay/new_rows", summary.new_rows as f64),
            ("time/minutes", summary.minutes),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        self.record(Part::Selfplay, summary.generation, summary.generation, values, observer);
        let failures = self.metrics.flush();
        self.warn(observer, failures);
    }

    fn record(
        &mut self,
        part: Part,
        generation: u64,
        step: u64,
        values: Vec<(String, f64)>,
        observer: &mut dyn Observer<G>,
    ) {
        let failures = self.metrics.write(&Record {
            part,
            generation,
            step,
            time: unix_seconds(),
            values,
        });
        self.warn(observer, failures);
    }

    fn warn(&self, observer: &mut dyn Observer<G>, failures: Vec<crate::metrics::MetricsError>) {
        for failure in failures {
            self.emit(observer, &Event::Warning(failure.to_string()));
        }
    }

    fn emit(&self, observer: &mut dyn Observer<G>, event: &Event<'_>) {
        // A log that cannot be written must not stop a run, and there is no other place to say so.
        let _ = self.run.log(&event.to_string());
        observer.event(event);
    }
}

/// From which steps on records are void when a run goes on from `state`.
fn resume_steps(state: &RunState, steps: u64) -> ResumeSteps {
    [
        (Part::Selfplay, state.generation + 1),
        (Part::Learner, steps + 1),
        (Part::Evaluation, state.reported.map_or(0, |reported| reported + 1)),
    ]
}

/// Means over steps of the learner.
#[derive(Clone, Debug, Default)]
struct Means {
    steps: u64,
    sum: Losses,
    gradient_norm: f64,
    rate: f64,
}

impl Means {
    fn add(&mut self, report: &crate::learner::StepReport) {
        self.steps += 1;
        self.sum = self.sum + report.losses;
        self.gradient_norm += report.gradient_norm;
        self.rate = report.rate;
    }

    fn values(&self, samples_per_second: f64) -> Vec<(String, f64)> {
        let count = self.steps.max(1) as f64;
        let losses = self.sum / count;
        let values = [
            ("loss/total", losses.total),
            ("loss/policy", losses.policy),
            ("loss/value", losses.value),
            ("loss/occupancy", losses.occupancy),
            ("loss/plies_left", losses.plies_left),
            ("loss/dice_difference", losses.dice_difference),
            ("policy/target_entropy", losses.target_entropy),
            ("policy/kl_to_target", losses.policy - losses.target_entropy),
            ("learner/grad_norm", self.gradient_norm / count),
            ("learner/lr", self.rate),
            ("learner/samples_per_s", samples_per_second),
        ];
        values.map(|(name, value)| (name.to_owned(), value)).into()
    }

    fn summary(&self) -> Summary {
        Summary {
            steps: self.steps,
            losses: self.sum / self.steps.max(1) as f64,
            rate: self.rate,
            ..Summary::default()
        }
    }
}
