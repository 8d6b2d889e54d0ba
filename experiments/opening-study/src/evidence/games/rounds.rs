//! Games in rounds, each of which doubles their number.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};

use chase_engine::Chase;
use chase_training::store::files::FileError;
use chase_training::store::gather::{Gather, Receive, gather};

use super::design::Design;
use super::facts::GameFacts;
use super::job::{self, GamesFile, holds};
use super::pass::{self, Pass};
use super::play::{OneAgent, Start};
use super::series::Series;
use super::series_id::SeriesId;
use super::tables::Tables;
use crate::evidence::dice::DiceFacts;
use crate::evidence::error::EvidenceError;
use crate::evidence::forks::GameTurns;
use crate::evidence::workers::{self, Elsewhere};
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
        /// Plies of these games.
        plies: u64,
        /// True if they were already stored.
        stored: bool,
    },
    /// All games are played; the tables of games and plies are finished.
    Tables,
}

/// Everything gathered from the games of a study.
#[derive(Clone, Debug, Default)]
pub struct GamesData {
    /// Facts of the games, by series, in the order of numbers.
    pub facts: HashMap<SeriesId, Vec<GameFacts>>,
    /// Facts about dice in the games that count for them, by player.
    pub dice: Vec<DiceFacts>,
    /// Turns of these games that could become forks.
    pub turns: Vec<GameTurns>,
    /// The files of games in order, one JSON object per line.
    pub shards: Vec<PathBuf>,
}

/// The games of a study so far.
pub(crate) struct Rounds<'a> {
    folder: &'a Path,
    pub design: &'a Design,
    pub series: &'a [Series],
    /// Workers that play instead of this process.
    elsewhere: Option<&'a Elsewhere<'a>>,
    /// The facts of the games so far.
    pub data: GamesData,
    games: u64,
    tables: Mutex<Tables>,
    stop: &'a AtomicBool,
    on_event: &'a (dyn Fn(GamesEvent) + Sync),
}

/// The games of a round, and how they are played.
struct Round<'a> {
    /// Its number, from 0.
    number: usize,
    design: &'a Design,
    contestants: &'a [Contestant<Chase>],
    /// Workers that play instead of this process.
    elsewhere: Option<&'a Elsewhere<'a>>,
    tables: &'a Mutex<Tables>,
    stop: &'a AtomicBool,
    on_event: &'a (dyn Fn(GamesEvent) + Sync),
}

/// A file of games of a round, and its place in the study.
struct Part {
    path: PathBuf,
    player: usize,
    starts: Vec<Start>,
    /// Its number among all files.
    number: usize,
    /// The number of its first game among all games.
    first: u64,
}

impl<'a> Rounds<'a> {
    /// The state before the first round. Games are played by the workers `elsewhere`, or in this process.
    pub fn new(
        folder: &'a Path,
        design: &'a Design,
        series: &'a [Series],
        elsewhere: Option<&'a Elsewhere<'a>>,
        stop: &'a AtomicBool,
        on_event: &'a (dyn Fn(GamesEvent) + Sync),
    ) -> Self {
        Self {
            folder,
            design,
            series,
            elsewhere,
            data: GamesData::default(),
            games: 0,
            tables: Mutex::new(Tables::new(folder, design)),
            stop,
            on_event,
        }
    }

    /// Plays a round: the games of open series up to a number, `most` for a series from a forced opening.
    pub fn play(
        &mut self,
        round: usize,
        most: u32,
        open: &HashSet<SeriesId>,
        contestants: &[Contestant<Chase>],
    ) -> Result<(), EvidenceError> {
        let folder = self.folder.join("games").join(format!("round-{round:02}"));
        std::fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        let mut parts: Vec<Part> = Vec::new();
        let before = self.games;
        for player in 0..contestants.len() {
            let starts = self.starts(player, most, open);
            let files = starts.chunks(self.design.config.shard.max(1) as usize).enumerate();
            for (file, starts) in files {
                let part = Part {
                    path: folder.join(format!("player-{player:02}-{file:05}.jsonl")),
                    player,
                    starts: starts.to_vec(),
                    number: self.data.shards.len(),
                    first: self.games,
                };
                self.data.shards.push(part.path.clone());
                self.games += starts.len() as u64;
                parts.push(part);
            }
        }
        (self.on_event)(GamesEvent::Round {
            round: round + 1,
            rounds: self.design.rounds().len(),
            open_series: open.len(),
            games: self.games - before,
        });
        let round = Round {
            number: round,
            design: self.design,
            contestants,
            elsewhere: self.elsewhere,
            tables: &self.tables,
            stop: self.stop,
            on_event: self.on_event,
        };
        for pass in gather(&round, &parts)?.ok_or(EvidenceError::Stopped)? {
            for (series, facts) in pass.facts {
                self.data.facts.entry(series).or_default().push(facts);
            }
            self.data.dice.extend(pass.dice);
            self.data.turns.extend(pass.turns);
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
        let played = |series: &Series| self.data.facts.get(&series.id).map_or(0, Vec::len) as u32;
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

    /// Writes the tables of games and plies, once all games are played.
    pub fn finish(self) -> Result<GamesData, EvidenceError> {
        (self.on_event)(GamesEvent::Tables);
        self.tables
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .finish()?;
        let mut data = self.data;
        data.dice.sort_by_key(|facts| facts.player);
        Ok(data)
    }
}

impl Gather for Round<'_> {
    type Unit = Part;
    type Content = Vec<PlayedGame>;
    type Kept = Pass;
    type Bench = OneAgent;
    type Error = EvidenceError;

    fn stop(&self) -> &AtomicBool {
        self.stop
    }

    fn file(&self, part: &Part) -> PathBuf {
        part.path.clone()
    }

    fn check(&self, part: &Part, games: &Vec<PlayedGame>) -> Result<(), String> {
        holds(&part.starts, games)
    }

    fn make(&self, bench: &mut OneAgent, part: &Part) -> Result<Option<Vec<PlayedGame>>, EvidenceError> {
        let contestant = &self.contestants[part.player];
        let agent = bench.of(part.player, contestant);
        let played = job::play_starts(&part.starts, self.design, agent, self.stop);
        played.map_err(|failure| EvidenceError::Agent {
            player: contestant.name().to_owned(),
            failure,
        })
    }

    /// The facts of the games, whose rows go to the tables.
    fn keep(&self, part: &Part, games: Vec<PlayedGame>, stored: bool) -> Result<Pass, EvidenceError> {
        (self.on_event)(GamesEvent::Finished {
            games: games.len() as u64,
            plies: games.iter().map(|game| u64::from(game.result.plies)).sum(),
            stored,
        });
        let (pass, rows) = pass::replay(self.design, &part.starts, &games, part.first)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.add(part.number, rows)?;
        Ok(pass)
    }

    fn elsewhere(&self, missing: &[&Part], receive: &mut Receive<'_, Self>) -> Result<(), EvidenceError> {
        workers::make(self.elsewhere, missing, receive, |part| {
            let name = self.contestants[part.player].name();
            let title = format!("round {}, file {} of games: {name}", self.number + 1, part.number);
            let starts = &part.starts;
            (GamesFile::of(part.player, starts), title, starts.len())
        })
    }
}
