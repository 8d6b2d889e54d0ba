//! The side of those who play: units are taken, played, and their results stored.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::message::Acker;
use async_nats::jetstream::stream::{ConsumerErrorKind, LastRawMessageErrorKind};
use async_nats::jetstream::{AckKind, Context, ErrorCode, kv};
use chase_models::Precision;
use chase_models::device::Device;
use chase_models::manifest::FileFacts;
use chase_training::selfplay::Counters;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::arithmetic::{self, Arithmetic};
use crate::cache::Cache;
use crate::error::{ClusterError, trouble};
use crate::roster::Roster;
use crate::server::{self, RESULTS, Server, UNITS, WORKERS, results_prefix, units_prefix};
use crate::task::Task;
use crate::unit::{Receipt, Unit, UnitEffort, UnitResult};

/// Time after which a worker asks for a unit again, and between two looks whether it should stop.
const ASK: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(200);
/// Time between two attempts when something fails, and how often the games of a unit are tried to be stored.
const AGAIN: Duration = Duration::from_secs(2);
const ATTEMPTS: u32 = 300;
/// Looks in a row that find nothing of a unit before it is given up: a unit that is offered again is missing for a
/// moment.
const MISSING: u32 = 2;
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
    /// Set for units in work that are to be given up.
    in_work: Mutex<Vec<Weak<AtomicBool>>>,
    roster: Roster,
}

/// An event of a worker, for a person.
#[derive(Debug)]
pub enum WorkerEvent<'a> {
    /// Nothing was ever offered on its server.
    Waiting,
    /// It has taken a unit.
    Taken(&'a Unit),
    /// It has played one and stored its games.
    Played {
        /// The unit.
        unit: &'a Unit,
        /// The work done for it.
        effort: UnitEffort,
        /// Seconds that it took.
        seconds: f64,
    },
    /// Something failed that it survives.
    Warning(String),
}

impl fmt::Display for WorkerEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting => write!(f, "waiting for work: nothing was offered on this server yet"),
            Self::Taken(unit) => write!(f, "{unit}: {} games", unit.part.games),
            Self::Played { unit, effort, seconds } => {
                let games = unit.part.games;
                let plies = effort.plies as f64 / f64::from(games.max(1));
                write!(f, "{unit}: {games} games of {plies:.1} plies in {seconds:.1} s")?;
                match effort.evaluations {
                    0 => Ok(()),
                    evaluations => write!(f, ", {:.0} evaluations/s", evaluations as f64 / seconds.max(1e-3)),
                }
            }
            Self::Warning(text) => write!(f, "warning: {text}"),
        }
    }
}

/// Receives what a worker reports.
pub type Reporter<'r> = dyn Fn(&WorkerEvent<'_>) + Sync + 'r;

/// Plays a unit, as its [kind](Task::kind) has it done: the program knows all kinds, each of which is declared by the
/// crate that offers it. `None` if it was given up.
pub type PlayUnit<'p> = dyn Fn(&Task<'_>) -> Result<Option<UnitResult>, String> + Sync + 'p;

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

/// The offer of a server to a worker.
enum Offered {
    Unit(Taken),
    /// Nothing for a while.
    Nothing,
    /// No one has ever offered anything on it.
    NothingYet,
}

impl Worker {
    /// A worker that plays on this many threads, each with a network of its own.
    ///
    /// When it is stopped it takes no more units, and finishes those that it has within `grace`; the others are given
    /// back.
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
            in_work: Mutex::default(),
        })
    }

    /// Its name, which the results of its units carry.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Plays units until `stop` is set.
    pub fn run(&self, play: &PlayUnit<'_>, stop: &AtomicBool, report: &Reporter<'_>) -> Totals {
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
                    if over {
                        let units = self.in_work.lock().unwrap_or_else(PoisonError::into_inner);
                        let flags = units.iter().filter_map(Weak::upgrade);
                        flags.for_each(|give_up| give_up.store(true, Ordering::Relaxed));
                    }
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
    fn serve(&self, play: &PlayUnit<'_>, stop: &AtomicBool, give_back: &AtomicBool, report: &Reporter<'_>) {
        while !stop.load(Ordering::Relaxed) {
            match self.server.wait(self.take(stop)) {
                Ok(Offered::Unit(taken)) => {
                    self.forget("server");
                    self.work(taken, play, stop, give_back, report);
                }
                Ok(Offered::Nothing) => self.forget("server"),
                Ok(Offered::NothingYet) => {
                    self.forget("server");
                    self.once("nothing yet", report, || WorkerEvent::Waiting);
                    pause(AGAIN, stop);
                }
                Err(reason) => {
                    self.once("server", report, || {
                        WorkerEvent::Warning(format!(
                            "there is no work to be had: {reason}; asking again until there is"
                        ))
                    });
                    pause(AGAIN, stop);
                }
            }
        }
    }

    /// Reports what is not to be repeated.
    fn once<'a>(&self, about: &str, report: &Reporter<'_>, what: impl FnOnce() -> WorkerEvent<'a>) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if reported.insert(about.to_owned()) {
            report(&what());
        }
    }

    /// Reports it again when it happens again.
    fn forget(&self, about: &str) {
        self.reported
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(about);
    }

    /// The next unit, if there is one within a while.
    async fn take(&self, stop: &AtomicBool) -> Result<Offered, String> {
        let context = self.server.context();
        let found = context.get_consumer_from_stream::<pull::Config, _, _>(WORKERS, UNITS);
        let consumer = match found.await {
            Ok(consumer) => consumer,
            Err(error) if is_nothing_yet(&error.kind()) => return Ok(Offered::NothingYet),
            Err(error) => return Err(trouble("find what is offered")(error)),
        };
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
                    return Ok(Offered::Unit(Taken {
                        content: message.payload.to_vec(),
                        acker: Arc::new(acker),
                        silence,
                    }));
                }
            }
        }
        Ok(Offered::Nothing)
    }

    /// Plays a unit and stores its games.
    fn work(
        &self,
        taken: Taken,
        play: &PlayUnit<'_>,
        stop: &AtomicBool,
        give_back: &AtomicBool,
        report: &Reporter<'_>,
    ) {
        let warn = |text: String| report(&WorkerEvent::Warning(text));
        let Taken {
            content,
            acker,
            silence,
        } = taken;
        let unit = match serde_json::from_slice::<Unit>(&content) {
            Ok(unit) if unit.is_sound() => unit,
            _ => {
                self.once("format", report, || {
                    let text =
                        "units of another version of this program are on the server; they are left to its workers";
                    WorkerEvent::Warning(text.into())
                });
                self.server.wait(answer(&acker, AckKind::Nak(Some(AGAIN))));
                return pause(AGAIN, stop);
            }
        };
        let arithmetic: Result<Vec<Arithmetic>, String> = unit
            .arithmetic
            .iter()
            .map(|needed| self.arithmetic(needed.precision))
            .collect();
        let arithmetic = match arithmetic {
            Ok(arithmetic) => arithmetic,
            Err(reason) => {
                self.once(&unit.run, report, || {
                    WorkerEvent::Warning(format!("run {} is left to others: {reason}", unit.run))
                });
                self.server.wait(answer(&acker, AckKind::Nak(Some(AGAIN))));
                return pause(AGAIN, stop);
            }
        };
        let differences = arithmetic::differences(&arithmetic, &unit.arithmetic);
        if !unit.mixed && !differences.is_empty() {
            self.once(&unit.run, report, || {
                WorkerEvent::Warning(format!(
                    "run {} is left to others, since this machine would not play the same games: {differences}. --mixed, given \
                     where the run was started, admits it",
                    unit.run
                ))
            });
            self.server.wait(answer(&acker, AckKind::Nak(None)));
            return pause(AGAIN, stop);
        }
        let key = unit.key();
        if self.server.wait(self.has_result(&key)).unwrap_or(false) {
            self.server.wait(answer(&acker, AckKind::Ack));
            return;
        }
        report(&WorkerEvent::Taken(&unit));
        let give_up = Arc::new(AtomicBool::new(give_back.load(Ordering::Relaxed)));
        {
            let mut units = self.in_work.lock().unwrap_or_else(PoisonError::into_inner);
            units.retain(|unit| unit.strong_count() > 0);
            units.push(Arc::downgrade(&give_up));
        }
        // So that the server does not give it to another meanwhile.
        let over = Arc::new(AtomicBool::new(false));
        let signs = self.server.begin(signs_of_life(
            self.server.context().clone(),
            key.clone(),
            Arc::clone(&acker),
            silence,
            [&over, &give_up].map(Arc::clone),
        ));
        let begin = Instant::now();
        let counters = Arc::new(Counters::default());
        let in_work = self.roster.begin(&key, &counters);
        let task = Task {
            server: &self.server,
            cache: &self.cache,
            device: self.device,
            unit: &unit,
            counters: &counters,
            give_back: &give_up,
        };
        let stored = play(&task).and_then(|played| {
            let store = |played: UnitResult| {
                let first = self.store(&unit, &key, &played, arithmetic, give_back)?;
                Ok::<_, String>((first, played.effort))
            };
            played.map(store).transpose()
        });
        signs.abort();
        if let Ok(Some((_, effort))) = &stored {
            // Kinds that do not count while they play.
            counters.evaluations.fetch_max(effort.evaluations, Ordering::Relaxed);
        }
        drop(in_work);
        match stored {
            Ok(Some((first, effort))) => {
                self.server.wait(answer(&acker, AckKind::Ack));
                if first {
                    self.units.fetch_add(1, Ordering::Relaxed);
                    self.games.fetch_add(unit.part.games.into(), Ordering::Relaxed);
                    report(&WorkerEvent::Played {
                        unit: &unit,
                        effort,
                        seconds: begin.elapsed().as_secs_f64(),
                    });
                }
            }
            Ok(None) if over.load(Ordering::Relaxed) => self.server.wait(answer(&acker, AckKind::Ack)),
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

    async fn has_result(&self, key: &str) -> Result<bool, String> {
        let results = self.server.results().await?;
        let entry = results.get(key).await.map_err(trouble("look for a result"))?;
        Ok(entry.is_some())
    }

    /// Stores the games of a unit, and tries again while the server is lost. False if another worker was first.
    fn store(
        &self,
        unit: &Unit,
        key: &str,
        played: &UnitResult,
        arithmetic: Vec<Arithmetic>,
        give_back: &AtomicBool,
    ) -> Result<bool, String> {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        let receipt = Receipt {
            object: format!("result/{key}/{}-{begun}", self.name),
            facts: FileFacts::of(&played.content),
            worker: self.name.clone(),
            arithmetic,
            effort: played.effort,
        };
        let (mut attempts, mut without) = (0, 0);
        loop {
            match self
                .server
                .wait(self.try_to_store(unit, key, &played.content, &receipt))
            {
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

    /// True if the server answers and knows nothing of a unit's run: it is over, or its learner has yet to notice that
    /// the server has lost it.
    async fn is_over(&self, unit: &Unit) -> bool {
        self.server.objects(&unit.run).await.is_err() && self.server.context().query_account().await.is_ok()
    }

    async fn try_to_store(&self, unit: &Unit, key: &str, games: &[u8], receipt: &Receipt) -> Result<bool, String> {
        let objects = self.server.objects(&unit.run).await?;
        server::put(&objects, &receipt.object, games).await?;
        let text = serde_json::to_vec(receipt).map_err(trouble("write a result"))?;
        let results = self.server.results().await?;
        let error = match results.create(key, text.clone().into()).await {
            // The run may have ended meanwhile, with this unit or without it.
            Ok(_) if self.is_over(unit).await => {
                let removed = results.stream.purge().filter(format!("{}{key}", results_prefix()));
                return removed.await.map(|_| true).map_err(trouble("remove a result"));
            }
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
        let _ = objects.delete(&receipt.object).await;
        Ok(false)
    }
}

/// True if a server has no stream or no consumer: they are created when something is offered.
fn is_nothing_yet(kind: &ConsumerErrorKind) -> bool {
    let missing = [ErrorCode::STREAM_NOT_FOUND, ErrorCode::CONSUMER_NOT_FOUND];
    matches!(kind, ConsumerErrorKind::JetStream(error) if missing.contains(&error.error_code()))
}

/// Answers the server about a unit. If it is lost, the unit is given to another worker, which finds its result if it
/// has one.
async fn answer(acker: &Acker, kind: AckKind) {
    let _ = acker.ack_with(kind).await;
}

/// Says again and again that a unit is being played, until that is of no use: another worker has played it, or no one
/// waits for it any more. Then both flags are set.
async fn signs_of_life(
    context: Context,
    key: String,
    acker: Arc<Acker>,
    silence: Duration,
    useless: [Arc<AtomicBool>; 2],
) {
    let mut missing = 0;
    loop {
        tokio::time::sleep(silence / 3).await;
        answer(&acker, AckKind::Progress).await;
        match unit_state(&context, &key).await {
            Some(UnitState::Open) => missing = 0,
            Some(UnitState::Missing) if missing + 1 < MISSING => missing += 1,
            Some(_) => {
                useless.iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
                return;
            }
            // The server is lost; it may come back.
            None => {}
        }
    }
}

/// State of a unit on the server.
enum UnitState {
    /// The unit, without a result.
    Open,
    /// Its result.
    Played,
    /// Neither.
    Missing,
}

async fn unit_state(context: &Context, key: &str) -> Option<UnitState> {
    let results = context.get_key_value(RESULTS).await.ok()?;
    if results.get(key).await.ok()?.is_some() {
        return Some(UnitState::Played);
    }
    let units = context.get_stream_no_info(UNITS).await.ok()?;
    let subject = format!("{}{key}", units_prefix());
    match units.get_last_raw_message_by_subject(&subject).await {
        Ok(_) => Some(UnitState::Open),
        Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Some(UnitState::Missing),
        Err(_) => None,
    }
}

/// Waits, but not if the flag is set.
fn pause(time: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}
