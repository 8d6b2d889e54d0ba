//! The kind of work that training runs offer: groups of games of self-play and of measurements.

use std::fs;
use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::Ordering;

use chase_models::Precision;
use chase_models::checkpoint::Checkpoint;
use chase_training::config::Config;
use chase_training::game_record::Purpose;
use chase_training::replay::shard::{self, ShardError};
use chase_training::selfplay::{Carried, Group, GroupGames};
use chase_training::store::run_dir::CONFIG_FILE;
use chase_training::trainable::Trainable;
use chase_training::venue::{Finished, Here, Offer, Tick, Venue, VenueError};
use serde::{Deserialize, Serialize};

use crate::cluster::{Cluster, Order, Part};
use crate::error::ClusterError;
use crate::job::{Files, Job, Task, checkpoint_files};
use crate::unit::Effort;

/// The [kind](Job::KIND).
pub const KIND: &str = "selfplay";
/// The name of the folder with the checkpoint that plays, and of the unfinished games that a group goes on with.
const CHECKPOINT: &str = "checkpoint";
const CARRIED: &str = "carried.parquet";

/// A group of games to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Games<G> {
    generation: u64,
    purpose: Purpose,
    group: u32,
    /// Numbers of its games.
    games: Range<u32>,
    /// Name of the checkpoint that plays.
    model: String,
    precision: Precision,
    /// True if it goes on with unfinished games, and leaves others to the next generation.
    carries: bool,
    #[serde(skip)]
    game: PhantomData<fn() -> G>,
}

/// The configuration of a run from its file.
///
/// # Errors
/// If it is none.
pub fn config(text: &str) -> Result<Config, String> {
    let config = Config::load(Some(("the configuration of the run", text)), &[]);
    config.map_err(|error| error.to_string())
}

impl<G: Trainable> Job for Games<G> {
    const KIND: &'static str = KIND;
    /// The file with the configuration of the run.
    type Terms = String;
    type Output = GroupGames<G>;

    fn run(&self, terms: &String, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let config = config(terms)?;
        let folder = task.folder(CHECKPOINT)?;
        let checkpoint = Checkpoint::<G>::load_for(config.game.name(), folder.path(), task.device());
        let checkpoint = checkpoint.map_err(|error| error.to_string())?;
        let group = Group {
            number: self.group,
            games: self.games.clone(),
        };
        let mut carried = Carried::new();
        if self.carries {
            let content = task.file(CARRIED)?.into();
            let unfinished = shard::from_parquet::<G>(content, &G::rules(&config), None, true)?;
            carried.insert(group.number, unfinished.records);
        }
        let offer = Offer {
            run: Path::new(""),
            config: &config,
            purpose: self.purpose,
            generation: self.generation,
            groups: std::slice::from_ref(&group),
            carried: self.carries.then_some(&carried),
            checkpoint: Path::new(""),
            network: &checkpoint.network,
            encoding: &checkpoint.encoding,
            device: task.device(),
            precision: self.precision,
            counters: task.counters(),
            stop: task.give_up(),
        };
        let mut content = None;
        let mut finished = |group: &Group, games: GroupGames<G>| {
            let origin = offer.origin(group, &self.model);
            let [finished, unfinished] =
                [&games.finished, &games.unfinished].map(|games| shard::to_parquet(&origin, games));
            content = Some([&(finished.len() as u64).to_le_bytes()[..], &finished, &unfinished].concat());
            Ok::<_, ShardError>(())
        };
        Venue::<G>::play(&mut Here, &offer, &mut finished, &mut |_| ()).map_err(|error| error.to_string())?;
        Ok(content)
    }

    /// Reads the number of bytes of the shard of finished games, the shard, and that of unfinished ones: games of this
    /// group, played by the rules.
    fn check(&self, terms: &String, content: Vec<u8>) -> Result<GroupGames<G>, String> {
        let rules = G::rules(&config(terms)?);
        let parts = content.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            rest.split_at_checked(length)
        });
        let (finished, unfinished) = parts.ok_or("it is not a shard of finished and one of unfinished games")?;
        let games = |content: &[u8], unfinished| {
            let shard = shard::from_parquet::<G>(content.to_vec().into(), &rules, None, unfinished);
            shard.map(|shard| shard.records)
        };
        let games = GroupGames {
            finished: games(finished, false)?,
            unfinished: games(unfinished, true)?,
        };
        let numbers: Vec<u32> = games.finished.iter().map(|record| record.index).collect();
        match numbers.iter().copied().eq(self.games.clone()) {
            true => Ok(games),
            false => Err(format!("the games are {numbers:?}, expected {:?}", self.games)),
        }
    }
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
        let take = &mut |number: usize, games: GroupGames<G>, effort: Effort| {
            effort.add_to(offer.counters);
            let games_played = &offer.counters.games;
            games_played.fetch_add(games.finished.len() as u64, Ordering::Relaxed);
            finished(&offer.groups[number], games)?;
            Ok::<_, VenueError>(ControlFlow::Continue(()))
        };
        self.finish(order(offer)?, offer.stop, tick, take)
    }

    fn close(&mut self, run: &Path) -> Option<String> {
        self.forget(run)
    }
}

/// The groups of an offer, and what workers need for them.
fn order<'a, G: Trainable>(offer: &'a Offer<'a, G>) -> Result<Order<'a, Games<G>>, ClusterError> {
    let path = offer.run.join(CONFIG_FILE);
    let terms = fs::read_to_string(&path).map_err(|error| ClusterError::file(&path, error))?;
    let mut files = Files::new();
    checkpoint_files(offer.checkpoint, CHECKPOINT, &mut files)?;
    let name = offer.checkpoint.file_name().expect("a checkpoint of a run has a name");
    let model = name.to_string_lossy().into_owned();
    let part = move |group: &Group| {
        let carried = offer.carried.map(|carried| {
            let games = carried.get(&group.number).map_or(&[][..], Vec::as_slice);
            (
                CARRIED.to_owned(),
                shard::to_parquet(&offer.origin(group, &model), games),
            )
        });
        let (generation, purpose) = (offer.generation, offer.purpose);
        Part {
            title: format!(
                "generation {generation}, {} group {} by {model}",
                purpose.name(),
                group.number
            ),
            games: group.games.len(),
            files: carried.into_iter().collect(),
            job: Games {
                generation,
                purpose,
                group: group.number,
                games: group.games.clone(),
                model: model.clone(),
                precision: offer.precision,
                carries: offer.carried.is_some(),
                game: PhantomData,
            },
        }
    };
    Ok(Order {
        directory: offer.run,
        device: offer.device,
        terms,
        files,
        parts: offer.groups.iter().map(part).collect(),
        in_order: false,
    })
}

impl From<ClusterError> for VenueError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::Write(error) => Self::Shard(error.into()),
            error => Self::Elsewhere(error.into()),
        }
    }
}
