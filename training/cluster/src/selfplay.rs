//! The kind of work that training runs offer: groups of games of self-play and of measurements.

use std::marker::PhantomData;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::atomic::Ordering;

use chase_training::game_record::Purpose;
use chase_training::kinds::Kind;
use chase_training::replay::shard::{self, ShardError};
use chase_training::selfplay::{Carried, Group, GroupGames};
use chase_training::settings::Settings;
use chase_training::venue::{Finished, Here, Offer, Tick, Venue, VenueError};
use serde::{Deserialize, Serialize};

use crate::cluster::{Cluster, Order, Part};
use crate::error::ClusterError;
use crate::job::{Files, Job, Task, add_files};
use crate::unit::Effort;

/// The [kind](Job::KIND).
pub const KIND: &str = "selfplay";
/// The name of the folder with the checkpoint that plays, and of the unfinished games that a group continues.
const CHECKPOINT: &str = "checkpoint";
const CARRIED: &str = "carried.parquet";

/// A group of games to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Games<K> {
    generation: u64,
    purpose: Purpose,
    group: u32,
    /// Numbers of its games.
    games: Range<u32>,
    /// The name, in files, of what plays.
    model: String,
    /// True if it continues unfinished games, and leaves others to the next generation.
    carries: bool,
    #[serde(skip)]
    kind_of_network: PhantomData<fn() -> K>,
}

/// The settings of a run from the text of its file.
///
/// # Errors
/// If they are none of this type.
pub fn settings<S: Settings>(text: &str) -> Result<S, String> {
    let settings = S::load(Some(("the configuration of the run", text)), &[]);
    settings.map_err(|error| error.to_string())
}

impl<K: Kind> Job for Games<K> {
    const KIND: &'static str = KIND;
    /// The file with the configuration of the run.
    type Terms = String;
    type Output = GroupGames<K::Game>;

    fn run(&self, terms: &String, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let settings: K::Settings = settings(terms)?;
        let folder = task.folder(CHECKPOINT)?;
        let saved = K::load(&settings, folder.path(), task.device());
        let saved = saved.map_err(|error| error.to_string())?;
        let group = Group {
            number: self.group,
            games: self.games.clone(),
        };
        let mut carried = Carried::new();
        if self.carries {
            let content = task.file(CARRIED)?.into();
            let unfinished = shard::from_parquet::<K::Game>(content, &K::rules(&settings), None, true)?;
            carried.insert(group.number, unfinished.records);
        }
        let offer = Offer::<K> {
            run: Path::new(""),
            settings: &settings,
            purpose: self.purpose,
            generation: self.generation,
            groups: std::slice::from_ref(&group),
            carried: self.carries.then_some(&carried),
            checkpoint: Path::new(""),
            model: &self.model,
            player: K::saved_player(&settings, &saved, task.device()),
            device: task.device(),
            counters: task.counters(),
            stop: task.give_up(),
        };
        let mut content = None;
        let mut finished = |group: &Group, games: GroupGames<K::Game>| {
            let origin = offer.origin(group);
            let [finished, unfinished] =
                [&games.finished, &games.unfinished].map(|games| shard::to_parquet(&origin, games));
            content = Some([&(finished.len() as u64).to_le_bytes()[..], &finished, &unfinished].concat());
            Ok::<_, ShardError>(())
        };
        Venue::<K>::play(&mut Here, &offer, &mut finished, &mut |_| ()).map_err(|error| error.to_string())?;
        Ok(content)
    }

    /// Reads the number of bytes of the shard of finished games, the shard, and that of unfinished ones: games of this
    /// group, played by the rules.
    fn check(&self, terms: &String, content: Vec<u8>) -> Result<Self::Output, String> {
        let rules = K::rules(&settings(terms)?);
        let parts = content.split_first_chunk().and_then(|(length, rest)| {
            let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
            rest.split_at_checked(length)
        });
        let (finished, unfinished) =
            parts.ok_or("expected a shard of finished games and a shard of unfinished games")?;
        let games = |content: &[u8], unfinished| {
            let shard = shard::from_parquet::<K::Game>(content.to_vec().into(), &rules, None, unfinished);
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

impl<K: Kind> Venue<K> for Cluster {
    fn play(
        &mut self,
        offer: &Offer<'_, K>,
        finished: &mut Finished<'_, K::Game>,
        tick: &mut Tick<'_>,
    ) -> Result<(), VenueError> {
        if offer.groups.is_empty() {
            return Ok(());
        }
        let take = &mut |number: usize, games: GroupGames<K::Game>, effort: Effort| {
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
fn order<'a, K: Kind>(offer: &'a Offer<'_, K>) -> Result<Order<'a, Games<K>>, ClusterError> {
    let terms = offer.settings.to_toml();
    let mut files = Files::new();
    add_files(offer.checkpoint, K::PLAYING_FILES, CHECKPOINT, &mut files)?;
    let part = move |group: &Group| {
        let carried = offer.carried.map(|carried| {
            let games = carried.get(&group.number).map_or(&[][..], Vec::as_slice);
            (CARRIED.to_owned(), shard::to_parquet(&offer.origin(group), games))
        });
        let (generation, purpose, model) = (offer.generation, offer.purpose, offer.model);
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
                model: model.to_owned(),
                carries: offer.carried.is_some(),
                kind_of_network: PhantomData,
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
