//! The side of those who play: units are taken, played, and their games stored.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::{AckKind, kv};
use chase_models::Precision;
use chase_models::checkpoint::Checkpoint;
use chase_models::device::Device;
use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::replay::shard;
use chase_training::selfplay::{Counters, Group};
use chase_training::trainable::Trainable;
use chase_training::venue::{Here, Offer, Venue};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::arithmetic::Arithmetic;
use crate::cache::Cache;
use crate::error::{ClusterError, trouble};
use crate::roster::Roster;
use crate::server::{self, Server, UNITS, WORKERS};
use crate::unit::{Played, Unit};

/// Time after which a worker asks for a unit again, and between two looks whether it should stop.
const ASK: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(200);
/// Time between two attempts when something fails, and how often the games of a unit are tried to be stored.
const AGAIN: Duration = Duration::from_secs(2);
const ATTEMPTS: u32 = 300;
/// Attempts after which a run that the server does not know is over.
const WITHOUT_RUN: u32 = 10;

/// Plays the units of any number of runs.
#[derive(Debug)]
pub struct Worker {
    server: Server,
    device: Device,
    threads: usize,
    grace: Duration,
    name: String,
    /// Configurations and checkpoints.
    cache: Mutex<Cache>,
    /// Runs whose arithmetic differs, and troubles: each is reported once.
    reported: Mutex<HashSet<String>>,
    /// By precision.
    arithmetic: Mutex<BTreeMap<String, Arithmetic>>,
    units: AtomicU64,
    games: AtomicU64,
    /// Units that it has begun: no two results have the same name.
    begun: AtomicU64,
    roster: Roster,
}

/// What a worker does, for a person.
#[derive(Debug)]
pub enum Report<'a> {
    /// It has taken a unit.
    Taken(&'a Unit),
    /// It has played one and stored its games.
    Played {
        /// The unit.
        unit: &'a Unit,
        /// Its plies.
        plies: u64,
        /// Leaves that were evaluated for it.
        evaluations: u64,
        /// Seconds that it took.
        seconds: f64,
    },
    /// Something failed that it survives.
    Warning(String),
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(unit) => write!(f, "{unit}: {} games with {}", unit.games.len(), unit.model),
            Self::Played {
                unit,
                plies,
                evaluations,
                seconds,
            } => write!(
                f,
                "{unit}: {} games of {:.1} plies in {seconds:.1} s, {:.0} evaluations/s",
                unit.games.len(),
                *plies as f64 / unit.games.len().max(1) as f64,
                *evaluations as f64 / seconds.max(1e-3)
            ),
            Self::Warning(text) => write!(f, "warning: {text}"),
        }
    }
}

/// Plays a unit of the game of this configuration: [`Task::play`] for the right type. The content of its shard; `None` if it was
/// given up.
pub type Play = dyn Fn(&Config, &Task<'_>) -> Result<Option<Vec<u8>>, String> + Sync;

/// A unit to be played.
#[derive(Debug)]
pub struct Task<'a> {
    worker: &'a Worker,
    unit: &'a Unit,
    counters: &'a Counters,
    give_back: &'a AtomicBool,
}

/// Units and games that a worker has played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Units whose result counts.
    pub units: u64,
    /// Their games.
    pub games: u64,
}

/// A unit that was taken: the server gives it to another worker if it hears nothing of it.
struct Taken {
    content: Vec<u8>,
    acker: Arc<Acker>,
    silence: Duration,
}

impl Worker {
    /// A worker that plays on this many threads, each with a network of its own.
    ///
    /// When it is stopped it takes no more units, and finishes those that it has within `grace`; the others are given back.
    ///
    /// # Errors
    /// If the address or a file is wrong, or the server does not answer, refuses, or has no JetStream.
    pub fn connect(address: &Address, device: Device, threads: usize, grace: Duration) -> Result<Self, ClusterError> {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let host: String = host
            .chars()
            .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
            .collect();
        let name = format!("{host}-{}", std::process::id());
        let system = |action| move |source: io::Error| ClusterError::System { action, source };
        Ok(Self {
            server: Server::connect(address, &format!("chase worker {name}"))?,
            roster: Roster::new(&name, device, threads),
            device,
            threads,
            grace,
            name,
            cache: Mutex::new(Cache::new().map_err(system("create a temporary folder"))?),
            reported: Mutex::default(),
            arithmetic: Mutex::default(),
            units: AtomicU64::new(0),
            games: AtomicU64::new(0),
            begun: AtomicU64::new(0),
        })
    }

    /// Its name, which the results of its units carry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Plays units until `stop` is set.
    pub fn run(&self, play: &Play, stop: &AtomicBool, report: &(dyn Fn(&Report<'_>) + Sync)) -> Totals {
        let give_back = AtomicBool::new(false);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads)
                .map(|_| scope.spawn(|| self.serve(play, stop, &give_back, report)))
                .collect();
            let mut asked: Option<Instant> = None;
            while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
                if stop.load(Ordering::Relaxed) {
                    let over = asked.get_or_insert_with(Instant::now).elapsed() >= self.grace;
                    give_back.fetch_or(over, Ordering::Relaxed);
                }
                let [units, games] = [&self.units, &self.games].map(|count| count.load(Ordering::Relaxed));
                self.roster.keep(&self.server, units, games);
                thread::sleep(Duration::from_millis(50));
            }
        });
        self.roster.leave(&self.server);
        Totals {
            units: self.units.load(Ordering::Relaxed),
            games: self.games.load(Ordering::Relaxed),
        }
    }

    /// Plays one unit after the other.
    fn serve(&self, play: &Play, stop: &AtomicBool, give_back: &AtomicBool, report: &(dyn Fn(&Report<'_>) + Sync)) {
        while !stop.load(Ordering::Relaxed) {
            match self.server.wait(self.take(stop)) {
                Ok(None) => self.forget_trouble("server"),
                Ok(Some(taken)) => {
                    self.forget_trouble("server");
                    self.work(taken, play, stop, give_back, report);
                }
                Err(reason) => {
                    self.once("server", report, || {
                        format!("there is no work to be had: {reason}; asking again until there is")
                    });
                    pause(AGAIN, stop);
                }
            }
        }
    }

    /// Reports a warning that is not to be repeated.
    fn once(&self, about: &str, report: &(dyn Fn(&Report<'_>) + Sync), text: impl FnOnce() -> String) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.insert(about.to_owned()) {
            report(&Report::Warning(text()));
        }
    }

    fn forget_trouble(&self, about: &str) {
        self.reported
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(about);
    }

    /// The next unit; `None` if there was none for a while.
    async fn take(&self, stop: &AtomicBool) -> Result<Option<Taken>, String> {
        let consumer = self
            .server
            .context()
            .get_consumer_from_stream::<pull::Config, _, _>(WORKERS, UNITS)
            .await
            .map_err(trouble("find what learners offer"))?;
        let silence = consumer.cached_info().config.ack_wait;
        let batch = consumer.fetch().max_messages(1).expires(ASK).messages().await;
        let mut batch = batch.map_err(trouble("ask for a unit"))?;
        let begin = Instant::now();
        // A server that was restarted does not know that it was asked.
        while !stop.load(Ordering::Relaxed) && begin.elapsed() < ASK + LOOK {
            match timeout(LOOK, batch.next()).await {
                Err(_) => {}
                Ok(None) => break,
                Ok(Some(Err(error))) => return Err(trouble("take a unit")(error)),
                Ok(Some(Ok(message))) => {
                    let (message, acker) = message.split();
                    return Ok(Some(Taken {
                        content: message.payload.to_vec(),
                        acker: Arc::new(acker),
                        silence,
                    }));
                }
            }
        }
        Ok(None)
    }

    /// Plays a unit and stores its games.
    fn work(
        &self,
        taken: Taken,
        play: &Play,
        stop: &AtomicBool,
        give_back: &AtomicBool,
        report: &(dyn Fn(&Report<'_>) + Sync),
    ) {
        let warn = |text: String| report(&Report::Warning(text));
        let Taken {
            content,
            acker,
            silence,
        } = taken;
        let unit = match serde_json::from_slice::<Unit>(&content) {
            Ok(unit) if unit.is_sound() => unit,
            _ => {
                self.once("format", report, || {
                    "units of another version of this program are on the server; they are left to its workers".into()
                });
                self.server.wait(answer(&acker, AckKind::Nak(Some(AGAIN))));
                return pause(AGAIN, stop);
            }
        };
        let arithmetic = match self.arithmetic(unit.arithmetic.precision) {
            Ok(arithmetic) => arithmetic,
            Err(reason) => {
                warn(reason);
                self.server.wait(answer(&acker, AckKind::Nak(None)));
                return pause(AGAIN, stop);
            }
        };
        let differences = arithmetic.differences(&unit.arithmetic);
        if !unit.mixed && !differences.is_empty() {
            self.once(&unit.run, report, || {
                format!(
                    "run {} is left to others, since this machine would not play the same games: {differences}. `chase train \
                     --mixed` admits it",
                    unit.run
                )
            });
            self.server.wait(answer(&acker, AckKind::Nak(None)));
            return pause(AGAIN, stop);
        }
        let key = unit.key();
        if self.server.wait(self.has_result(&key)).unwrap_or(false) {
            self.server.wait(answer(&acker, AckKind::Ack));
            return;
        }
        report(&Report::Taken(&unit));
        // So that the server does not give it to another meanwhile.
        let signs = self.server.begin(signs_of_life(Arc::clone(&acker), silence));
        let begin = Instant::now();
        let counters = Arc::new(Counters::default());
        let in_work = self.roster.begin(&key, &counters);
        let task = Task {
            worker: self,
            unit: &unit,
            counters: &counters,
            give_back,
        };
        let played = self.cache().config(&self.server, &unit);
        let played = played.and_then(|config| play(&config, &task));
        let stored = played.and_then(|games| {
            let store = |games: Vec<u8>| self.store(&task, &key, &games, &arithmetic);
            games.map(store).transpose()
        });
        signs.abort();
        drop(in_work);
        match stored {
            Ok(Some(first)) => {
                self.server.wait(answer(&acker, AckKind::Ack));
                if first {
                    self.units.fetch_add(1, Ordering::Relaxed);
                    self.games.fetch_add(unit.games.len() as u64, Ordering::Relaxed);
                    report(&Report::Played {
                        unit: &unit,
                        plies: counters.plies.load(Ordering::Relaxed),
                        evaluations: counters.evaluations.load(Ordering::Relaxed),
                        seconds: begin.elapsed().as_secs_f64(),
                    });
                }
            }
            Ok(None) => self.server.wait(answer(&acker, AckKind::Nak(None))),
            Err(reason) => {
                warn(format!("{unit}: {reason}; the unit is given back"));
                self.server.wait(answer(&acker, AckKind::Nak(Some(AGAIN))));
                pause(AGAIN, stop);
            }
        }
    }

    /// This machine's arithmetic at a precision.
    fn arithmetic(&self, precision: Precision) -> Result<Arithmetic, String> {
        let mut known = self.arithmetic.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(arithmetic) = known.get(&precision.to_string()) {
            return Ok(arithmetic.clone());
        }
        let arithmetic = Arithmetic::here(self.device, precision)?;
        known.insert(precision.to_string(), arithmetic.clone());
        Ok(arithmetic)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn has_result(&self, key: &str) -> Result<bool, String> {
        let results = self.server.results().await?;
        let entry = results.get(key).await.map_err(trouble("look for a result"))?;
        Ok(entry.is_some())
    }

    /// Stores the games of a unit, and tries again while the server is lost. False if another worker was first.
    fn store(&self, task: &Task<'_>, key: &str, games: &[u8], arithmetic: &Arithmetic) -> Result<bool, String> {
        let Task {
            unit,
            counters,
            give_back,
            ..
        } = *task;
        let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        let played = Played {
            object: format!(
                "result/{key}/{}-{}",
                self.name,
                self.begun.fetch_add(1, Ordering::Relaxed)
            ),
            facts: FileFacts::of(games),
            worker: self.name.clone(),
            arithmetic: arithmetic.clone(),
            plies: number(&counters.plies),
            evaluations: number(&counters.evaluations),
            batches: number(&counters.batches),
            simulations: number(&counters.simulations),
        };
        let (mut attempts, mut without) = (0, 0);
        loop {
            match self.server.wait(self.try_to_store(unit, key, games, &played)) {
                Ok(first) => return Ok(first),
                Err(reason) if attempts == ATTEMPTS || give_back.load(Ordering::Relaxed) => return Err(reason),
                Err(_) => attempts += 1,
            }
            if self.server.wait(self.is_over(unit)) {
                without += 1;
            }
            if without == WITHOUT_RUN {
                return Ok(false);
            }
            pause(AGAIN, give_back);
        }
    }

    /// Whether the server answers and knows nothing of a unit's run: it is over, or its learner has yet to notice that the
    /// server has lost it.
    async fn is_over(&self, unit: &Unit) -> bool {
        self.server.objects(&unit.run).await.is_err() && self.server.context().query_account().await.is_ok()
    }

    async fn try_to_store(&self, unit: &Unit, key: &str, games: &[u8], played: &Played) -> Result<bool, String> {
        let objects = self.server.objects(&unit.run).await?;
        server::put(&objects, &played.object, games).await?;
        let text = serde_json::to_vec(played).map_err(trouble("write a result"))?;
        let results = self.server.results().await?;
        let error = match results.create(key, text.clone().into()).await {
            Ok(_) => return Ok(true),
            Err(error) => error,
        };
        if error.kind() != kv::CreateErrorKind::AlreadyExists {
            return Err(trouble("store a result")(error));
        }
        let entry = results.get(key).await.map_err(trouble("look for a result"))?;
        // The answer to an attempt of before may have been lost.
        if entry.is_some_and(|entry| entry == text) {
            return Ok(true);
        }
        // If this fails, the learner removes it.
        let _ = objects.delete(&played.object).await;
        Ok(false)
    }
}

impl Task<'_> {
    /// Plays the unit. The content of its shard; `None` if it was given up.
    ///
    /// # Errors
    /// The reason that it cannot be played.
    pub fn play<G: Trainable>(&self, config: &Config) -> Result<Option<Vec<u8>>, String> {
        let Self {
            worker, unit, counters, ..
        } = *self;
        // Loaded before another thread can remove it.
        let mut cache = worker.cache();
        let folder = cache.checkpoint(&worker.server, unit)?;
        let checkpoint = Checkpoint::<G>::load_for(config.game.name(), &folder, worker.device);
        drop(cache);
        let checkpoint = checkpoint.map_err(|error| error.to_string())?;
        if checkpoint.encoding != G::encoding(config) {
            return Err("the checkpoint has other planes than the configuration".into());
        }
        let group = unit.as_group();
        let offer = Offer {
            run: Path::new(""),
            config,
            purpose: unit.purpose,
            generation: unit.generation,
            groups: std::slice::from_ref(&group),
            checkpoint: Path::new(""),
            network: &checkpoint.network,
            encoding: &checkpoint.encoding,
            device: worker.device,
            precision: unit.arithmetic.precision,
            counters,
            stop: self.give_back,
        };
        let origin = offer.origin(&group, &unit.model);
        let mut content = None;
        let mut finished = |_: &Group, records: Vec<_>| {
            content = Some(shard::to_parquet::<G>(&origin, &records));
            Ok(())
        };
        Venue::<G>::play(&mut Here, &offer, &mut finished, &mut |_| ()).map_err(|error| error.to_string())?;
        content.transpose().map_err(|error| error.to_string())
    }
}

/// Answers the server about a unit. If it is lost, the unit is given to another worker, which finds its result if it has one.
async fn answer(acker: &Acker, kind: AckKind) {
    let _ = acker.ack_with(kind).await;
}

/// Says again and again that a unit is being played.
async fn signs_of_life(acker: Arc<Acker>, silence: Duration) {
    loop {
        tokio::time::sleep(silence / 3).await;
        answer(&acker, AckKind::Progress).await;
    }
}

/// Waits, but not if the flag is set.
fn pause(time: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}
