//! Tournaments: who meets whom, games that survive any interruption, and what they amount to.
//!
//! A [`Tournament`] lives in one directory:
//!
//! | path | content |
//! |---|---|
//! | `config.toml` | the resolved configuration, written before the first game: [`TournamentConfig`] |
//! | `meta.json` | versions, commit, seed, command line, machine |
//! | `players.json` | the players, and the checkpoints of networks with their hashes |
//! | `openings.txt` | the openings, where they come from a file or were searched for |
//! | `games.jsonl` | one finished game a line, in the order of the [`Schedule`]; only ever appended to |
//! | `records.txt` | the same games as records that people read |
//! | `report.json`, `report.html` | ratings, tables and charts |
//!
//! The games are the truth; everything else can be made from them again. They come in units, some pairs of two players
//! that are played together so that networks see whole batches. A unit is the same whatever runs beside it, and units
//! are written in the order of the schedule. With players without a limit of time, the file is therefore the same to
//! the last byte on any number of threads and however often the tournament was interrupted.

mod config;
mod directory;
mod entrant;
mod error;
mod openings;
mod page;
mod results;
mod schedule;
mod standings;
mod workers;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use chase_engine::Game;
use chase_models::device;
use chase_training::config::ConfigError;
use chase_training::files;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::matches::Openings;
use crate::matches::{Match, PairResult};
use crate::playable::Playable;
use crate::players::Contestant;
use crate::report_files;

pub use config::{Format, TournamentConfig};
pub use directory::{CheckpointProvenance, Provenance};
pub use entrant::{Entrant, EntrantError};
pub use error::TournamentError;
pub use openings::{Balance, OpeningSpec, OpeningSpecError};
pub use results::Results;
pub use schedule::{Schedule, Unit};
pub use standings::{MatchStanding, OpeningScore, PlayerStanding, SimulationSeries, SprtStanding, Standings};

use directory::Directory;

/// A tournament that can be played, interrupted and resumed.
#[derive(Debug)]
pub struct Tournament<G: Game> {
    directory: Directory,
    threads: ThreadPool,
    config: TournamentConfig,
    contestants: Vec<Contestant<G>>,
    conditions: Match<G>,
    results: Results,
    /// Units that are written down.
    units: usize,
}

/// How playing ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is nothing left to play.
    Complete,
    /// It was asked to stop.
    Stopped,
}

impl<G: Playable> Tournament<G> {
    /// Begins a tournament in a new directory.
    ///
    /// # Errors
    /// If a player or the openings cannot be had, or the directory cannot be used.
    pub fn create(path: &Path, mut config: TournamentConfig) -> Result<Self, TournamentError> {
        // A run that trains on has other checkpoints tomorrow: what is written down is the one that plays.
        config.settle()?;
        let contestants = contestants(&config)?;
        let threads = threads(&config)?;
        let openings = threads.install(|| config.openings.resolve::<G>(&rules::<G>(&config), config.seed))?;
        let directory = Directory::create::<G>(path, &config, &openings)?;
        Ok(Self {
            conditions: conditions(&config, openings),
            results: Results::new(&config),
            directory,
            threads,
            contestants,
            config,
            units: 0,
        })
    }

    /// Goes on with the tournament in a directory, under the configuration that `config` makes of its `config.toml`, a name
    /// and a text. No more than the number of threads may have changed.
    ///
    /// # Errors
    /// If there is no tournament, or it is in use or damaged, or a game is recorded otherwise than it was played, or it was begun under another configuration or with other
    /// networks.
    pub fn resume(
        path: &Path,
        config: impl FnOnce((&str, &str)) -> Result<TournamentConfig, ConfigError>,
    ) -> Result<Self, TournamentError> {
        let (mut directory, config) = Directory::resume::<G>(path, config)?;
        let contestants = contestants(&config)?;
        let threads = threads(&config)?;
        let openings = threads.install(|| directory.openings::<G>(&config))?;
        let conditions = conditions(&config, openings);
        let mut results = Results::new(&config);
        let units = directory.count_games(&mut results, &conditions)?;
        Ok(Self {
            conditions,
            directory,
            threads,
            contestants,
            config,
            results,
            units,
        })
    }

    /// Plays what is left, until all is played, the sequential test has decided, or `stop` is set; then the games in hand
    /// are played to their end. `on_games` sees the results each time that there are new ones.
    ///
    /// # Errors
    /// If a player cannot go on, or the games cannot be written. What is written down counts all the same.
    pub fn play(
        &mut self,
        stop: &AtomicBool,
        on_games: &mut (dyn FnMut(&Results) + Send),
    ) -> Result<Ended, TournamentError> {
        let Self {
            directory,
            threads,
            contestants,
            conditions,
            results,
            units,
            ..
        } = self;
        let (schedule, from) = (results.schedule().clone(), *units);
        if !results.is_complete() {
            let mut deliver = |unit: &Unit, mut pairs: Vec<PairResult>| {
                let counted = results.take(unit, &pairs);
                pairs.truncate(counted);
                directory.append(results.players_of(unit.pairing), &pairs)?;
                *units += 1;
                on_games(results);
                Ok::<_, TournamentError>(if results.is_complete() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                })
            };
            threads.install(|| workers::play(conditions, contestants, &schedule, from, stop, &mut deliver))?;
            directory.synchronise()?;
        }
        Ok(if results.is_complete() {
            Ended::Complete
        } else {
            Ended::Stopped
        })
    }

    /// The configuration.
    pub const fn config(&self) -> &TournamentConfig {
        &self.config
    }

    /// The games so far.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Writes `records.txt`, `report.json` and `report.html` from the games so far, and returns what they amount to with
    /// the path of the page.
    ///
    /// # Errors
    /// If a game cannot be replayed, or a file cannot be written.
    pub fn write_report(&self) -> Result<(Standings, PathBuf), TournamentError> {
        let path = self.directory.path();
        let rules = &self.conditions.rules;
        let mut records = String::new();
        self.directory.each_game(|players, pair, game| {
            let round = (pair + 1).to_string();
            let tags = [("Round", round.as_str()), ("White", players[0]), ("Black", players[1])];
            records += &format!("{}\n", G::record(&tags, game, rules)?);
            Ok(())
        })?;
        files::write_whole(&path.join("records.txt"), records.as_bytes())?;
        let bootstrap = self.config.bootstrap;
        let standings = self.threads.install(|| Standings::new(&self.results, bootstrap));
        let page = report_files::write(path, &standings, &page::page(path, &self.config, &standings))?;
        Ok((standings, page))
    }
}

fn threads(config: &TournamentConfig) -> Result<ThreadPool, TournamentError> {
    let threads = ThreadPoolBuilder::new().num_threads(config.threads).build();
    threads.map_err(|error| TournamentError::Threads(error.to_string()))
}

/// The conventions of the games.
fn rules<G: Playable>(config: &TournamentConfig) -> G::Rules {
    G::with_turns(&config.rules.rules())
}

fn conditions<G: Playable>(config: &TournamentConfig, openings: Openings<G::Action>) -> Match<G> {
    Match {
        rules: rules::<G>(config),
        openings,
        seed: config.seed,
        max_plies: config.max_plies,
        // The schedule says how many pairs are played together.
        pairs_at_once: 1,
    }
}

fn contestants<G: Playable>(config: &TournamentConfig) -> Result<Vec<Contestant<G>>, TournamentError> {
    let device = device::parse(&config.device)?;
    let contestant = |entrant: &Entrant| Ok(entrant.player().contestant(device)?.named(entrant.name()));
    config.players.iter().map(contestant).collect()
}
