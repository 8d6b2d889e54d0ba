//! The kind of units that training runs offer: groups of games of self-play and of measurements.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use chase_models::checkpoint::Checkpoint;
use chase_models::manifest::FileFacts;
use chase_training::config::Config;
use chase_training::files;
use chase_training::game_record::Purpose;
use chase_training::replay::shard::{self, ShardError};
use chase_training::run_dir::CONFIG_FILE;
use chase_training::selfplay::{Counters, Group, GroupGames, Settings};
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
}

/// The groups of an offer, as work for others.
struct Groups<'w, 'o, 'f, G: Trainable> {
    offer: &'w Offer<'o, G>,
    settings: Settings<G>,
    config: String,
    model: String,
    checkpoint: String,
    next: usize,
    finished: &'w mut Finished<'f, G>,
}

/// Why a run cannot be played by a cluster.
pub const CARRIED: &str =
    "the workers of a cluster play games from their beginning to their end; expected selfplay.carry_over = false";

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
        if offer.carried.is_some() {
            return Err(VenueError::Elsewhere(CARRIED.into()));
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
        let groups = Self {
            offer,
            settings: Settings::<G>::new(offer.config, offer.purpose, offer.generation),
            config: sum(&config),
            model: name.to_string_lossy().into_owned(),
            checkpoint: sum(&manifest),
            next: 0,
            finished,
        };
        let common = Common {
            directory: offer.run,
            files: vec![config, manifest, weights],
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
        let settings = &self.settings;
        let checked = shard::from_parquet::<G>(played.content.into(), &settings.rules, Some(&origin), false)
            .and_then(|shard| settings.check(group, &shard.records).map(|()| shard.records));
        let records = match checked {
            Err(reason) => return Ok(Taken::Refused(reason)),
            Ok(records) => records,
        };
        count(self.offer.counters, &played.effort, records.len() as u64);
        (self.finished)(group, GroupGames::whole(records))?;
        Ok(Taken::Counted)
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
    let counters = task.counters();
    let offer = Offer {
        run: Path::new(""),
        config,
        purpose: games.purpose,
        generation: games.generation,
        groups: std::slice::from_ref(&group),
        carried: None,
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
        content = Some(shard::to_parquet::<G>(&origin, &games.finished));
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
