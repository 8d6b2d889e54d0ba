//! The side of the run: units are offered, and their games collected.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream::object_store::ObjectStore;
use chase_models::checkpoint::WEIGHTS_FILE;
use chase_models::manifest::{FileFacts, MANIFEST_FILE, Manifest};
use chase_training::files;
use chase_training::game_record::Purpose;
use chase_training::replay::shard::{self, ShardError};
use chase_training::run_dir::{CONFIG_FILE, META_FILE};
use chase_training::selfplay::{Counters, Settings};
use chase_training::trainable::Trainable;
use chase_training::venue::{Finished, Offer, Tick, Venue, VenueError};
use serde::{Deserialize, Serialize};
use tokio_stream::StreamExt;

use crate::address::Address;
use crate::arithmetic::Arithmetic;
use crate::error::{ClusterError, trouble};
use crate::server::{self, Server, keys, results_prefix, units_prefix};
use crate::unit::{FORMAT, Played, Unit, run_id};

/// The file of a run's directory that says what computed its games.
pub const CLUSTER_FILE: &str = "cluster.json";
/// Time between two looks for results, and between two looks for units that the server has lost.
const LOOK: Duration = Duration::from_millis(200);
const OFFER: Duration = Duration::from_secs(10);
/// Most bytes of a unit's games; real ones have a twentieth of it.
const MOST_BYTES: u64 = 64 << 20;
/// Results of a unit that are refused before the run is given up.
const MOST_REFUSED: u32 = 10;

/// How a learner works with its workers.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// True if workers may play whose arithmetic differs from the learner's. The run is then not repeatable to the last digit.
    pub mixed: bool,
    /// Time in which nothing is heard of a worker before its unit is given to another.
    pub silence: Duration,
    /// Most bytes of a run on the server: a checkpoint, and the games of a generation.
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

/// Has the games of a run played by the workers of a server.
#[derive(Debug)]
pub struct Cluster {
    server: Server,
    options: Options,
    /// Units whose results will be asked for later: they stay on the server.
    begun: Option<Job>,
}

/// Content of [`CLUSTER_FILE`]: the provenance of a run's games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Provenance {
    /// True if other arithmetic than the learner's was admitted.
    mixed: bool,
    learner: Arithmetic,
    /// What the games that were taken from workers were computed with.
    workers: Vec<Arithmetic>,
}

/// What a generation's units have in common.
#[derive(Debug)]
struct Job {
    run: String,
    /// Name of its directory.
    name: String,
    /// Objects that workers need: name and content.
    objects: Vec<(String, Vec<u8>)>,
    /// By key.
    units: BTreeMap<String, Unit>,
}

/// Takes the content of a unit's shard: the reason if it is refused.
type Take<'a> = dyn FnMut(&Unit, &Played, Vec<u8>) -> Result<Result<(), String>, ShardError> + 'a;

impl<G: Trainable> Venue<G> for Cluster {
    fn play(
        &mut self,
        offer: &Offer<'_, G>,
        finished: &mut Finished<'_, G>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError> {
        if offer.groups.is_empty() {
            return Ok(());
        }
        let elsewhere = |error: ClusterError| VenueError::Elsewhere(error.into());
        let arithmetic = Arithmetic::here(offer.device, offer.precision);
        let arithmetic = arithmetic.map_err(|reason| VenueError::Elsewhere(reason.into()))?;
        let (job, model) = self.job(offer, &arithmetic).map_err(elsewhere)?;
        if offer.purpose == Purpose::Selfplay {
            self.begun = None;
        }
        let settings = Settings::<G>::new(offer.config, offer.purpose, offer.generation);
        let mut take = |unit: &Unit, played: &Played, content: Vec<u8>| {
            let group = unit.as_group();
            let origin = offer.origin(&group, &model);
            let checked = shard::from_parquet::<G>(content.into(), &settings.rules, Some(&origin))
                .and_then(|shard| settings.check(&group, &shard.records).map(|()| shard.records));
            match checked {
                Err(reason) => Ok(Err(reason)),
                Ok(records) => {
                    count(offer.counters, played, records.len() as u64);
                    finished(&group, records).map(Ok)
                }
            }
        };
        self.collect(job, offer.run, &arithmetic, offer.stop, &mut take, tick)
    }

    fn begin(&mut self, offer: &Offer<'_, G>) -> Result<bool, String> {
        let arithmetic = Arithmetic::here(offer.device, offer.precision)?;
        let (job, _) = self.job(offer, &arithmetic).map_err(|error| error.to_string())?;
        let offered = self.server.wait(self.offer(&job, false));
        // Even if the server is lost: it may have them from an earlier process.
        self.begun = Some(job);
        offered.map(|()| true)
    }

    fn close(&mut self, run: &Path) -> Option<String> {
        let id = run_id(&files::read_document(&run.join(META_FILE)).ok()?);
        let forgotten = self.server.wait(self.server.forget(&id));
        let keeps = |reason| format!("the server keeps what it has of this run for now: {reason}");
        forgotten.err().map(keeps)
    }
}

/// Adds what a worker says it has done.
fn count(counters: &Counters, played: &Played, games: u64) {
    for (counter, number) in [
        (&counters.games, games),
        (&counters.plies, played.plies),
        (&counters.evaluations, played.evaluations),
        (&counters.batches, played.batches),
        (&counters.simulations, played.simulations),
    ] {
        counter.fetch_add(number, Ordering::Relaxed);
    }
}

impl Cluster {
    /// Connects to a server.
    ///
    /// # Errors
    /// If the address or a file is wrong, or the server does not answer, refuses, or has no JetStream.
    pub fn connect(address: &Address, options: Options) -> Result<Self, ClusterError> {
        let server = Server::connect(address, "chase learner")?;
        Ok(Self {
            server,
            options,
            begun: None,
        })
    }

    /// What is to be offered, and the name of the checkpoint that plays.
    fn job<G: Trainable>(&self, offer: &Offer<'_, G>, arithmetic: &Arithmetic) -> Result<(Job, String), ClusterError> {
        let fault = |path: &Path, reason: String| ClusterError::File {
            path: path.to_owned(),
            reason,
        };
        let read = |path: &Path| files::read(path).map_err(|error| fault(path, error.to_string()));
        let run = run_id(&read(&offer.run.join(META_FILE))?);
        let config = read(&offer.run.join(CONFIG_FILE))?;
        let manifest = read(&offer.checkpoint.join(MANIFEST_FILE))?;
        let weights = Manifest::read(offer.checkpoint)
            .and_then(|manifest| Ok(manifest.read_file(offer.checkpoint, WEIGHTS_FILE)?.into_owned()))
            .map_err(|error| fault(offer.checkpoint, error.to_string()))?;
        let model = offer
            .checkpoint
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let sum = |content: &[u8]| FileFacts::of(content).sha256;
        let unit = |group: &chase_training::selfplay::Group| Unit {
            format: FORMAT,
            run: run.clone(),
            generation: offer.generation,
            purpose: offer.purpose,
            group: group.number,
            games: group.games.clone(),
            config: sum(&config),
            model: model.clone(),
            checkpoint: sum(&manifest),
            arithmetic: arithmetic.clone(),
            mixed: self.options.mixed,
        };
        let units = offer.groups.iter().map(unit).map(|unit| (unit.key(), unit)).collect();
        let objects = [config, manifest, weights].map(|content| (format!("file/{}", sum(&content)), content));
        let job = Job {
            name: offer.run.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            objects: objects.into(),
            run,
            units,
        };
        Ok((job, model))
    }

    /// Offers units until every one has a result that is taken.
    fn collect(
        &self,
        mut job: Job,
        directory: &Path,
        arithmetic: &Arithmetic,
        stop: &AtomicBool,
        take: &mut Take<'_>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError> {
        let mut offered: Option<Instant> = None;
        let mut lost = false;
        let mut tidy = false;
        let mut refused: HashMap<String, u32> = HashMap::new();
        while !job.units.is_empty() && !stop.load(Ordering::Relaxed) {
            let mut offer = async || {
                if offered.is_none_or(|at| at.elapsed() >= OFFER) {
                    self.offer(&job, !tidy).await?;
                    (offered, tidy) = (Some(Instant::now()), true);
                }
                let results = self.server.results().await?;
                keys(&results.stream, results_prefix(), &job.run).await
            };
            let found = match self.server.wait(offer()) {
                Ok(found) => {
                    let text = lost.then(|| "the server of the cluster answers again".to_owned());
                    lost = false;
                    tick(text);
                    found
                }
                Err(reason) => {
                    let text = format!("the server of the cluster is lost: {reason}; trying again until it answers");
                    tick((!lost).then_some(text));
                    (lost, offered) = (true, None);
                    pause(Duration::from_secs(1), stop);
                    continue;
                }
            };
            for key in found {
                let Some(unit) = job.units.get(&key) else { continue };
                let (worker, reason) = match self.server.wait(self.fetch(unit, &key)) {
                    Err(reason) => {
                        tick(Some(format!("{unit}: {reason}; trying again")));
                        continue;
                    }
                    Ok(Err(fault)) => fault,
                    Ok(Ok((played, content))) => match take(unit, &played, content)? {
                        Ok(()) => {
                            self.note(directory, arithmetic, &played)?;
                            job.units.remove(&key);
                            continue;
                        }
                        Err(reason) => (played.worker, reason),
                    },
                };
                let count = refused.entry(key.clone()).or_default();
                *count += 1;
                if *count == MOST_REFUSED {
                    let unit = unit.to_string();
                    let error = ClusterError::Refused {
                        unit,
                        count: *count,
                        worker,
                        reason,
                    };
                    return Err(VenueError::Elsewhere(error.into()));
                }
                tick(Some(format!(
                    "{unit}: the result of worker {worker} is refused and the unit offered again: {reason}"
                )));
                // If this fails, the result is refused once more.
                let _ = self.server.wait(self.discard(&key));
                offered = None;
            }
            tick(None);
            if !job.units.is_empty() {
                thread::sleep(LOOK);
            }
        }
        Ok(())
    }

    /// Makes sure that the server has what workers need, and each unit that has no result. Removes, if `tidy`, what it has of
    /// the run's other units but those that were begun ahead: their results are final, or depend on what has changed since.
    async fn offer(&self, job: &Job, tidy: bool) -> Result<(), String> {
        let Options {
            silence, most_bytes, ..
        } = self.options;
        self.server.create(&job.run, &job.name, silence, most_bytes).await?;
        let objects = self.server.objects(&job.run).await?;
        let (units, results) = (self.server.units().await?, self.server.results().await?.stream);
        let wanted: Vec<&Job> = [job].into_iter().chain(&self.begun).collect();
        if tidy {
            for (stream, prefix) in [(&units, units_prefix()), (&results, results_prefix())] {
                let mut old = keys(stream, prefix, &job.run).await?;
                old.retain(|key| !wanted.iter().any(|job| job.units.contains_key(key)));
                for key in old {
                    let removed = stream.purge().filter(format!("{prefix}{key}")).await;
                    removed.map_err(trouble("remove a unit"))?;
                }
            }
            remove_objects(&objects, &wanted).await?;
        }
        for (name, content) in &job.objects {
            server::put_once(&objects, name, content).await?;
        }
        let known = [
            keys(&units, units_prefix(), &job.run).await?,
            keys(&results, results_prefix(), &job.run).await?,
        ];
        for (key, unit) in &job.units {
            if known.iter().any(|known| known.contains(key)) {
                continue;
            }
            let text = serde_json::to_vec(unit).map_err(trouble("write a unit"))?;
            let sent = self
                .server
                .context()
                .publish(format!("{}{key}", units_prefix()), text.into());
            let stored = sent.await.map_err(trouble("offer a unit"))?;
            stored.await.map_err(trouble("offer a unit"))?;
        }
        Ok(())
    }

    /// The result of a unit. The inner error is a fault of the result: the worker, and the reason.
    async fn fetch(&self, unit: &Unit, key: &str) -> Result<Result<(Played, Vec<u8>), (String, String)>, String> {
        let results = self.server.results().await?;
        let Some(text) = results.get(key).await.map_err(trouble("fetch a result"))? else {
            return Err("its result has vanished".into());
        };
        let played: Played = match serde_json::from_slice(&text) {
            Ok(played) => played,
            Err(error) => return Ok(Err(("unknown".into(), error.to_string()))),
        };
        let fault = |reason: String| Ok(Err((played.worker.clone(), reason)));
        let differences = played.arithmetic.differences(&unit.arithmetic);
        if !unit.mixed && !differences.is_empty() {
            return fault(format!("it was computed with other arithmetic: {differences}"));
        }
        if !played.object.starts_with(&format!("result/{key}/")) {
            return fault(format!("its games are in `{}`, expected result/{key}/…", played.object));
        }
        let objects = self.server.objects(&unit.run).await?;
        match server::get(&objects, &played.object, MOST_BYTES, &played.facts.sha256).await {
            Ok(content) => Ok(Ok((played, content))),
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

    /// Writes down what the games of a unit were computed with.
    fn note(&self, directory: &Path, arithmetic: &Arithmetic, played: &Played) -> Result<(), ShardError> {
        let path = directory.join(CLUSTER_FILE);
        // What cannot be read is of no use to anyone.
        let before = files::read_document(&path).ok();
        let before: Option<Provenance> = before.and_then(|text| serde_json::from_slice(&text).ok());
        let mut now = before.clone().unwrap_or_else(|| Provenance {
            mixed: false,
            learner: arithmetic.clone(),
            workers: Vec::new(),
        });
        now.mixed |= self.options.mixed;
        if !now.workers.contains(&played.arithmetic) {
            now.workers.push(played.arithmetic.clone());
        }
        if before.as_ref() != Some(&now) {
            let text = serde_json::to_string_pretty(&now).unwrap_or_default();
            files::write_whole(&path, text.as_bytes())?;
        }
        Ok(())
    }
}

/// Removes the objects of a run that no unit of these jobs needs.
async fn remove_objects(objects: &ObjectStore, jobs: &[&Job]) -> Result<(), String> {
    let mut listed = objects.list().await.map_err(trouble("list objects"))?;
    let mut old = Vec::new();
    while let Some(info) = listed.next().await {
        let name = info.map_err(trouble("list objects"))?.name;
        let of_unit = name.strip_prefix("result/").and_then(|rest| rest.split('/').next());
        let needed = match of_unit {
            Some(key) => jobs.iter().any(|job| job.units.contains_key(key)),
            None => {
                let mut objects = jobs.iter().flat_map(|job| &job.objects);
                objects.any(|(needed, _)| *needed == name)
            }
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

/// Waits, but not if the run is stopped.
fn pause(time: Duration, stop: &AtomicBool) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(50));
    }
}
