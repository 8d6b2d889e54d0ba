//! The side of those who play: units are taken, done, and their results stored.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::message::Acker;
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{AckKind, Context};
use chase_models::device::Device;
use chase_training::selfplay::Counters;
use chase_training::store::serialised::json;
use tokio::time::timeout;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::cluster::{host, pause};
use crate::error::{ClusterError, trouble};
use crate::job::{Cache, Task};
use crate::presence::{self, Presence};
use crate::server::{MIXED, Server, UNITS};
use crate::unit::{Effort, Receipt, Unit};
use crate::version::Version;

/// Time after which a worker asks for a unit again, the same if there are units for every version too, and time between
/// two looks whether it should stop.
const ASK: Duration = Duration::from_secs(20);
const ASK_BOTH: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(200);
/// Time between two attempts when something fails.
const AGAIN: Duration = Duration::from_secs(2);
/// Looks in a row that find nothing of a unit before it is given up: a unit that is offered again is missing for a
/// moment.
const MISSING: u32 = 2;
/// Looks that find nothing of a run before it is over: it may have to notice that the server has lost it.
const WITHOUT_RUN: u32 = 10;
/// Time that a worker that ends takes for removing its entry.
const LEAVE: Duration = Duration::from_secs(2);

/// Does the units of any number of runs.
#[derive(Debug)]
pub struct Worker {
    server: Server,
    device: Device,
    grace: Duration,
    cache: Mutex<Cache>,
    presence: Arc<Mutex<Presence>>,
    name: String,
    version: Version,
    /// True while there is no server, which was reported.
    lost: AtomicBool,
    /// Units that it has begun: no two results have the same name.
    begun: AtomicU64,
    /// Set for units in work, by the numbers under which they were begun, that are to be given up.
    in_work: Mutex<BTreeMap<u64, Arc<AtomicBool>>>,
}

/// An event of a worker, for a person.
#[derive(Debug)]
pub enum WorkerEvent<'a> {
    /// It has taken a unit.
    Taken(&'a Unit),
    /// It has done one, or has nothing to do.
    Note(String),
    /// Something failed that it survives.
    Warning(String),
}

impl fmt::Display for WorkerEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Taken(unit) => write!(f, "{unit}: {} games", unit.games),
            Self::Note(text) => f.write_str(text),
            Self::Warning(text) => write!(f, "warning: {text}"),
        }
    }
}

/// Receives what a worker reports.
pub type Reporter<'r> = dyn Fn(&WorkerEvent<'_>) + Sync + 'r;

/// Does a unit as a [job](Task::run) of its kind: the program knows all kinds. `None` if it was given up.
pub type PlayUnit<'p> = dyn Fn(&Task<'_>) -> Result<Option<Vec<u8>>, String> + Sync + 'p;

/// A unit that was taken: the server gives it to another worker if it hears nothing of it.
#[derive(Clone)]
struct Taken {
    subject: String,
    content: Vec<u8>,
    acker: Arc<Acker>,
    silence: Duration,
}

impl Worker {
    /// A worker that plays on this many threads, each with networks of its own.
    ///
    /// When it is stopped it takes no more units, and finishes those that it has within `grace`; the others are given
    /// back.
    ///
    /// # Errors
    /// If the address or a file is wrong, the server does not answer, refuses, or has no JetStream, or the device cannot
    /// compute.
    pub fn connect(address: &Address, device: Device, threads: usize, grace: Duration) -> Result<Self, ClusterError> {
        let name = format!("{}-{}-{:08x}", host(), std::process::id(), rand::random::<u32>());
        let version = Version::here(device).map_err(ClusterError::Device)?;
        let presence = Presence {
            name: name.clone(),
            version: version.clone(),
            device: match device {
                Device::Cuda(index) => format!("cuda:{index}"),
                _ => "cpu".to_owned(),
            },
            threads: threads as u64,
            seconds: 0.0,
            units: 0,
            games: 0,
            evaluations: 0,
            playing: BTreeMap::new(),
        };
        let system = |action| move |source: io::Error| ClusterError::System { action, source };
        Ok(Self {
            server: Server::connect(address, &format!("chase worker {name}"))?,
            device,
            grace,
            cache: Mutex::new(Cache::new().map_err(system("create a temporary folder"))?),
            presence: Arc::new(Mutex::new(presence)),
            name,
            version,
            lost: AtomicBool::new(false),
            begun: AtomicU64::new(0),
            in_work: Mutex::default(),
        })
    }

    /// Its report about itself. The results of its units carry its name.
    pub fn presence(&self) -> Presence {
        held(&self.presence).clone()
    }

    /// Does units until `stop` is set. Returns its last report.
    pub fn run(&self, play: &PlayUnit<'_>, stop: &AtomicBool, report: &Reporter<'_>) -> Presence {
        let context = self.server.context();
        let telling = self
            .server
            .begin(presence::tell(context.clone(), Arc::clone(&self.presence)));
        self.server
            .wait(self.waiting())
            .into_iter()
            .for_each(|text| report(&WorkerEvent::Note(text)));
        let threads = self.presence().threads;
        thread::scope(|scope| {
            let serve = |_| scope.spawn(|| self.serve(play, stop, report));
            let threads: Vec<_> = (0..threads).map(serve).collect();
            let mut asked: Option<Instant> = None;
            while !threads.iter().all(thread::ScopedJoinHandle::is_finished) {
                if stop.load(Ordering::Relaxed) && asked.get_or_insert_with(Instant::now).elapsed() >= self.grace {
                    held(&self.in_work)
                        .values()
                        .for_each(|give_up| give_up.store(true, Ordering::Relaxed));
                }
                thread::sleep(Duration::from_millis(50));
            }
        });
        telling.abort();
        self.server.wait(async {
            // So that it does not write after the removal.
            let _ = telling.await;
            let _ = timeout(LEAVE, presence::leave(context, &self.name)).await;
        });
        self.presence()
    }

    /// Does one unit after the other.
    fn serve(&self, play: &PlayUnit<'_>, stop: &AtomicBool, report: &Reporter<'_>) {
        while !stop.load(Ordering::Relaxed) {
            let taken = self.server.wait(self.take(stop));
            if taken.is_ok() {
                self.lost.store(false, Ordering::Relaxed);
            }
            match taken {
                Ok(None) => {}
                Ok(Some(taken)) => self.work(taken, play, stop, report),
                Err(reason) => {
                    if !self.lost.swap(true, Ordering::Relaxed) {
                        let text = format!("cannot get work: {reason}; trying again");
                        report(&WorkerEvent::Warning(text));
                    }
                    pause(AGAIN, stop);
                }
            }
        }
    }

    /// The sentence to show if there is nothing to do.
    async fn waiting(&self) -> Option<String> {
        let units = self.server.units().await.ok()?;
        let own = self.server.consumer(&self.version.id(), None).await.ok()?;
        let others = match units.cached_info().state.messages {
            0 => String::new(),
            others => format!(
                ": {others} units on this server are with other workers, or need another version of this \
                 program or another machine; `chase cluster status` lists them"
            ),
        };
        (own.cached_info().num_pending == 0).then(|| format!("waiting for work{others}"))
    }

    /// The next unit of this version, or of those for every version, if there is one within a while.
    async fn take(&self, stop: &AtomicBool) -> Result<Option<Taken>, String> {
        let units = self.server.units().await?;
        let own = self.server.consumer(&self.version.id(), None).await?;
        // There is one while a run admits workers of every version.
        let (consumers, wait) = match units.get_consumer(MIXED).await {
            Ok(mixed) => (vec![own, mixed], ASK_BOTH),
            Err(_) => (vec![own], ASK),
        };
        for consumer in consumers {
            let silence = consumer.cached_info().config.ack_wait;
            let batch = consumer.fetch().max_messages(1).expires(wait).messages().await;
            let mut batch = batch.map_err(trouble("ask for a unit"))?;
            let begin = Instant::now();
            // A server that was restarted does not know that it was asked.
            while !stop.load(Ordering::Relaxed) && begin.elapsed() < wait + LOOK {
                match timeout(LOOK, batch.next()).await {
                    Err(_) => {}
                    Ok(None) => break,
                    Ok(Some(Err(error))) => return Err(trouble("take a unit")(error)),
                    Ok(Some(Ok(message))) => {
                        let (message, acker) = message.split();
                        return Ok(Some(Taken {
                            subject: message.subject.to_string(),
                            content: message.payload.to_vec(),
                            acker: Arc::new(acker),
                            silence,
                        }));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Does a unit and stores its result.
    fn work(&self, taken: Taken, play: &PlayUnit<'_>, stop: &AtomicBool, report: &Reporter<'_>) {
        let Ok(unit) = serde_json::from_slice::<Unit>(&taken.content) else {
            report(&WorkerEvent::Warning("an invalid unit was removed".into()));
            return self.server.wait(answer(&taken.acker, AckKind::Term));
        };
        report(&WorkerEvent::Taken(&unit));
        let begin = Instant::now();
        // After the version.
        let key = taken.subject.split('.').skip(3).collect::<Vec<_>>().join(".");
        let (counters, give_up) = (Counters::default(), Arc::new(AtomicBool::new(false)));
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        held(&self.in_work).insert(begun, Arc::clone(&give_up));
        held(&self.presence).playing.insert(key.clone(), unit.title.clone());
        let Taken { acker, silence, .. } = taken.clone();
        let signs = signs_of_life(self.server.context().clone(), taken, Arc::clone(&give_up));
        let signs = self.server.begin(signs);
        let task = Task {
            server: &self.server,
            cache: &self.cache,
            device: self.device,
            unit: &unit,
            counters: &counters,
            give_up: &give_up,
        };
        let name = format!("result/{key}/{}.{begun}", self.name);
        let stored = play(&task).and_then(|content| {
            let store = |content: Vec<u8>| self.store(&unit, &name, &content, Effort::of(&counters), &give_up);
            content.map(store).transpose()
        });
        // Otherwise it says so as long as it lives.
        let is_gone = signs.is_finished();
        signs.abort();
        held(&self.in_work).remove(&begun);
        held(&self.presence).playing.remove(&key);
        let answer = |kind| self.server.wait(answer(&acker, kind));
        match stored {
            Ok(Some(effort)) => {
                answer(AckKind::Ack);
                let mut presence = held(&self.presence);
                presence.units += 1;
                presence.games += u64::from(unit.games);
                presence.evaluations += effort.evaluations();
                drop(presence);
                let (seconds, games) = (begin.elapsed().as_secs_f64(), unit.games);
                let rate = effort.evaluations() as f64 / seconds.max(1e-3);
                let text = format!("{unit}: {games} games in {seconds:.1} s, {rate:.0} evaluations/s");
                report(&WorkerEvent::Note(text));
            }
            Ok(None) if !is_gone => answer(AckKind::Nak(None)),
            Err(reason) if !is_gone && !self.server.wait(self.is_over(&unit)) => {
                report(&WorkerEvent::Warning(format!(
                    "{unit}: {reason}; the unit is given back"
                )));
                answer(AckKind::Nak(Some(silence)));
                pause(AGAIN, stop);
            }
            // Nobody waits for it any more.
            Ok(None) | Err(_) => answer(AckKind::Term),
        }
    }

    /// Stores the result of a unit, and tries again while the server is lost.
    fn store(
        &self,
        unit: &Unit,
        name: &str,
        content: &[u8],
        effort: Effort,
        give_up: &AtomicBool,
    ) -> Result<Effort, String> {
        let receipt = json(&Receipt {
            worker: self.name.clone(),
            version: self.version.clone(),
            effort,
        });
        let mut without = 0;
        loop {
            match self
                .server
                .wait(self.server.put(&unit.run, name, receipt.clone(), content))
            {
                Ok(()) => return Ok(effort),
                Err(reason) if without == WITHOUT_RUN || give_up.load(Ordering::Relaxed) => return Err(reason),
                Err(_) => without += u32::from(self.server.wait(self.is_over(unit))),
            }
            pause(AGAIN, give_up);
        }
    }

    /// True if the server answers and knows nothing of a unit's run.
    async fn is_over(&self, unit: &Unit) -> bool {
        self.server.objects(&unit.run).await.is_err() && self.server.context().query_account().await.is_ok()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers the server about a unit. If the answer is lost, the unit is given to another worker in vain.
async fn answer(acker: &Acker, kind: AckKind) {
    let _ = acker.ack_with(kind).await;
}

/// Says again and again that a unit is being done, so that the server does not give it to another worker. Ends, and has
/// it given up, when the unit is gone: another worker has done it, or nothing waits for it any more.
async fn signs_of_life(context: Context, taken: Taken, give_up: Arc<AtomicBool>) {
    let mut missing = 0;
    while missing < MISSING {
        tokio::time::sleep(taken.silence / 3).await;
        answer(&taken.acker, AckKind::Progress).await;
        let Ok(units) = context.get_stream_no_info(UNITS).await else {
            continue;
        };
        match units.get_last_raw_message_by_subject(&taken.subject).await {
            Ok(_) => missing = 0,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => missing += 1,
            // The server is lost; it may come back.
            Err(_) => {}
        }
    }
    give_up.store(true, Ordering::Relaxed);
}
