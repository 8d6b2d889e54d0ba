//! The kind of units that training runs offer: groups of games of self-play and of measurements.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use chase_models::checkpoint::Checkpoint;
use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::files;
use chase_training::game_record::{GroupOrigin, Purpose};
use chase_training::replay::shard::{self, ShardError};
use chase_training::run_dir::CONFIG_FILE;
use chase_training::selfplay::{Carried, Counters, Group, GroupGames};
use chase_training::serialised::json_value;
use chase_training::trainable::Trainable;
use chase_training::venue::{Finished, Here, Offer, Tick, Venue, VenueError};
use serde::{Deserialize, Serialize};

use crate::arithmetic::Arithmetic;
use crate::cluster::Cluster;
use crate::error::ClusterError;
use crate::task::Task;
use crate::unit::{Part, UnitEffort, UnitResult};
use crate::work::{Common, Taken, Work, checkpoint_files};

/// The kind of these units.
pub const KIND: &str = "selfplay";

/// A group of games to be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    generation: u64,
    purpose: Purpose,
    group: u32,
    /// Numbers of its games.
    games: Range<u32>,
    /// SHA-256 of the run's `config.toml`.
    config: String,
    /// Name of the checkpoint that plays.
    model: String,
    /// SHA-256 of its manifest, which vouches for the weights.
    checkpoint: String,
    /// SHA-256 of the file with the unfinished games that the group goes on with, if it leaves others to the next
    /// generation.
    carried: Option<String>,
}

/// The groups of an offer, as work for others.
struct Groups<'w, 'o, 'f, G: Trainable> {
    offer: &'w Offer<'o, G>,
    config: String,
    model: String,
    checkpoint: String,
    /// Hashes of the files with unfinished games, in the order of the groups.
    carried: Vec<Option<String>>,
    next: usize,
    finished: &'w mut Finished<'f, G>,
}

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
        let (mut groups, common) = Groups::new(offer, finished)?;
        self.finish(&mut groups, common, offer.stop, tick)
    }

    fn close(&mut self, run: &Path) -> Option<String> {
        self.forget(run)
    }
}

impl<'w, 'o, 'f, G: Trainable> Groups<'w, 'o, 'f, G> {
    /// The groups of an offer, and what workers need for them.
    fn new(offer: &'w Offer<'o, G>, finished: &'w mut Finished<'f, G>) -> Result<(Self, Common<'w>), ClusterError> {
        let arithmetic = Arithmetic::here(offer.device, offer.precision).map_err(ClusterError::Device)?;
        let fault = |path: &Path, reason: String| ClusterError::File {
            path: path.to_owned(),
            reason,
        };
        let path = offer.run.join(CONFIG_FILE);
        let config = files::read(&path).map_err(|error| fault(&path, error.to_string()))?;
        let [manifest, weights] =
            checkpoint_files(offer.checkpoint).map_err(|reason| fault(offer.checkpoint, reason))?;
        let sum = |content: &[u8]| FileFacts::of(content).sha256;
        let name = offer.checkpoint.file_name().expect("a checkpoint of a run has a name");
        let model = name.to_string_lossy().into_owned();
        let mut groups = Self {
            offer,
            config: sum(&config),
            checkpoint: sum(&manifest),
            carried: Vec::new(),
            model,
            next: 0,
            finished,
        };
        let mut files = vec![config, manifest, weights];
        for group in offer.groups {
            let file = offer.carried.map(|carried| {
                let games = carried.get(&group.number).map_or(&[][..], Vec::as_slice);
                shard::to_parquet(&offer.origin(group, &groups.model), games)
            });
            groups.carried.push(file.as_deref().map(sum));
            files.extend(file);
        }
        let common = Common {
            directory: offer.run,
            files,
            arithmetic: vec![arithmetic],
        };
        Ok((groups, common))
    }
}

impl From<ClusterError> for VenueError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Write(error) => Self::Shard(error.into()),
            error => Self::Elsewhere(error.into()),
        }
    }
}

impl<G: Trainable> Work for Groups<'_, '_, '_, G> {
    type Error = VenueError;

    fn next(&mut self) -> Option<Part> {
        let group = self.offer.groups.get(self.next)?;
        let carried = self.carried[self.next].clone();
        self.next += 1;
        let Offer {
            generation, purpose, ..
        } = *self.offer;
        let games = Games {
            generation,
            purpose,
            group: group.number,
            games: group.games.clone(),
            config: self.config.clone(),
            model: self.model.clone(),
            checkpoint: self.checkpoint.clone(),
            carried,
        };
        Some(Part {
            kind: KIND.to_owned(),
            epoch: generation,
            purpose: purpose.name().to_owned(),
            group: group.number,
            title: format!(
                "generation {generation}, {} group {} by {}",
                purpose.name(),
                group.number,
                self.model
            ),
            games: group.games.len() as u32,
            work: json_value(&games),
        })
    }

    /// All of them: results of those that are not offered are removed, and a resumed run needs them.
    fn ahead(&self) -> usize {
        usize::MAX
    }

    fn take(&mut self, part: &Part, played: UnitResult) -> Result<Taken, VenueError> {
        let Some(group) = self.offer.groups.iter().find(|group| group.number == part.group) else {
            return Ok(Taken::Refused("there is no such group".into()));
        };
        let origin = self.offer.origin(group, &self.model);
        let games = match read::<G>(self.offer, &origin, group, &played.content) {
            Err(reason) => return Ok(Taken::Refused(reason)),
            Ok(games) => games,
        };
        count(self.offer.counters, &played.effort, games.finished.len() as u64);
        (self.finished)(group, games)?;
        Ok(Taken::Counted)
    }
}

/// The content of a result: the number of bytes of the shard of finished games, the shard, and the same of unfinished
/// ones.
fn write<G: Trainable>(origin: &GroupOrigin, games: &GroupGames<G>) -> Vec<u8> {
    let [finished, unfinished] = [&games.finished, &games.unfinished].map(|games| shard::to_parquet(origin, games));
    [&(finished.len() as u64).to_le_bytes()[..], &finished, &unfinished].concat()
}

/// Reads a result that [`write()`] has written: the games of this group, played by the rules.
fn read<G: Trainable>(
    offer: &Offer<'_, G>,
    origin: &GroupOrigin,
    group: &Group,
    content: &[u8],
) -> Result<GroupGames<G>, String> {
    let parts = content.split_first_chunk().and_then(|(length, rest)| {
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        rest.split_at_checked(length)
    });
    let (finished, unfinished) = parts.ok_or("it is not a shard of finished and one of unfinished games")?;
    let rules = G::rules(offer.config);
    let games = |content: &[u8], unfinished| {
        let content = content.to_vec().into();
        shard::from_parquet::<G>(content, &rules, Some(origin), unfinished).map(|shard| shard.records)
    };
    let games = GroupGames {
        finished: games(finished, false)?,
        unfinished: games(unfinished, true)?,
    };
    let numbers = games.finished.iter().map(|record| record.index);
    match numbers.clone().eq(group.games.clone()) {
        true => Ok(games),
        false => Err(format!(
            "the games are {:?}, expected {:?}",
            numbers.collect::<Vec<_>>(),
            group.games
        )),
    }
}

/// Adds what a worker says it has done.
fn count(counters: &Counters, effort: &UnitEffort, games: u64) {
    for (counter, number) in [
        (&counters.games, games),
        (&counters.plies, effort.plies),
        (&counters.evaluations, effort.evaluations),
        (&counters.batches, effort.batches),
        (&counters.simulations, effort.simulations),
    ] {
        counter.fetch_add(number, Ordering::Relaxed);
    }
}

/// The configuration of the run of a unit of this kind, whose game says for which type it is to be [played](play).
///
/// # Errors
/// If the unit is none of this kind, or the configuration cannot be fetched or read.
pub fn config(task: &Task<'_>) -> Result<Config, String> {
    let games: Games = task.work()?;
    let text = task.file(&games.config)?;
    let text = std::str::from_utf8(&text).map_err(|error| error.to_string())?;
    let config = Config::load(Some(("the configuration of the run", text)), &[]);
    config.map_err(|error| error.to_string())
}

/// Plays a unit of this kind. The content of its shard; `None` if it was given up.
///
/// # Errors
/// The reason that it cannot be played.
pub fn play<G: Trainable>(task: &Task<'_>, config: &Config) -> Result<Option<UnitResult>, String> {
    let games: Games = task.work()?;
    if games.games.len() != task.unit().part.games as usize {
        return Err(format!(
            "it has the games {:?}, expected {}",
            games.games,
            task.unit().part.games
        ));
    }
    let load = |folder: &Path| Checkpoint::<G>::load_for(config.game.name(), folder, task.device());
    let checkpoint = task.with_checkpoint(&games.checkpoint, load)?;
    let checkpoint = checkpoint.map_err(|error| error.to_string())?;
    if checkpoint.encoding != G::encoding(config) {
        return Err("the checkpoint has other planes than the configuration".into());
    }
    let [arithmetic] = &task.unit().arithmetic[..] else {
        return Err("expected one arithmetic".into());
    };
    let group = Group {
        number: games.group,
        games: games.games,
    };
    let mut carried = Carried::new();
    if let Some(file) = &games.carried {
        let content = task.file(file)?.to_vec().into();
        let unfinished = shard::from_parquet::<G>(content, &G::rules(config), None, true)?;
        carried.insert(group.number, unfinished.records);
    }
    let counters = task.counters();
    let offer = Offer {
        run: Path::new(""),
        config,
        purpose: games.purpose,
        generation: games.generation,
        groups: std::slice::from_ref(&group),
        carried: games.carried.is_some().then_some(&carried),
        checkpoint: Path::new(""),
        network: &checkpoint.network,
        encoding: &checkpoint.encoding,
        device: task.device(),
        precision: arithmetic.precision,
        counters,
        stop: task.give_back(),
    };
    let origin = offer.origin(&group, &games.model);
    let mut content = None;
    let mut finished = |_: &Group, games: GroupGames<G>| {
        content = Some(write(&origin, &games));
        Ok::<_, ShardError>(())
    };
    Venue::<G>::play(&mut Here, &offer, &mut finished, &mut |_| ()).map_err(|error| error.to_string())?;
    let number = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let effort = UnitEffort {
        plies: number(&counters.plies),
        evaluations: number(&counters.evaluations),
        batches: number(&counters.batches),
        simulations: number(&counters.simulations),
    };
    Ok(content.map(|content| UnitResult { content, effort }))
}
