//! The side of the run: units are offered, and their results collected.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chase_models::device::Device;
use chase_models::manifest::FileFacts;
use chase_training::store::run_dir::META_FILE;
use chase_training::store::serialised::{json, json_value};
pub use chase_training::venue::Tick;
use serde_json::Value;

use crate::address::Address;
use crate::error::{ClusterError, trouble};
use crate::job::{Files, Job, TERMS};
use crate::provenance;
use crate::server::{MIXED, SILENCE, SUBJECTS, Server, purge, subjects};
use crate::unit::{Effort, Receipt, Unit};
use crate::version::Version;

/// Least and most time between two looks for results, and time between two looks for units that the server has lost.
const LOOK: Duration = Duration::from_millis(200);
const MOST_LOOK: Duration = Duration::from_secs(1);
const OFFER: Duration = Duration::from_secs(10);
/// Most units offered at a time, of work whose results are wanted in order.
const AHEAD: usize = 1024;
/// Most doublings of the time after which units are handed out again.
const MOST_DOUBLED: u32 = 10;
/// Time without workers after which a message says so.
const DESERTED: Duration = Duration::from_secs(60);

/// Options of a run with workers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// True if workers of any [`Version`] may play. The run is then not repeatable to the last digit.
    pub mixed: bool,
    /// Time in which nothing is heard of a worker before its unit is given to another. Also the time that idle workers
    /// wait before they play the units of slow ones too; it doubles each time.
    pub silence: Duration,
    /// Most bytes of a run on the server: input files, and results.
    pub most_bytes: i64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            mixed: false,
            silence: SILENCE,
            most_bytes: 4 << 30,
        }
    }
}

/// Has the work of runs done by the workers of a server. Clones share one connection.
#[derive(Clone, Debug)]
pub struct Cluster {
    server: Arc<Server>,
    options: Options,
}

/// Jobs to be done.
#[derive(Debug)]
pub struct Order<'a, J: Job> {
    /// Directory of the run, with its `meta.json`.
    pub directory: &'a Path,
    /// The device whose [`Version`] the workers must have.
    pub device: Device,
    /// The terms that all jobs share.
    pub terms: J::Terms,
    /// Input files that all of them need.
    pub files: Files,
    /// The jobs, each with the files that it needs alone.
    pub parts: Vec<Part<J>>,
    /// True if results are wanted in the order of the jobs, and are on disk as soon as they are taken: the server may
    /// forget them. Otherwise all jobs are offered at once, and the server keeps their results until the run is
    /// [forgotten](Cluster::forget) or orders something else.
    pub in_order: bool,
}

/// One of the jobs of an order.
#[derive(Debug)]
pub struct Part<J> {
    /// The work to be done.
    pub job: J,
    /// Its name for people.
    pub title: String,
    /// Number of its games.
    pub games: usize,
    /// Input files that it needs alone.
    pub files: Files,
}

/// Receives the result of the job with this number, once, and says whether others are needed.
pub type Take<'t, J, E> = dyn FnMut(usize, <J as Job>::Output, Effort) -> Result<ControlFlow<()>, E> + 't;

/// An order without its files, its parts and the type of its jobs. Code that uses it is compiled once, and not once for each
/// game.
struct AnyOrder<'a> {
    kind: &'static str,
    directory: &'a Path,
    version: Version,
    in_order: bool,
    /// The job with this number.
    job: &'a dyn Fn(usize) -> Value,
}

/// Receives the content of the result with this number, and says whether others are needed. An error is the reason that
/// it cannot be the result.
type Deliver<'d> = dyn FnMut(usize, Vec<u8>, &Receipt) -> Result<ControlFlow<()>, String> + 'd;

/// A unit without a result that counts.
struct Open {
    number: usize,
    key: String,
    unit: Unit,
}

/// An order in progress.
struct Progress<'a> {
    server: &'a Server,
    options: Options,
    order: AnyOrder<'a>,
    run: String,
    /// The version, or what stands for all of them, in the subjects of units.
    subject: String,
    /// Hashes of the files that all units need, by name.
    files: BTreeMap<String, String>,
    /// Contents of all input files, by hash.
    contents: BTreeMap<String, Vec<u8>>,
    /// Jobs that are not opened yet, and the number of the others.
    parts: std::vec::IntoIter<Part<()>>,
    opened: usize,
    /// In the order of their jobs.
    open: VecDeque<Open>,
    /// The last time that a worker was seen, and that one of them had nothing to wait for.
    seen: Instant,
    busy: Instant,
    /// Number of times that units were handed out again.
    again: u32,
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

    /// Has jobs done, and gives their results to `take`, until each has one, no other is needed, or `stop` is set.
    ///
    /// # Errors
    /// If `take` fails. A result that cannot be right is thrown away, and a server that is lost is waited for.
    pub fn finish<J: Job, E: From<ClusterError>>(
        &self,
        order: Order<'_, J>,
        stop: &AtomicBool,
        tick: &mut Tick<'_>,
        take: &mut Take<'_, J, E>,
    ) -> Result<(), E> {
        let Order {
            directory,
            device,
            terms,
            mut files,
            parts,
            in_order,
        } = order;
        files.insert(TERMS.to_owned(), json(&terms).into_bytes());
        let version = Version::here(device).map_err(ClusterError::Device)?;
        let (jobs, parts): (Vec<J>, _) = parts.into_iter().map(Part::without_job).unzip();
        let any_order = AnyOrder {
            kind: J::KIND,
            directory,
            version: version.clone(),
            in_order,
            job: &|number| json_value(&jobs[number]),
        };
        let mut fault = None;
        let mut deliver = |number: usize, content, receipt: &Receipt| {
            let output = jobs[number].check(&terms, content)?;
            let noted = provenance::note(directory, self.options.mixed, [&version, &receipt.version]);
            let noted = noted.map_err(|error| ClusterError::from(error).into());
            let taken = noted.and_then(|()| take(number, output, receipt.effort));
            Ok(taken.unwrap_or_else(|error| {
                fault = Some(error);
                ControlFlow::Break(())
            }))
        };
        Progress::new(self, any_order, files, parts)?.finish(stop, tick, &mut deliver);
        fault.map_or(Ok(()), Err)
    }

    /// Removes everything of the run in a directory from the server: it is complete. Returns a warning if that fails.
    pub fn forget(&self, directory: &Path) -> Option<String> {
        let run = run_of(directory).ok()?;
        let forgotten = self.server.wait(self.server.forget(&run));
        let keeps = |reason| format!("the data of this run could not be removed from the server: {reason}");
        forgotten.err().map(keeps)
    }
}

impl<'a> Progress<'a> {
    fn new(
        cluster: &'a Cluster,
        order: AnyOrder<'a>,
        files: Files,
        parts: Vec<Part<()>>,
    ) -> Result<Self, ClusterError> {
        let mut contents = BTreeMap::new();
        Ok(Self {
            server: &cluster.server,
            options: cluster.options,
            run: run_of(order.directory)?,
            subject: if cluster.options.mixed {
                MIXED.to_owned()
            } else {
                order.version.id()
            },
            files: hashed(files, &mut contents),
            contents,
            parts: parts.into_iter(),
            opened: 0,
            open: VecDeque::new(),
            seen: Instant::now(),
            busy: Instant::now(),
            again: 0,
            order,
        })
    }

    /// Has the units done, and gives their results to `deliver`.
    fn finish(&mut self, stop: &AtomicBool, tick: &mut Tick<'_>, deliver: &mut Deliver<'_>) {
        let (mut offered, mut lost, mut tidy, mut latest) = (None::<Instant>, false, true, Instant::now());
        let every = OFFER.min(self.options.silence);
        loop {
            if self.fill() {
                offered = None;
            }
            if self.open.is_empty() || stop.load(Ordering::Relaxed) {
                return;
            }
            let due = offered.is_none_or(|at| at.elapsed() >= every);
            let found = match self.server.wait(self.look(due.then_some(tidy), tick)) {
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
                (offered, tidy) = (Some(Instant::now()), self.order.in_order);
            }
            tick(lost.then(|| "the server of the cluster answers again".to_owned()));
            lost = false;
            let before = self.open.len();
            match self.collect(&found, stop, tick, deliver) {
                ControlFlow::Break(()) => return,
                ControlFlow::Continue(true) => offered = None,
                ControlFlow::Continue(false) => {}
            }
            if self.open.len() < before {
                latest = Instant::now();
            }
            // Each look costs the server some CPU time. A result waits at most a twentieth of the time that it has
            // taken.
            let next = Instant::now() + (latest.elapsed() / 20).clamp(LOOK, MOST_LOOK);
            while !self.open.is_empty() && !stop.load(Ordering::Relaxed) && Instant::now() < next {
                thread::sleep(LOOK);
                tick(None);
            }
        }
    }

    /// Opens as many more units as are allowed. Returns true if there are any.
    fn fill(&mut self) -> bool {
        let before = self.opened;
        let ahead = if self.order.in_order { AHEAD } else { usize::MAX };
        if self.open.len() > ahead / 2 {
            return false;
        }
        while self.open.len() < ahead
            && let Some(Part {
                job: (),
                title,
                games,
                files,
            }) = self.parts.next()
        {
            let mut hashes = self.files.clone();
            hashes.extend(hashed(files, &mut self.contents));
            let unit = Unit {
                kind: self.order.kind.to_owned(),
                title,
                games: games as u32,
                run: self.run.clone(),
                version: self.order.version.clone(),
                mixed: self.options.mixed,
                files: hashes,
                job: (self.order.job)(self.opened),
            };
            let (number, key) = (self.opened, unit.key());
            self.open.push_back(Open { number, key, unit });
            self.opened += 1;
        }
        self.opened > before
    }

    /// The results on the server: their names, by the keys of their units. Offers units first if they are `due`, and
    /// tidies up if that is true.
    async fn look(&mut self, due: Option<bool>, tick: &mut Tick<'_>) -> Result<BTreeMap<String, String>, String> {
        if let Some(tidy) = due {
            self.offer(tidy).await?;
            self.mind_workers(tick).await?;
        }
        Ok(results(&self.server.names(&self.run).await?))
    }

    /// Makes sure that the server has what workers need, and each unit that has no result. Removes what it has of the
    /// run's other units, and if `tidy` their results: these are final, or depend on what has changed since.
    async fn offer(&self, tidy: bool) -> Result<(), String> {
        let directory = self.order.directory.canonicalize().unwrap_or_default();
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        let description = format!("{name} on {}", host());
        let (server, run) = (self.server, &self.run);
        server.create_objects(run, description, self.options.most_bytes).await?;
        // Units before results: a worker sends the result and then ends the unit. In the other order, a unit that is done
        // between the two lists would be in neither, and would be played again.
        let mut waiting = self.waiting().await?;
        let names = server.names(run).await?;
        if tidy {
            let needed: BTreeSet<&str> = self.open.iter().map(|open| open.key.as_str()).collect();
            let is_needed = |name: &str| match name.strip_prefix("file/") {
                Some(sha256) => self.contents.contains_key(sha256),
                None => key_of(name).is_some_and(|key| needed.contains(key)),
            };
            for name in names.iter().filter(|name| !is_needed(name)) {
                server.remove(run, name).await?;
            }
        }
        for (sha256, content) in &self.contents {
            let name = format!("file/{sha256}");
            if !names.contains(&name) {
                server.put(run, &name, String::new(), content).await?;
            }
        }
        // Last: whoever finds a unit finds the rest.
        server.consumer(&self.subject, Some(self.options.silence)).await?;
        let played = results(&names);
        let is_missing = |open: &&Open| !waiting.remove(&self.subject_of(open)) && !played.contains_key(&open.key);
        let missing: Vec<&Open> = self.open.iter().filter(is_missing).collect();
        for subject in waiting {
            purge(&server.units().await?, subject).await?;
        }
        self.publish(&missing).await
    }

    /// Offers the units of slow workers once more, when others have had nothing to do for a while. The first result
    /// counts. Says so if there are no workers.
    async fn mind_workers(&mut self, tick: &mut Tick<'_>) -> Result<(), String> {
        let units = self.server.units().await?;
        let workers = units.consumer_info(&self.subject).await;
        let workers = workers.map_err(trouble("look for workers"))?;
        if workers.num_waiting > 0 || workers.num_ack_pending > 0 {
            self.seen = Instant::now();
        } else if self.seen.elapsed() > DESERTED {
            // Once an hour.
            self.seen += DESERTED * 60;
            tick(Some(format!(
                "no worker on the server can take these units: start workers of the version `{}`, or give --mixed \
                 here; `chase cluster status` lists all workers",
                self.order.version
            )));
        }
        if workers.num_pending > 0 || workers.num_waiting == 0 {
            self.busy = Instant::now();
        }
        if self.busy.elapsed() < self.options.silence * (1 << self.again.min(MOST_DOUBLED)) {
            return Ok(());
        }
        (self.busy, self.again) = (Instant::now(), self.again + 1);
        let waiting = self.waiting().await?;
        let slow: Vec<&Open> = self
            .open
            .iter()
            .filter(|open| waiting.contains(&self.subject_of(open)))
            .collect();
        for open in &slow {
            // The worker that has it keeps it. If it is not offered again now, the next look for missing units does so.
            purge(&units, self.subject_of(open)).await?;
        }
        self.publish(&slow).await
    }

    /// Subjects of the run's units on the server.
    async fn waiting(&self) -> Result<BTreeSet<String>, String> {
        subjects(&self.server.units().await?, format!("{SUBJECTS}*.{}.>", self.run)).await
    }

    fn subject_of(&self, open: &Open) -> String {
        format!("{SUBJECTS}{}.{}", self.subject, open.key)
    }

    /// Sends units to the server.
    async fn publish(&self, units: &[&Open]) -> Result<(), String> {
        let mut sent = Vec::new();
        for open in units {
            let content = json(&open.unit).into();
            let offered = self.server.context().publish(self.subject_of(open), content).await;
            sent.push(offered.map_err(trouble("offer a unit"))?);
        }
        for offered in sent {
            offered.await.map_err(trouble("offer a unit"))?;
        }
        Ok(())
    }

    /// Delivers the results that the server has. Returns true if some were refused, or breaks if no other is needed.
    fn collect(
        &mut self,
        found: &BTreeMap<String, String>,
        stop: &AtomicBool,
        tick: &mut Tick<'_>,
        deliver: &mut Deliver<'_>,
    ) -> ControlFlow<(), bool> {
        let (mut place, mut any_refused) = (0, false);
        while place < self.open.len() && !stop.load(Ordering::Relaxed) {
            let open = &self.open[place];
            let mut warning = None;
            if let Some(name) = found.get(&open.key) {
                match self.server.wait(self.server.get(&self.run, name)) {
                    Err(reason) => warning = Some(format!("{}: {reason}; trying again", open.unit)),
                    Ok((content, receipt)) => match delivered(open.number, content, &receipt, deliver) {
                        Ok(ControlFlow::Break(())) => return ControlFlow::Break(()),
                        Ok(ControlFlow::Continue(())) => {
                            self.open.remove(place);
                            tick(None);
                            continue;
                        }
                        Err(reason) => {
                            let (unit, worker) = (&open.unit, name.rsplit('/').next().unwrap_or_default());
                            warning = Some(format!(
                                "{unit}: the result of worker {worker} was refused; the unit is offered again: {reason}"
                            ));
                            // If this fails, the result is refused once more.
                            let _ = self.server.wait(self.server.remove(&self.run, name));
                            any_refused = true;
                        }
                    },
                }
            }
            tick(warning);
            if self.order.in_order {
                break;
            }
            place += 1;
        }
        ControlFlow::Continue(any_refused)
    }
}

impl<J> Part<J> {
    /// The job, and the rest.
    fn without_job(self) -> (J, Part<()>) {
        let Self {
            job,
            title,
            games,
            files,
        } = self;
        (
            job,
            Part {
                job: (),
                title,
                games,
                files,
            },
        )
    }
}

/// Delivers a result with its receipt.
///
/// # Errors
/// The reason that it is none of the unit with this number.
fn delivered(
    number: usize,
    content: Vec<u8>,
    receipt: &str,
    deliver: &mut Deliver<'_>,
) -> Result<ControlFlow<()>, String> {
    let receipt = serde_json::from_str(receipt).map_err(|error| error.to_string())?;
    deliver(number, content, &receipt)
}

/// The hashes of files, whose contents are added to others.
fn hashed(files: Files, contents: &mut BTreeMap<String, Vec<u8>>) -> BTreeMap<String, String> {
    let hash = |(name, content): (String, Vec<u8>)| {
        let sha256 = FileFacts::of(&content).sha256;
        contents.insert(sha256.clone(), content);
        (name, sha256)
    };
    files.into_iter().map(hash).collect()
}

/// The unit that an object is the result of.
fn key_of(name: &str) -> Option<&str> {
    Some(name.strip_prefix("result/")?.split_once('/')?.0)
}

/// One of the results of each unit, by key.
fn results(names: &BTreeSet<String>) -> BTreeMap<String, String> {
    let result = |name: &String| Some((key_of(name)?.to_owned(), name.clone()));
    names.iter().filter_map(result).collect()
}

/// The run in a directory: the beginning of the hash of its `meta.json`.
fn run_of(directory: &Path) -> Result<String, ClusterError> {
    let path = directory.join(META_FILE);
    match fs::read(&path) {
        Ok(meta) => Ok(FileFacts::of(&meta).sha256[..16].to_owned()),
        Err(error) => Err(ClusterError::file(&path, error)),
    }
}

/// The name of this machine.
pub(crate) fn host() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    host.chars().filter(is_plain).collect()
}

/// Waits, but not if the flag is set.
pub(crate) fn pause(time: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}
