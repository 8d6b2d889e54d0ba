//! Games in rounds, each of which doubles their number.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use chase_engine::Chase;
use chase_training::store::files::FileError;
use rayon::prelude::*;

use super::design::Design;
use super::facts::GameFacts;
use super::pass::{self, Pass};
use super::play::Start;
use super::remote::{self, GamesFile};
use super::series::Series;
use super::series_id::SeriesId;
use super::store::{self, Shard};
use super::tables::Tables;
use crate::evidence::dice::DiceFacts;
use crate::evidence::elsewhere::{self, Elsewhere};
use crate::evidence::error::EvidenceError;
use crate::evidence::forks::GameTurns;
use crate::evidence::values::ValueFacts;
use chase_arena::Contestant;
use chase_arena::games::PlayedGame;

/// Events while games are played. Those of different files come in any order.
#[derive(Clone, Copy, Debug)]
pub enum GamesEvent {
    /// A round begins.
    Round {
        /// Its number, from 1.
        round: usize,
        /// Maximum number of rounds.
        rounds: usize,
        /// Series whose questions are open.
        open_series: usize,
        /// Games of this round, including those already played.
        games: u64,
    },
    /// Some games of the round are finished.
    Finished {
        /// Number of these games.
        games: u64,
        /// Their plies.
        plies: u64,
        /// True if they were already stored.
        stored: bool,
    },
    /// All games are played; the tables of games and plies are finished.
    Tables,
}

/// Observes the games, and can stop them.
#[derive(Clone, Copy)]
pub struct GamesWatch<'a> {
    /// Set to stop: games in progress are abandoned.
    pub stop: &'a AtomicBool,
    /// Called for every event, from any thread.
    pub on_event: &'a (dyn Fn(GamesEvent) + Sync),
}

impl std::fmt::Debug for GamesWatch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GamesWatch")
            .field("stop", self.stop)
            .finish_non_exhaustive()
    }
}

/// The games of a study so far.
pub(crate) struct Rounds<'a> {
    folder: &'a Path,
    pub design: &'a Design,
    pub series: &'a [Series],
    /// Workers that play instead of this process.
    elsewhere: Option<&'a Elsewhere<'a>>,
    /// Facts of the games, by series, in the order of numbers.
    pub facts: HashMap<SeriesId, Vec<GameFacts>>,
    dice: Vec<DiceFacts>,
    turns: Vec<GameTurns>,
    values: Vec<ValueFacts>,
    /// Number of games.
    games: u64,
    /// Their files.
    shards: Vec<PathBuf>,
    tables: Mutex<Tables>,
}

/// Everything gathered from the games of a study.
pub(crate) struct Gathered {
    /// Facts about dice in the games that count for them, by player.
    pub dice: Vec<DiceFacts>,
    /// Turns of these games that could become forks.
    pub turns: Vec<GameTurns>,
    /// Expectations of searches, by player.
    pub values: Vec<ValueFacts>,
    /// The files of games in order.
    pub shards: Vec<PathBuf>,
}

/// A file of games of a round, and its place in the study.
struct Part {
    shard: Shard,
    player: usize,
    /// Its number among all files.
    number: usize,
    /// The number of its first game among all games.
    first: u64,
    /// True if workers have just played it, which was told already.
    told: bool,
}

impl<'a> Rounds<'a> {
    /// The state before the first round. Games are played by the workers `elsewhere`, or in this process.
    pub fn new(
        folder: &'a Path,
        design: &'a Design,
        series: &'a [Series],
        elsewhere: Option<&'a Elsewhere<'a>>,
    ) -> Self {
        Self {
            folder,
            design,
            series,
            elsewhere,
            facts: HashMap::new(),
            dice: Vec::new(),
            turns: Vec::new(),
            values: Vec::new(),
            games: 0,
            shards: Vec::new(),
            tables: Mutex::new(Tables::new(folder, design)),
        }
    }

    /// Plays a round: the games of open series up to a number, `most` for a series from a forced opening.
    pub fn play(
        &mut self,
        round: usize,
        most: u32,
        open: &HashSet<SeriesId>,
        contestants: &[Contestant<Chase>],
        watch: &GamesWatch<'_>,
    ) -> Result<(), EvidenceError> {
        let folder = self.folder.join("games").join(format!("round-{round:02}"));
        std::fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        let mut parts: Vec<Part> = Vec::new();
        let before = self.games;
        for player in 0..contestants.len() {
            let starts = self.starts(player, most, open);
            for shard in store::shards(self.folder, round, player, &starts, self.design.config.shard) {
                let (number, first) = (self.shards.len(), self.games);
                self.shards.push(shard.path.clone());
                self.games += shard.starts.len() as u64;
                parts.push(Part {
                    shard,
                    player,
                    number,
                    first,
                    told: false,
                });
            }
        }
        (watch.on_event)(GamesEvent::Round {
            round: round + 1,
            rounds: self.design.rounds().len(),
            open_series: open.len(),
            games: self.games - before,
        });
        if let Some(elsewhere) = self.elsewhere {
            play_elsewhere(elsewhere, round, contestants, &mut parts, watch)?;
        }
        // One player after another, so that a thread holds one network at a time.
        for (player, contestant) in contestants.iter().enumerate() {
            let parts = parts.iter().filter(|part| part.player == player);
            // In order, so that few rows have to wait for those of an earlier file.
            let played: Result<Vec<_>, EvidenceError> = parts
                .par_bridge()
                .map_init(
                    || None,
                    |agent, part| Ok((part.number, self.play_part(part, contestant, agent, watch)?)),
                )
                .collect();
            let mut played = played?;
            played.sort_unstable_by_key(|(number, _)| *number);
            for (_, pass) in played {
                let Pass {
                    facts,
                    dice,
                    turns,
                    values,
                } = pass;
                for (series, facts) in facts {
                    self.facts.entry(series).or_default().push(facts);
                }
                self.dice.extend(dice);
                self.turns.extend(turns);
                self.values.extend(values);
            }
        }
        Ok(())
    }

    /// The games of a player in a round, with those of the same number in all series together.
    fn starts(&self, player: usize, most: u32, open: &HashSet<SeriesId>) -> Vec<Start> {
        let series: Vec<&Series> = self
            .series
            .iter()
            .filter(|series| series.player() == player && open.contains(&series.id))
            .collect();
        let played = |series: &Series| self.facts.get(&series.id).map_or(0, Vec::len) as u32;
        let wanted = |series: &Series| self.design.games(series.kind(), most);
        let numbers = 0..series.iter().map(|series| wanted(series)).max().unwrap_or(0);
        let starts = numbers.flat_map(|number| {
            let missing = series
                .iter()
                .filter(move |series| (played(series)..wanted(series)).contains(&number));
            missing.map(move |&&series| Start { series, number })
        });
        starts.collect()
    }

    /// The facts of a file's games, which are played if the file does not exist. Their rows go to the tables.
    fn play_part(
        &self,
        part: &Part,
        contestant: &Contestant<Chase>,
        agent: &mut Option<Box<dyn chase_arena::Agent<Chase>>>,
        watch: &GamesWatch<'_>,
    ) -> Result<Pass, EvidenceError> {
        let shard = &part.shard;
        if watch.stop.load(Ordering::Relaxed) {
            return Err(EvidenceError::Stopped);
        }
        let stored = shard.read()?;
        let found = stored.is_some();
        let games = match stored {
            Some(games) => games,
            None => {
                let agent = agent.get_or_insert_with(|| contestant.agent());
                let played = remote::play_starts(&shard.starts, self.design, agent.as_mut(), watch.stop);
                let played = played.map_err(|failure| EvidenceError::Agent {
                    player: contestant.name().to_owned(),
                    failure,
                });
                let games = played?.ok_or(EvidenceError::Stopped)?;
                shard.write(&games)?;
                games
            }
        };
        if !part.told {
            (watch.on_event)(finished(&games, found));
        }
        let (pass, rows) = pass::replay(self.design, &shard.starts, &games, part.first)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.add(part.number, rows)?;
        Ok(pass)
    }

    /// Writes the tables of games and plies, once all games are played.
    pub fn finish_tables(&mut self) -> Result<(), EvidenceError> {
        let tables = self.tables.get_mut().unwrap_or_else(PoisonError::into_inner);
        Ok(tables.finish()?)
    }

    /// Everything gathered from the games.
    pub fn finish(self) -> Gathered {
        let Self {
            mut dice,
            turns,
            mut values,
            shards,
            ..
        } = self;
        dice.sort_by_key(|facts| facts.player);
        values.sort_by_key(|facts| facts.player);
        Gathered {
            dice,
            turns,
            values,
            shards,
        }
    }
}

/// Has the files of a round that are missing played by the workers of a cluster.
fn play_elsewhere(
    elsewhere: &Elsewhere<'_>,
    round: usize,
    contestants: &[Contestant<Chase>],
    parts: &mut [Part],
    watch: &GamesWatch<'_>,
) -> Result<(), EvidenceError> {
    let missing: Vec<usize> = (0..parts.len())
        .filter(|&place| !parts[place].shard.path.exists())
        .collect();
    let job = |&place: &usize| {
        let Part {
            shard, player, number, ..
        } = &parts[place];
        let name = contestants[*player].name();
        let title = format!("round {}, file {number} of games: {name}", round + 1);
        elsewhere::part(GamesFile::of(*player, &shard.starts), title, shard.starts.len())
    };
    let jobs = missing.iter().map(job).collect();
    elsewhere.make(jobs, &mut |number, games: Vec<PlayedGame>| {
        let part = &mut parts[missing[number]];
        part.shard.write(&games)?;
        part.told = true;
        (watch.on_event)(finished(&games, false));
        Ok(())
    })
}

fn finished(games: &[PlayedGame], stored: bool) -> GamesEvent {
    GamesEvent::Finished {
        games: games.len() as u64,
        plies: games.iter().map(|game| u64::from(game.result.plies)).sum(),
        stored,
    }
}
