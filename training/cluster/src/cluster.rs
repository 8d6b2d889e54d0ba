//! The side of the run: units are offered, and their results collected.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishAckFuture;
use async_nats::jetstream::object_store::ObjectStore;
use chase_models::manifest::FileFacts;
use chase_training::files;
use chase_training::run_dir::META_FILE;
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::arithmetic::{self, Arithmetic};
use crate::error::{ClusterError, trouble};
use crate::provenance;
use crate::server::{self, Server, WORKERS, keys, results_prefix, units_prefix};
use crate::unit::{FORMAT, Receipt, Unit, UnitResult, run_id};
use crate::work::{Common, Taken, Work};

/// Least and most time between two looks for results, and time between two looks for units that the server has lost.
const LOOK: Duration = Duration::from_millis(200);
const MOST_LOOK: Duration = Duration::from_secs(1);
const OFFER: Duration = Duration::from_secs(10);
/// Most doublings of the time after which units are handed out again.
const MOST_DOUBLED: u32 = 10;
/// Most bytes of a unit's games; real ones have a twentieth of it.
const MOST_BYTES: u64 = 64 << 20;
/// Results of a unit that are refused before the run is given up.
const MOST_REFUSED: u32 = 10;

/// Options of a run with workers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// True if workers may play whose arithmetic differs from that of this machine. The run is then not repeatable to
    /// the last digit.
    pub mixed: bool,
    /// Time in which nothing is heard of a worker before its unit is given to another. Also the time that idle workers
    /// wait before they play the units of slow ones too; it doubles each time.
    pub silence: Duration,
    /// Most bytes of a run on the server: networks, and the games of units.
    pub most_bytes: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mixed: false,
            silence: Duration::from_secs(30),
            most_bytes: 4 << 30,
        }
    }
}

/// Has the games of runs played by the workers of a server. Clones share one connection.
#[derive(Clone, Debug)]
pub struct Cluster {
    server: Arc<Server>,
    options: Options,
}

/// Units that are offered, and what they need.
struct Job<'a> {
    run: String,
    directory: &'a Path,
    arithmetic: Vec<Arithmetic>,
    /// Objects that workers need: name and content.
    objects: Vec<(String, Vec<u8>)>,
    /// Units without a result that counts, with their keys, in their order.
    open: VecDeque<(String, Unit)>,
    /// Results of units that were refused, by key.
    refused: HashMap<String, u32>,
}

/// Time since which workers have had nothing to do while others still play, and how often units were handed out again.
#[derive(Debug, Default)]
struct Idle {
    since: Option<Instant>,
    again: u32,
}

/// State of the results on the server.
enum Collected {
    /// All that were taken count.
    Good,
    /// Some were refused.
    Refused,
    /// Nothing else is needed.
    Enough,
}

/// A fault of a result: the worker, and the reason.
type Fault = (String, String);

impl<'a> Job<'a> {
    fn new(common: Common<'a>) -> Result<Self, ClusterError> {
        let object = |content: Vec<u8>| (format!("file/{}", FileFacts::of(&content).sha256), content);
        Ok(Self {
            run: run_of(common.directory)?,
            directory: common.directory,
            arithmetic: common.arithmetic,
            objects: common.files.into_iter().map(object).collect(),
            open: VecDeque::new(),
            refused: HashMap::new(),
        })
    }

    /// Name of the run's directory.
    fn name(&self) -> String {
        self.directory
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    }

    fn is_open(&self, key: &str) -> bool {
        self.open.iter().any(|(open, _)| open == key)
    }
}

impl Cluster {
    /// Connects to a server.
    ///
    /// # Errors
    /// If the address or a file is wrong, or the server does not answer, refuses, or has no JetStream.
    pub fn connect(address: &Address, options: Options) -> Result<Self, ClusterError> {
        let server = Arc::new(Server::connect(address, "chase learner")?);
        Ok(Self { server, options })
    }

    /// The options.
    pub const fn options(&self) -> Options {
        self.options
    }

    /// Offers the parts of some work until each has a result that counts, or one of them is enough, or `stop` is set.
    /// `tick` is called several times a second, with a warning if there is one.
    ///
    /// # Errors
    /// If the work fails, or the results of one unit are refused again and again. A server that is lost is waited for.
    pub fn finish<W: Work>(
        &self,
        work: &mut W,
        common: Common<'_>,
        stop: &AtomicBool,
        tick: &mut dyn FnMut(Option<String>),
    ) -> Result<(), W::Error> {
        let mut job = Job::new(common)?;
        let mut offered: Option<Instant> = None;
        let (mut lost, mut tidy, mut idle) = (false, true, Idle::default());
        let mut latest = Instant::now();
        let every = OFFER.min(self.options.silence);
        loop {
            if job.open.len() <= work.ahead() / 2 && self.fill(&mut job, work) {
                offered = None;
            }
            if job.open.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let due = offered.is_none_or(|at| at.elapsed() >= every);
            let remove = due && (work.settle()? || tidy);
            let mut look = async || {
                if due {
                    self.offer(&job, remove).await?;
                    self.hand_out_again(&job, &mut idle).await?;
                }
                let results = self.server.results().await?;
                keys(&results.stream, results_prefix(), &job.run).await
            };
            let found = match self.server.wait(look()) {
                Ok(found) => found,
                Err(reason) => {
                    let text = format!("the server of the cluster is lost: {reason}; trying again until it answers");
                    tick((!lost).then_some(text));
                    (lost, offered) = (true, None);
                    pause(Duration::from_secs(1), stop);
                    continue;
                }
            };
            if due {
                (offered, tidy) = (Some(Instant::now()), false);
            }
            tick(lost.then(|| "the server of the cluster answers again".to_owned()));
            lost = false;
            let before = job.open.len();
            match self.collect(&mut job, &found, work, stop, tick)? {
                Collected::Enough => return Ok(()),
                Collected::Refused => offered = None,
                Collected::Good => {}
            }
            if job.open.len() < before {
                latest = Instant::now();
            }
            // Each look costs the server some CPU time. A result waits at most a twentieth of the time that it has
            // taken.
            let next = Instant::now() + (latest.elapsed() / 20).clamp(LOOK, MOST_LOOK);
            while !job.open.is_empty() && !stop.load(Ordering::Relaxed) && Instant::now() < next {
                thread::sleep(LOOK);
                tick(None);
            }
        }
    }

    /// Delivers the results that the server has.
    fn collect<W: Work>(
        &self,
        job: &mut Job<'_>,
        found: &BTreeSet<String>,
        work: &mut W,
        stop: &AtomicBool,
        tick: &mut dyn FnMut(Option<String>),
    ) -> Result<Collected, W::Error> {
        let (mut number, mut collected) = (0, Collected::Good);
        while let Some((key, unit)) = job.open.get(number)
            && !stop.load(Ordering::Relaxed)
        {
            let result = found.contains(key).then(|| self.server.wait(self.fetch(unit, key)));
            let fault = match result {
                None => None,
                Some(Err(reason)) => {
                    tick(Some(format!("{unit}: {reason}; trying again")));
                    None
                }
                Some(Ok(Err(fault))) => Some(fault),
                Some(Ok(Ok((receipt, content)))) => {
                    let effort = receipt.effort;
                    let taken = work.take(&unit.part, UnitResult { content, effort })?;
                    if let Taken::Refused(reason) = taken {
                        Some((receipt.worker, reason))
                    } else {
                        let mixed = self.options.mixed;
                        let noted = provenance::note(job.directory, mixed, &job.arithmetic, &receipt.arithmetic);
                        noted.map_err(ClusterError::from)?;
                        job.open.remove(number);
                        if taken == Taken::Enough {
                            return Ok(Collected::Enough);
                        }
                        tick(None);
                        continue;
                    }
                }
            };
            if let Some((worker, reason)) = fault {
                let count = job.refused.entry(key.clone()).or_default();
                *count += 1;
                if *count == MOST_REFUSED {
                    let (unit, count) = (unit.to_string(), *count);
                    return Err(ClusterError::Refused {
                        unit,
                        count,
                        worker,
                        reason,
                    }
                    .into());
                }
                tick(Some(format!(
                    "{unit}: the result of worker {worker} is refused and the unit offered again: {reason}"
                )));
                // If this fails, the result is refused once more.
                let _ = self.server.wait(self.discard(key));
                collected = Collected::Refused;
            }
            if work.in_order() {
                break;
            }
            number += 1;
        }
        tick(None);
        Ok(collected)
    }

    /// Removes everything of the run in a directory from the server: it is complete. Returns a warning if that fails.
    pub fn forget(&self, directory: &Path) -> Option<String> {
        let run = run_of(directory).ok()?;
        let forgotten = self.server.wait(self.server.forget(&run));
        let keeps = |reason| format!("the server keeps what it has of this run for now: {reason}");
        forgotten.err().map(keeps)
    }

    /// Opens as many more units as are allowed. Returns true if there are any.
    fn fill<W: Work>(&self, job: &mut Job<'_>, work: &mut W) -> bool {
        let before = job.open.len();
        while job.open.len() < work.ahead()
            && let Some(part) = work.next()
        {
            let unit = Unit {
                format: FORMAT,
                run: job.run.clone(),
                part,
                arithmetic: job.arithmetic.clone(),
                mixed: self.options.mixed,
            };
            job.open.push_back((unit.key(), unit));
        }
        job.open.len() > before
    }

    /// Makes sure that the server has what workers need, and each unit that has no result. Removes, if `tidy`, what it
    /// has of the run's other units: their results are final, or depend on what has changed since.
    async fn offer(&self, job: &Job<'_>, tidy: bool) -> Result<(), String> {
        let Options {
            silence, most_bytes, ..
        } = self.options;
        self.server.create(&job.run, &job.name(), silence, most_bytes).await?;
        let objects = self.server.objects(&job.run).await?;
        let (units, results) = (self.server.units().await?, self.server.results().await?.stream);
        if tidy {
            for (stream, prefix) in [(&units, units_prefix()), (&results, results_prefix())] {
                let mut old = keys(stream, prefix, &job.run).await?;
                old.retain(|key| !job.is_open(key));
                for key in old {
                    let removed = stream.purge().filter(format!("{prefix}{key}")).await;
                    removed.map_err(trouble("remove a unit"))?;
                }
            }
            Self::remove_objects(&objects, job).await?;
        }
        for (name, content) in &job.objects {
            server::put_once(&objects, name, content).await?;
        }
        let known: [BTreeSet<String>; 2] = [
            keys(&units, units_prefix(), &job.run).await?,
            keys(&results, results_prefix(), &job.run).await?,
        ];
        let mut sent = Vec::new();
        for (key, unit) in &job.open {
            if known.iter().any(|known| known.contains(key)) {
                continue;
            }
            let subject = format!("{}{key}", units_prefix());
            sent.push(self.offer_unit(subject, unit).await?);
        }
        for offered in sent {
            offered.await.map_err(trouble("offer a unit"))?;
        }
        Ok(())
    }

    /// Offers the units of slow workers once more, when others have had nothing to do for a while. The first result
    /// counts.
    async fn hand_out_again(&self, job: &Job<'_>, idle: &mut Idle) -> Result<(), String> {
        let units = self.server.units().await?;
        let workers = units
            .consumer_info(WORKERS)
            .await
            .map_err(trouble("look for workers"))?;
        if workers.num_pending > 0 || workers.num_waiting == 0 {
            idle.since = None;
            return Ok(());
        }
        let since = idle.since.get_or_insert_with(Instant::now);
        if since.elapsed() < self.options.silence * (1 << idle.again.min(MOST_DOUBLED)) {
            return Ok(());
        }
        *idle = Idle {
            since: None,
            again: idle.again + 1,
        };
        let played = keys(&units, units_prefix(), &job.run).await?;
        for (key, unit) in job.open.iter().filter(|(key, _)| played.contains(key)) {
            let subject = format!("{}{key}", units_prefix());
            // The worker that has it keeps it. If it is not offered again now, the next look for missing units offers
            // it.
            let removed = units.purge().filter(&subject).await;
            removed.map_err(trouble("remove a unit"))?;
            self.offer_unit(subject, unit)
                .await?
                .await
                .map_err(trouble("offer a unit"))?;
        }
        Ok(())
    }

    /// Sends a unit to the server, which has it when what is returned is done.
    async fn offer_unit(&self, subject: String, unit: &Unit) -> Result<PublishAckFuture, String> {
        let text = serde_json::to_vec(unit).map_err(trouble("write a unit"))?;
        let offered = self.server.context().publish(subject, text.into()).await;
        offered.map_err(trouble("offer a unit"))
    }

    /// The result of a unit. The inner error is a fault of the result.
    async fn fetch(&self, unit: &Unit, key: &str) -> Result<Result<(Receipt, Vec<u8>), Fault>, String> {
        let results = self.server.results().await?;
        let Some(text) = results.get(key).await.map_err(trouble("fetch a result"))? else {
            return Err("its result has vanished".into());
        };
        let receipt: Receipt = match serde_json::from_slice(&text) {
            Ok(receipt) => receipt,
            Err(error) => return Ok(Err(("unknown".into(), error.to_string()))),
        };
        let fault = |reason: String| Ok(Err((receipt.worker.clone(), reason)));
        let differences = arithmetic::differences(&receipt.arithmetic, &unit.arithmetic);
        if !unit.mixed && !differences.is_empty() {
            return fault(format!("it was computed with other arithmetic: {differences}"));
        }
        if !receipt.object.starts_with(&format!("result/{key}/")) {
            return fault(format!(
                "its games are in `{}`, expected result/{key}/…",
                receipt.object
            ));
        }
        let objects = self.server.objects(&unit.run).await?;
        match server::get(&objects, &receipt.object, MOST_BYTES, &receipt.facts.sha256).await {
            Ok(content) => Ok(Ok((receipt, content))),
            // Lost with the server, or never stored, or not as it was announced: another worker can do better.
            Err(reason) if self.server.results().await.is_ok() => fault(reason),
            Err(reason) => Err(reason),
        }
    }

    /// Removes a result.
    async fn discard(&self, key: &str) -> Result<(), String> {
        let results = self.server.results().await?.stream;
        let removed = results.purge().filter(format!("{}{key}", results_prefix())).await;
        removed.map(drop).map_err(trouble("remove a result"))
    }

    /// Removes the objects of a run that no unit of the job needs.
    async fn remove_objects(objects: &ObjectStore, job: &Job<'_>) -> Result<(), String> {
        let mut listed = objects.list().await.map_err(trouble("list objects"))?;
        let mut old = Vec::new();
        while let Some(info) = listed.next().await {
            let name = info.map_err(trouble("list objects"))?.name;
            let of_unit = name.strip_prefix("result/").and_then(|rest| rest.split('/').next());
            let needed = match of_unit {
                Some(key) => job.is_open(key),
                None => job.objects.iter().any(|(needed, _)| *needed == name),
            };
            if !needed {
                old.push(name);
            }
        }
        for name in old {
            objects.delete(&name).await.map_err(trouble("remove an object"))?;
        }
        Ok(())
    }
}

/// The run in a directory.
fn run_of(directory: &Path) -> Result<String, ClusterError> {
    let path = directory.join(META_FILE);
    let meta = files::read_document(&path).map_err(|error| ClusterError::File {
        path,
        reason: error.to_string(),
    })?;
    Ok(run_id(&meta))
}

/// Waits, but not if the run is stopped.
fn pause(time: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}
