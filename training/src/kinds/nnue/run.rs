//! The loop: generations of self-play, learning and saving, until a limit is reached.
//!
//! As for residual networks, a generation becomes final when `state.json` is replaced, and everything before that moment
//! can be done again with the same result.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::events::Ended;
use crate::game_record::{GameRecord, GroupOrigin, Purpose};
use crate::metrics::{Metrics, MetricsError, ResumeSteps, RunPart};
use crate::openings::{HEURISTIC, OpeningStatistics};
use crate::replay::shard::{self, ShardError, ShardId};
use crate::selfplay::{self, Counters, Group};
use crate::settings::ConfigError;
use crate::store::OpenRun;
use crate::store::files::{self, FileError};
use crate::store::run_dir::{RunDir, RunDirError};
use crate::store::run_state::RunState;
use crate::store::serialised::{json, pretty_json};
use crate::training_loop::progress::{progress, reached};
use chase_engine::alpha_beta::ByGame;
use chase_engine::{Chase, Game};
use chase_models::manifest::FileFacts;
use chase_nnue::{Kernel, LineEvaluator, Network, WeightsError};

use super::checkpoint::{self, CheckpointError};
use super::config::Config;
use super::events::{Event, Observer, Summary};
use super::heuristic;
use super::learner::{LearnError, Learner, quantised_loss};
use super::rows::{DataError, DataFacts, Pool, RowMaker, Rows, read_data};
use super::selfplay::{Settings, play};

/// Steps of the learner that make one record of the metrics.
const STEPS_A_RECORD: u64 = 50;
/// The list of the games of `data`.
const DATA_FILE: &str = "data.json";

/// Error returned by a run that cannot begin or continue. Nothing that was finished is lost.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum RunError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Data(#[from] DataError),
    #[error("there is nothing to learn from: no searched position in the games, or all of them are held out")]
    NoRows,
}

impl From<std::convert::Infallible> for RunError {
    fn from(never: std::convert::Infallible) -> Self {
        match never {}
    }
}

/// A run in progress.
#[derive(Debug)]
pub struct Run {
    run: RunDir,
    config: Config,
    state: RunState,
    learner: Learner,
    maker: RowMaker,
    pool: Pool,
    data: Vec<DataFacts>,
    /// What the run began with, if not with random weights.
    start: Option<String>,
    metrics: Metrics,
}

/// Games of a generation, in the order of their groups.
struct Played {
    shards: Vec<(ShardId, Rows, Vec<GameRecord<Chase>>)>,
    /// The checkpoint that played, or `heuristic`.
    model: String,
    seconds: f64,
    nodes: u64,
}

impl Run {
    /// Begins a run in a new directory.
    ///
    /// # Errors
    /// If `data` cannot be read or has no games, or the directory cannot be used.
    pub fn create(directory: &Path, config: Config, observer: &mut Observer<'_>) -> Result<Self, RunError> {
        let maker = RowMaker::new(&config);
        // Before the directory: a run that cannot begin should leave nothing behind.
        let (data, rows) = Self::read(&config, None, &maker)?;
        let (learner, start) = checkpoint::first(&config)?;
        let facts = pretty_json(&data);
        let files = [(DATA_FILE, facts.as_bytes())];
        let run = OpenRun::create(directory, config, &RunDir::TRAINING, &files)?;
        Self::open(run, (learner, start), (data, rows), None, observer)
    }

    /// Continues the run in a directory, under a configuration from [`Settings::changed`](crate::settings::Settings::changed), which becomes the run's.
    ///
    /// # Errors
    /// If it is no such run, or in use, or what it holds is damaged, or games of `data` are missing.
    pub fn resume(directory: &Path, config: Config, observer: &mut Observer<'_>) -> Result<Self, RunError> {
        let run = OpenRun::resume(directory, |_, _| Ok::<_, RunError>(config))?;
        let known: Vec<DataFacts> = files::read_json(&directory.join(DATA_FILE))?;
        let state = RunState::of(&run.dir)?;
        let change = Self::change_by_hand(&run, state.as_ref())?;
        let maker = RowMaker::new(&run.settings);
        let found = Self::read(&run.settings, Some(&known), &maker)?;
        run.write_settings()?;
        let (learner, start) = if let Some(state) = &state {
            let mut learner = Learner::new(&run.settings)?;
            let start = checkpoint::load(&run.dir.checkpoint(state.generation), &mut learner)?;
            (learner, start)
        } else {
            checkpoint::first(&run.settings)?
        };
        let opened = Self::open(run, (learner, start), found, state, observer)?;
        if let Some(change) = change {
            opened.emit(observer, &Event::Warning(change));
        }
        Ok(opened)
    }

    /// Refuses a `config.toml` that has lost keys since the newest checkpoint, or since the run began. Another change
    /// is returned as text.
    fn change_by_hand(run: &OpenRun<Config>, state: Option<&RunState>) -> Result<Option<String>, RunError> {
        let (since, sha256) = match state {
            Some(state) => (
                shard::generation_folder(state.generation),
                checkpoint::config_sha256(&run.dir.checkpoint(state.generation))?,
            ),
            None => ("the run began".to_owned(), run.meta.config.clone()),
        };
        Ok(run.change_by_hand(&since, sha256.as_deref())?)
    }

    fn read(
        config: &Config,
        known: Option<&[DataFacts]>,
        maker: &RowMaker,
    ) -> Result<(Vec<DataFacts>, Vec<Rows>), RunError> {
        let one = |(place, path): (usize, &PathBuf)| {
            let known = known.and_then(|known| known.get(place));
            Ok(read_data(path, known, &config.rules(), maker)?)
        };
        config.data.iter().enumerate().map(one).collect()
    }

    fn open(
        run: OpenRun<Config>,
        (learner, start): (Learner, Option<String>),
        (data, rows): (Vec<DataFacts>, Vec<Rows>),
        saved: Option<RunState>,
        observer: &mut Observer<'_>,
    ) -> Result<Self, RunError> {
        let (run, config) = (run.dir, run.settings);
        let state = saved.clone().unwrap_or_default();
        let resume: ResumeSteps = [
            (RunPart::Selfplay, state.generation + 1),
            (RunPart::Learner, learner.steps() + 1),
            (RunPart::Evaluation, state.generation + 1),
        ];
        let (metrics, failures) = Metrics::open(&run, saved.is_some().then_some(resume));
        let maker = RowMaker::new(&config);
        let mut opened = Self {
            run,
            config,
            state,
            learner,
            maker,
            pool: Pool {
                data: rows,
                ..Pool::default()
            },
            data,
            start,
            metrics,
        };
        opened.warn(observer, failures);
        if saved.is_none() {
            opened.commit()?;
        }
        for id in opened.state.shards.clone() {
            let records = shard::read::<Chase>(&opened.run.games(), &id.name, &opened.config.rules())?.records;
            opened.pool.window.push_back(opened.rows(&records));
        }
        // A run may have been killed after its state was written and before this.
        opened.prune()?;
        let directory = opened.run.path().to_owned();
        let event = Event::Started {
            directory: &directory,
            generation: opened.state.generation,
            start: opened.start.as_deref(),
            rows: opened.pool.data.iter().map(|rows| rows.learned.len() as u64).sum(),
            validation_rows: opened.pool.data.iter().map(|rows| rows.held_out.len() as u64).sum(),
        };
        opened.emit(observer, &event);
        Ok(opened)
    }

    fn rows(&self, records: &[GameRecord<Chase>]) -> Rows {
        let mut rows = Rows::default();
        for record in records {
            self.maker.add(record, &mut rows);
        }
        rows
    }

    /// Works until a limit is reached or `stop` is set. [`Run::resume`] continues it, whatever ended it.
    ///
    /// # Errors
    /// If something fails that a run cannot continue without. It can be resumed from its last finished generation.
    pub fn run(mut self, observer: &mut Observer<'_>, stop: &AtomicBool) -> Result<Ended, RunError> {
        let ended = loop {
            if let Some(limit) = reached(&self.config.limits, &self.state) {
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

    /// One generation. False if it was stopped before its end.
    fn generation(&mut self, observer: &mut Observer<'_>, stop: &AtomicBool) -> Result<bool, RunError> {
        let begin = Instant::now();
        let generation = self.state.generation + 1;
        let Some(played) = self.play(generation, observer, stop)? else {
            return Ok(false);
        };
        let mut next = self.state.clone();
        next.generation = generation;
        let mut summary = Summary {
            generation,
            nodes_per_second: match played.nodes {
                0 => f64::NAN,
                nodes => nodes as f64 / played.seconds,
            },
            ..Summary::default()
        };
        let mut all = Vec::new();
        let mut new_rows = 0;
        for (id, rows, records) in played.shards {
            all.extend(records);
            new_rows += id.rows;
            next.games += id.games;
            next.rows += id.rows;
            next.shards.push(id);
            self.pool.window.push_back(rows);
        }
        let mut plies = 0;
        for record in &all {
            summary.tally.add(record.outcome);
            plies += record.plies.len();
        }
        summary.mean_plies = plies as f64 / summary.tally.games as f64;
        if !all.is_empty() {
            let purpose = Purpose::Selfplay.name();
            OpeningStatistics::new(&self.config.rules(), generation, purpose, &played.model, &all)
                .write(&self.run.openings())?;
        }
        drop(all);
        self.pool.trim(self.config.replay.window_rows);
        let kept = self.pool.window.len();
        next.shards.drain(..next.shards.len() - kept);
        summary.rows = self.pool.learned();
        if summary.rows == 0 {
            return Err(RunError::NoRows);
        }
        if !self.learn(&mut summary, new_rows, observer, stop)? {
            return Ok(false);
        }
        next.samples += summary.steps * u64::from(self.config.learner.batch);
        summary.validation_loss = self.learner.loss(self.pool.held_out().map(|(_, row)| row))?;
        let network = Network::quantise(&self.learner.weights()?)?;
        summary.quantised_loss = quantised_loss(&network, self.pool.held_out());
        next.last_milliseconds = begin.elapsed().as_millis() as u64;
        next.milliseconds += next.last_milliseconds;
        next.reported = Some(generation);
        summary.minutes = next.milliseconds as f64 / 60_000.0;
        self.record(&summary, observer);
        self.state = next;
        self.commit()?;
        self.prune()?;
        self.emit(observer, &Event::Generation(&summary));
        Ok(true)
    }

    /// Plays the games of a generation, or takes those that an interrupted attempt has left. `None` if stopped.
    fn play(
        &mut self,
        generation: u64,
        observer: &mut Observer<'_>,
        stop: &AtomicBool,
    ) -> Result<Option<Played>, RunError> {
        let begin = Instant::now();
        let (folder, rules) = (self.run.games(), self.config.rules());
        let groups = selfplay::groups(self.config.selfplay.games, self.config.selfplay.group_games);
        let all = groups.len();
        let by_network = self.config.network.start.is_some() || generation > self.config.selfplay.heuristic_generations;
        let network = match by_network {
            true => Some(checkpoint::network(&self.run.checkpoint(generation - 1))?),
            false => None,
        };
        let model = match network {
            Some(_) => shard::generation_folder(generation - 1),
            None => HEURISTIC.to_owned(),
        };
        let origin = |group: &Group| GroupOrigin {
            game: Chase::NAME,
            generation,
            purpose: Purpose::Selfplay,
            group: group.number,
            model: model.clone(),
            run_seed: self.config.seed,
            rules: json(&self.config.rules),
            encoding: format!("\"nnue inputs {}\"", chase_nnue::features::FEATURES_VERSION),
            config_sha256: self.config.games_sha256(),
        };
        let (mut done, mut missing, mut found) = (Vec::new(), Vec::new(), 0);
        for group in groups {
            let warn = |text| self.emit(observer, &Event::Warning(text));
            match shard::of_group::<Chase>(&folder, &rules, &origin(&group), false, group.games.clone(), warn)? {
                Some((id, records)) => {
                    found += id.games;
                    done.push((group.number, id.name, records));
                }
                None => missing.push(group),
            }
        }
        let counters = Counters::default();
        let finished = |group: &Group, records: Vec<GameRecord<Chase>>| -> Result<(), RunError> {
            let id = shard::write(&folder, &origin(group), &records)?;
            done.push((group.number, id.name, records));
            Ok(())
        };
        let tick = || {
            observer(&Event::Playing {
                generation,
                games: found + counters.games.load(Ordering::Relaxed),
                of: self.config.selfplay.games.into(),
            });
        };
        let settings = Settings::new(&self.config, generation);
        let threads = self.config.thread_count();
        match &network {
            Some(network) => {
                let evaluator = || LineEvaluator::new(network, Kernel::best());
                play(evaluator, threads, &missing, &settings, stop, &counters, finished, tick)?;
            }
            None => {
                let evaluator = || ByGame(heuristic::value);
                play(evaluator, threads, &missing, &settings, stop, &counters, finished, tick)?;
            }
        }
        if done.len() < all {
            return Ok(None);
        }
        done.sort_by_key(|&(number, ..)| number);
        let shards = done.into_iter().map(|(_, name, records)| {
            let rows = self.rows(&records);
            let id = ShardId {
                name,
                games: records.len() as u64,
                // A shard's own rows have policies, which these games do not.
                rows: (rows.learned.len() + rows.held_out.len()) as u64,
            };
            (id, rows, records)
        });
        Ok(Some(Played {
            shards: shards.collect(),
            model,
            seconds: begin.elapsed().as_secs_f64(),
            nodes: counters.evaluations.load(Ordering::Relaxed),
        }))
    }

    /// The learner's part of a generation. False if it was stopped.
    fn learn(
        &mut self,
        summary: &mut Summary,
        new_rows: u64,
        observer: &mut Observer<'_>,
        stop: &AtomicBool,
    ) -> Result<bool, RunError> {
        let begin = Instant::now();
        let generation = summary.generation;
        let batch = self.config.learner.batch as usize;
        let steps = self.config.learner.rows / batch as u64;
        let mut rng = chase_engine::seed::named("nnue-replay", &[self.config.seed, generation]);
        let (mut drawn, mut records) = (Vec::new(), Vec::new());
        let (mut sum, mut since) = (0.0, 0.0);
        for step in 1..=steps {
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
            self.pool.draw(batch, &mut rng, &mut drawn);
            let part = (step - 1) as f64 / steps as f64;
            let part = progress(&self.config.limits, &self.state, new_rows, part);
            let report = self.learner.step(&drawn, part)?;
            sum += report.loss;
            since += report.loss;
            observer(&Event::Learning {
                generation,
                step,
                of: steps,
                loss: report.loss,
            });
            if step % STEPS_A_RECORD == 0 || step == steps {
                let count = (step - 1) % STEPS_A_RECORD + 1;
                let values = [
                    ("loss/value", since / count as f64),
                    ("learner/lr", report.rate),
                    ("learner/grad_norm", report.gradient_norm),
                ];
                records.push((self.learner.steps(), values));
                since = 0.0;
            }
        }
        for (step, values) in records {
            let failures = self.metrics.record(RunPart::Learner, generation, step, values);
            self.warn(observer, failures);
        }
        summary.steps = steps;
        summary.loss = sum / steps as f64;
        summary.rows_per_second = (steps * batch as u64) as f64 / begin.elapsed().as_secs_f64();
        Ok(true)
    }

    /// Saves the learner and the state: from here on the generation is final.
    fn commit(&mut self) -> Result<(), RunError> {
        let folder = self.run.new_checkpoint(self.state.generation)?;
        let config = files::read(&self.run.config())?;
        checkpoint::save(
            &folder,
            &self.learner,
            &checkpoint::NetworkProvenance::new(
                FileFacts::of(&config).sha256,
                &self.state,
                &self.data,
                self.start.as_deref(),
            ),
        )?;
        // First: the figures of what the state calls done must not be lost. A failure was reported where it was written.
        drop(self.metrics.flush());
        Ok(self.state.write(&self.run.state())?)
    }

    /// Removes checkpoints that the configuration does not keep.
    fn prune(&self) -> Result<(), RunError> {
        let keep = &self.config.checkpoints;
        Ok(self.run.prune_checkpoints(keep, self.state.generation, &[])?)
    }

    fn record(&mut self, summary: &Summary, observer: &mut Observer<'_>) {
        let tally = &summary.tally;
        let games = tally.games.max(1) as f64;
        let values = [
            ("selfplay/games", tally.games as f64),
            ("selfplay/ply_mean", summary.mean_plies),
            ("selfplay/draw_rate", tally.draws as f64 / games),
            ("selfplay/truncated_rate", tally.truncated as f64 / games),
            (
                "selfplay/first_player_score",
                tally.first_player_score().unwrap_or(f64::NAN),
            ),
            ("selfplay/nodes_per_s", summary.nodes_per_second),
            ("replay/rows", summary.rows as f64),
            ("time/minutes", summary.minutes),
        ];
        let generation = summary.generation;
        let failures = self.metrics.record(RunPart::Selfplay, generation, generation, values);
        self.warn(observer, failures);
        let values = [
            ("eval/validation_loss", summary.validation_loss),
            ("eval/quantised_loss", summary.quantised_loss),
        ];
        let failures = self.metrics.record(RunPart::Evaluation, generation, generation, values);
        self.warn(observer, failures);
    }

    fn warn(&self, observer: &mut Observer<'_>, failures: Vec<MetricsError>) {
        for failure in failures {
            self.emit(observer, &Event::Warning(failure.to_string()));
        }
    }

    fn emit(&self, observer: &mut Observer<'_>, event: &Event<'_>) {
        // A log that cannot be written must not stop a run, and there is no other place to say so.
        let _ = self.run.log(&event.to_string());
        observer(event);
    }
}
