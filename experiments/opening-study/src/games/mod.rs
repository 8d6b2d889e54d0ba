//! Games of equal players from forced openings, and what they say of the article's claims.
//!
//! A player plays against itself: from every first move, from the replies that the article names, and from the initial
//! position. [`Series`] are the games with the same forced plies; the games of one number in all series are a block, the unit
//! of resampling: those of one player share their chance. Games come in rounds, each of which doubles their number, for the series
//! whose questions are still open; the intervals of [`statistics`](super::statistics) hold however that comes out.
//!
//! [`run`] plays what is missing in a folder and says what it found. What is finished is on disk: a study that was killed
//! goes on, and ends as if it had not been. `experiments/opening-study/OPENING_GAMES.md` is the page about it.

mod analysis;
mod config;
mod data;
mod design;
mod facts;
mod findings;
mod pass;
mod play;
mod series;
mod series_id;
mod store;
mod tables;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use chase_engine::Chase;
use chase_models::device::Device;
use chase_training::config::Problem;
use chase_training::files::{self, FileError};
use rayon::prelude::*;

pub use config::GamesConfig;
pub use data::{FirstMoveData, GamesData, SeriesData};
pub use design::{Design, FOLDER_VERSION, Player};
pub use facts::{EARLY_PLIES, GameFacts, LINE_PLIES};

pub use series::{Answered, Series, away_openings, four_openings};
pub use series_id::{Forced, Kind, SeriesId, SeriesIdError};
pub use store::StoreError;

use analysis::Analysis;
use pass::Pass;
use play::{Conditions, Start};
use store::Shard;
use tables::Tables;

use super::Finding;
use super::dice::facts::DiceFacts;
use chase_arena::PlayerError;
use chase_arena::games::ReplayError;
use chase_arena::{AgentFailure, Contestant};

/// Why the games cannot be played or used.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The configuration has values out of range.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Config(Vec<Problem>),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A player cannot go on.
    #[error("{player} cannot go on: {failure}")]
    Agent {
        /// The player.
        player: String,
        /// Its reason.
        failure: AgentFailure,
    },
    /// A player plays one game again and again.
    #[error(
        "{player} played {distinct} different games out of {games} from one position: expected chance in its first plies, \
         such as games.temperature for a network or blunders for a baseline"
    )]
    SameGames {
        /// The player.
        player: String,
        /// Different games among them.
        distinct: usize,
        /// Games.
        games: usize,
    },
    /// A stored game is none.
    #[error("stored games: {0}")]
    Replay(#[from] ReplayError),
    /// Files cannot be written or used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was stopped; what is finished stays.
    #[error("stopped; the same command goes on where it was")]
    Stopped,
}

impl From<FileError> for GamesError {
    fn from(error: FileError) -> Self {
        Self::Store(error.into())
    }
}

/// What happens while games are played. Events of different files come in any order.
#[derive(Clone, Copy, Debug)]
pub enum GamesEvent {
    /// A round begins.
    Round {
        /// Its number, from 1.
        round: usize,
        /// Rounds at most.
        rounds: usize,
        /// Series whose questions are open.
        open_series: usize,
        /// Games of this round, those that were played before too.
        games: u64,
    },
    /// Some games of the round are finished.
    Finished {
        /// How many.
        games: u64,
        /// Their plies.
        plies: u64,
        /// Whether they were there already.
        stored: bool,
    },
    /// All games are played; the tables of games and plies are finished.
    Tables,
}

/// How a study is watched and stopped.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set to stop: games in progress are given up.
    pub stop: &'a AtomicBool,
    /// Called for every event, from any thread.
    pub on_event: &'a (dyn Fn(GamesEvent) + Sync),
}

impl std::fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watch").field("stop", self.stop).finish_non_exhaustive()
    }
}

/// What came out.
#[derive(Clone, Debug)]
pub struct GamesStudy {
    /// What was played.
    pub design: Design,
    /// What it says of the claims.
    pub findings: Vec<Finding>,
    /// The numbers behind it; also in `games.json`.
    pub data: GamesData,
    /// What happened to dice in the games that claims about them rest on, by player.
    pub dice: Vec<DiceFacts>,
    /// The files of games, one JSON object a line, in their order.
    pub shards: Vec<PathBuf>,
}

/// Plays what is missing in `folder`, on as many threads as the current pool has, and tells what was found.
///
/// The folder then holds `design.json`, the games, `games.parquet`, `plies.parquet` and `games.json`. All of it follows
/// from the configuration, the seed and the players, whatever the number of threads, and however often it was stopped.
/// `command` is what findings say gives them again.
///
/// # Errors
/// If the configuration is out of range, a player cannot play, the folder holds another study, or it was stopped.
pub fn run(
    folder: &Path,
    config: &GamesConfig,
    seed: u64,
    device: Device,
    command: &str,
    watch: &Watch<'_>,
) -> Result<GamesStudy, GamesError> {
    let problems = config.problems();
    if !problems.is_empty() {
        return Err(GamesError::Config(problems));
    }
    let design = Design::of(folder, config, seed, device)?;
    let series = design.series();
    let mut contestants = Vec::new();
    for player in &design.players {
        contestants.push(player.player.contestant(device)?);
    }
    let mut study = Games {
        folder,
        design: &design,
        series: &series,
        facts: HashMap::new(),
        dice: Vec::new(),
        games: 0,
        shards: Vec::new(),
        tables: Mutex::new(Tables::new(folder, &design)),
    };
    let rounds = design.rounds();
    let mut open: HashSet<SeriesId> = series.iter().map(|series| series.id).collect();
    for (round, &most) in rounds.iter().enumerate() {
        study.play_round(round, most, &open, &contestants, watch)?;
        if round == 0 {
            study.check_chance(command)?;
        }
        open = study.analysis(command).open_series();
        if open.is_empty() {
            break;
        }
    }
    (watch.on_event)(GamesEvent::Tables);
    let analysis = study.analysis(command);
    let (findings, data) = (analysis.findings(), analysis.data());
    let path = folder.join("games.json");
    let text = serde_json::to_string_pretty(&data).map_err(|error| StoreError::content(&path, error))?;
    files::write_whole(&path, (text + "\n").as_bytes())?;
    let Games {
        shards,
        mut dice,
        tables,
        ..
    } = study;
    tables.into_inner().unwrap_or_else(PoisonError::into_inner).finish()?;
    dice.sort_by_key(|facts| facts.player);
    Ok(GamesStudy {
        design,
        findings,
        data,
        dice,
        shards,
    })
}

/// The games so far.
struct Games<'a> {
    folder: &'a Path,
    design: &'a Design,
    series: &'a [Series],
    /// By series, in the order of numbers.
    facts: HashMap<SeriesId, Vec<GameFacts>>,
    dice: Vec<DiceFacts>,
    /// How many they are.
    games: u64,
    /// Their files.
    shards: Vec<PathBuf>,
    tables: Mutex<Tables>,
}

/// A file of games of a round, with its place in the study.
struct Part {
    shard: Shard,
    player: usize,
    /// Its number among all files.
    number: usize,
    /// The number of its first game among all games.
    first: u64,
}

impl Games<'_> {
    fn analysis<'a>(&'a self, command: &'a str) -> Analysis<'a> {
        Analysis::new(self.design, self.series, &self.facts, command)
    }

    /// Plays a round: the games of open series up to a number, `most` for one from a forced opening.
    fn play_round(
        &mut self,
        round: usize,
        most: u32,
        open: &HashSet<SeriesId>,
        contestants: &[Contestant<Chase>],
        watch: &Watch<'_>,
    ) -> Result<(), GamesError> {
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
                });
            }
        }
        (watch.on_event)(GamesEvent::Round {
            round: round + 1,
            rounds: self.design.rounds().len(),
            open_series: open.len(),
            games: self.games - before,
        });
        // One player after another, so that a thread holds one network at a time.
        for (player, contestant) in contestants.iter().enumerate() {
            let parts = parts.iter().filter(|part| part.player == player);
            // In their order, so that few rows wait for those of a file before theirs.
            let played: Result<Vec<_>, GamesError> = parts
                .par_bridge()
                .map_init(
                    || None,
                    |agent, part| Ok((part.number, self.play_part(part, contestant, agent, watch)?)),
                )
                .collect();
            let mut played = played?;
            played.sort_unstable_by_key(|(number, _)| *number);
            for (_, (facts, dice)) in played {
                for (series, facts) in facts {
                    self.facts.entry(series).or_default().push(facts);
                }
                self.dice.extend(dice);
            }
        }
        Ok(())
    }

    /// The games of a player in a round, all series of one number together.
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

    /// What the games of a file tell, which are played if they are not there. Their rows go to the tables.
    fn play_part(
        &self,
        part: &Part,
        contestant: &Contestant<Chase>,
        agent: &mut Option<Box<dyn chase_arena::Agent<Chase>>>,
        watch: &Watch<'_>,
    ) -> Result<(Vec<(SeriesId, GameFacts)>, Vec<DiceFacts>), GamesError> {
        let shard = &part.shard;
        if watch.stop.load(Ordering::Relaxed) {
            return Err(GamesError::Stopped);
        }
        let stored = shard.read()?;
        let found = stored.is_some();
        let games = match stored {
            Some(games) => games,
            None => {
                let config = &self.design.config;
                let conditions = Conditions {
                    seed: self.design.seed,
                    in_flight: config.in_flight as usize,
                    max_plies: config.max_plies,
                    stop: watch.stop,
                };
                let agent = agent.get_or_insert_with(|| contestant.agent());
                let failed = |failure| GamesError::Agent {
                    player: contestant.name().to_owned(),
                    failure,
                };
                let games = play::play(&shard.starts, agent, &conditions).map_err(failed)?;
                let games = games.ok_or(GamesError::Stopped)?;
                shard.write(&games)?;
                games
            }
        };
        (watch.on_event)(GamesEvent::Finished {
            games: games.len() as u64,
            plies: games.iter().map(|game| u64::from(game.result.plies)).sum(),
            stored: found,
        });
        let Pass { facts, dice, rows } = pass::replay(self.folder, self.design, &shard.starts, &games, part.first)?;
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        tables.add(part.number, rows)?;
        Ok((facts, dice))
    }

    /// Whether the first games from the initial position differ of each player of the whole study. One of the curve whose
    /// games do not is a remark in what is found.
    fn check_chance(&self, command: &str) -> Result<(), GamesError> {
        let analysis = self.analysis(command);
        for player in self.design.main_players() {
            if let Some((distinct, games)) = analysis.repeats(player) {
                return Err(GamesError::SameGames {
                    player: self.design.players[player].name.clone(),
                    distinct,
                    games,
                });
            }
        }
        Ok(())
    }
}
