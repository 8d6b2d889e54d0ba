//! Tournaments: schedules, games that survive any interruption, and standings.
//!
//! A [`Tournament`] lives in one directory:
//!
//! | path | content |
//! |---|---|
//! | `config.toml` | the resolved configuration, written before the first game: [`TournamentConfig`] |
//! | `meta.json` | versions, commit, seed, command line, machine |
//! | `players.json` | the players, and the checkpoints of networks with their hashes and arithmetic |
//! | `networks/` | copies of these networks, which play when theirs are gone |
//! | `openings.txt` | the openings, if they come from a file or a search |
//! | `games.jsonl` | one finished game per line, in the order of the [`Schedule`]; only ever appended to |
//! | `records.txt` | the same games as records for people |
//! | `report.json`, `report.html` | ratings, tables and charts |
//! | `standings.csv`, `cross-table.csv` | players and matches as tables |
//! | `cluster.json` | what computed the games, if other machines did |
//!
//! The games are the truth; everything else can be derived from them. They come in units, some pairs of two players
//! that are played together so that networks get full batches. A unit is the same whatever runs in parallel, and units
//! are written in the order of the schedule. So if no player has a time limit, the file is the same to the last byte on
//! any number of threads and machines and however often the tournament was interrupted.

mod config;
mod csv;
mod directory;
mod entrant;
pub(crate) mod openings;
mod page;
mod results;
mod schedule;
mod standings;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use chase_cluster::Cluster;
use chase_cluster::job::Files;
use chase_engine::{Game, Playable};
use chase_models::device;
use chase_training::settings::ConfigError;
use chase_training::store::files;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::games::record_of;
use crate::matches::{Here, Match, Openings, PairResult, Venue};
use crate::players::{Contestant, PlayerSpec};
use crate::remote::{self, Elsewhere, RemotePlayer};
use crate::report_files;

pub use config::{Format, TournamentConfig};
pub use directory::{NetworkProvenance, PlayerProvenance};
pub use entrant::Entrant;
pub use openings::{Balance, OpeningSpec};
pub use results::TournamentResults;
pub use schedule::Schedule;
pub use standings::{MatchStanding, OpeningScore, PlayerStanding, SimulationSeries, SprtStanding, Standings};

use directory::Directory;

/// The finished games as records, within the directory.
pub const RECORDS_FILE: &str = "records.txt";

/// A tournament that can be played, interrupted and resumed.
#[derive(Debug)]
pub struct Tournament<G: Game> {
    directory: Directory,
    threads: ThreadPool,
    contestants: Vec<Contestant<G>>,
    conditions: Match<G>,
    results: TournamentResults,
    /// Number of stored units.
    units: usize,
}

/// The reason that play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TournamentEnd {
    /// All games are played.
    Complete,
    /// A stop was requested.
    Stopped,
}

impl<G: Playable> Tournament<G> {
    /// Creates a tournament in a new directory.
    ///
    /// # Errors
    /// If a player or the openings are unusable, or the directory cannot be used.
    pub fn create(path: &Path, mut config: TournamentConfig) -> anyhow::Result<Self> {
        // A run that continues training will have newer checkpoints: the one that plays is stored.
        config.settle()?;
        let players = config.players.iter().map(|entrant| entrant.player().clone());
        let contestants = contestants(&config, players)?;
        let threads = threads(&config)?;
        let openings = threads.install(|| config.openings.resolve::<G>(&rules::<G>(&config), config.seed))?;
        let conditions = conditions::<G>(&config, openings);
        Ok(Self {
            results: TournamentResults::new(&config),
            directory: Directory::create::<G>(path, config, &conditions.openings)?,
            threads,
            contestants,
            conditions,
            units: 0,
        })
    }

    /// Resumes the tournament in a directory, with the configuration that `config` makes of its `config.toml`, given by
    /// name and text. Threads, the anchor and the bootstrap may differ, and there may be more pairs.
    ///
    /// # Errors
    /// If there is no tournament, it is in use or damaged, the record of a game contradicts its moves, or the
    /// configuration or the networks differ.
    pub fn resume(
        path: &Path,
        config: impl Fn((&str, &str)) -> Result<TournamentConfig, ConfigError>,
    ) -> anyhow::Result<Self> {
        let mut directory = Directory::resume::<G>(path, config)?;
        let config = directory.config();
        let contestants = contestants(config, directory.players())?;
        let threads = threads(config)?;
        let openings = threads.install(|| directory.openings::<G>())?;
        let conditions = conditions(config, openings);
        let mut results = TournamentResults::new(config);
        let units = directory.count_games(&mut results, &conditions)?;
        Ok(Self {
            conditions,
            directory,
            threads,
            contestants,
            results,
            units,
        })
    }

    /// Plays the remaining games, until all are played, the sequential test decides, or `stop` is set; the games in
    /// progress are then finished. `on_games` is called with the results whenever there are new ones.
    ///
    /// # Errors
    /// If a player fails, or the games cannot be written. Stored games still count.
    pub fn play(
        &mut self,
        stop: &AtomicBool,
        on_games: &mut (dyn FnMut(&TournamentResults) + Send),
    ) -> anyhow::Result<TournamentEnd> {
        self.play_at(None, stop, on_games)
    }

    /// Like [`Tournament::play`], but the workers of a cluster play the games: the same ones, with the same file of
    /// games. When `stop` is set, games in progress stay with the workers, and are collected when the tournament is
    /// resumed there. `on_warning` receives what goes wrong on the way.
    ///
    /// # Errors
    /// As [`Tournament::play`], and if a player cannot play on other machines.
    pub fn play_on(
        &mut self,
        cluster: &Cluster,
        stop: &AtomicBool,
        on_games: &mut (dyn FnMut(&TournamentResults) + Send),
        on_warning: &mut dyn FnMut(String),
    ) -> anyhow::Result<TournamentEnd> {
        let directory = self.directory.path().to_owned();
        if !self.results.is_complete() {
            let (mut players, mut files) = (Vec::new(), Files::new());
            for (number, player) in self.directory.players().enumerate() {
                let player = remote::sent(&player, number, cluster.options().mixed, &mut files)?;
                players.push(RemotePlayer::Spec(player));
            }
            let config = self.config();
            let mut workers = Elsewhere {
                cluster,
                directory: &directory,
                purpose: "tournament".to_owned(),
                device: device::parse(&config.device)?,
                game: config.game,
                rules: config.rules,
                players,
                files,
                in_order: true,
                warn: on_warning,
            };
            self.play_at(Some(&mut workers), stop, on_games)?;
        }
        if self.results.is_complete()
            && let Some(warning) = cluster.forget(&directory)
        {
            on_warning(warning);
        }
        Ok(self.ended())
    }

    /// Plays on the workers of a cluster, or else here.
    fn play_at(
        &mut self,
        elsewhere: Option<&mut Elsewhere<'_>>,
        stop: &AtomicBool,
        on_games: &mut (dyn FnMut(&TournamentResults) + Send),
    ) -> anyhow::Result<TournamentEnd> {
        let Self {
            directory,
            threads,
            contestants,
            conditions,
            results,
            units,
        } = self;
        if !results.is_complete() {
            let (schedule, from) = (results.schedule().clone(), *units);
            // The server forgets what was delivered.
            let synchronises = elsewhere.is_some();
            let mut deliver = |first: usize, played: Vec<Vec<PairResult>>| {
                let mut next = ControlFlow::Continue(());
                for (unit, mut pairs) in schedule.units()[first..].iter().zip(played) {
                    let counted = results.take(unit, &pairs);
                    pairs.truncate(counted);
                    directory.append(results.names_of(unit.players), &pairs)?;
                    *units += 1;
                    on_games(results);
                    if results.is_complete() {
                        next = ControlFlow::Break(());
                        break;
                    }
                }
                if synchronises {
                    directory.synchronise()?;
                }
                Ok(next)
            };
            let contestants: Vec<_> = contestants.iter().collect();
            let units = schedule.units();
            match elsewhere {
                Some(workers) => workers.play(conditions, &contestants, units, from, stop, &mut deliver)?,
                None => threads.install(|| {
                    let mut here = Here { stored: true };
                    here.play(conditions, &contestants, units, from, stop, &mut deliver)
                })?,
            }
            directory.synchronise()?;
        }
        Ok(self.ended())
    }

    fn ended(&self) -> TournamentEnd {
        if self.results.is_complete() {
            TournamentEnd::Complete
        } else {
            TournamentEnd::Stopped
        }
    }

    /// The configuration.
    pub const fn config(&self) -> &TournamentConfig {
        self.directory.config()
    }

    /// The games so far.
    pub const fn results(&self) -> &TournamentResults {
        &self.results
    }

    /// Writes `records.txt`, `report.json`, `report.html` and the tables as CSV from the games so far; returns the
    /// standings and the path of the page.
    ///
    /// # Errors
    /// If a game cannot be replayed, or a file cannot be written.
    pub fn write_report(&self) -> anyhow::Result<(Standings, PathBuf)> {
        let path = self.directory.path();
        let rules = &self.conditions.rules;
        let mut records = String::new();
        self.directory.each_game(|players, pair, game| {
            let round = (pair + 1).to_string();
            let tags = [("Round", round.as_str()), ("White", players[0]), ("Black", players[1])];
            records += &format!("{}\n", record_of::<G>(&tags, game, rules)?);
            Ok(())
        })?;
        files::write_whole(&path.join(RECORDS_FILE), records.as_bytes())?;
        let bootstrap = self.config().bootstrap;
        let standings = self.threads.install(|| Standings::new(&self.results, bootstrap));
        files::write_whole(&path.join("standings.csv"), csv::players(&standings).as_bytes())?;
        files::write_whole(&path.join("cross-table.csv"), csv::matches(&standings).as_bytes())?;
        let page = report_files::write(path, &standings, &page::page(path, self.config(), &standings))?;
        Ok((standings, page))
    }
}

fn threads(config: &TournamentConfig) -> anyhow::Result<ThreadPool> {
    let threads = ThreadPoolBuilder::new().num_threads(config.threads).build();
    threads.map_err(|error| anyhow!("cannot start the threads: {error}"))
}

/// The conventions of the games.
fn rules<G: Playable>(config: &TournamentConfig) -> G::Rules {
    G::with_conventions(&config.rules.rules(), &config.game.rules::<G>())
}

fn conditions<G: Playable>(config: &TournamentConfig, openings: Openings<G::Action>) -> Match<G> {
    Match {
        rules: rules::<G>(config),
        openings,
        seed: config.seed,
        max_plies: config.max_plies,
        // The schedule determines how many pairs are played together.
        pairs_at_once: 1,
    }
}

/// These players, in the order of the configuration, under the names there.
fn contestants<G: Playable>(
    config: &TournamentConfig,
    players: impl Iterator<Item = PlayerSpec>,
) -> anyhow::Result<Vec<Contestant<G>>> {
    let device = device::parse(&config.device)?;
    let contestant = |(player, entrant): (PlayerSpec, &Entrant)| {
        let contestant = player.contestant_for(config.game.name(), device)?;
        Ok(contestant.named(entrant.name()))
    };
    players.zip(&config.players).map(contestant).collect()
}
