//! The directory of a tournament: its configuration and players, and its games as they are played.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use chase_models::device::{self, Device};
use chase_models::precision::Precision;
use chase_training::settings::{Change, ConfigError, Settings};
use chase_training::store::OpenRun;
use chase_training::store::files::{self, FileError};
use chase_training::store::run_dir::RunDirError;
use chase_training::store::serialised::pretty_json;
use serde::{Deserialize, Serialize};

use super::config::TournamentConfig;
use super::entrant::Entrant;
use super::openings;
use super::results::TournamentResults;
use super::schedule::Schedule;
use crate::games::{GAMES_FILE, GameLine, GameLines, GameResult, GameText};
use crate::matches::{Match, Openings, PairResult};
use crate::players::{NetworkSpec, PlayerError, PlayerSpec, SearchSpec, Usage};
use chase_engine::Playable;

/// A player at the start of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayerProvenance {
    /// Name in results and tables.
    pub name: String,
    /// The player.
    pub player: PlayerSpec,
    /// Its network; `None` for players without one.
    pub network: Option<NetworkProvenance>,
}

impl PlayerProvenance {
    /// The player with the arithmetic that it has had from the beginning. One with a time limit takes what is fastest where it
    /// plays: its games differ from machine to machine anyway.
    fn as_begun(&self) -> PlayerSpec {
        let mut player = self.player.clone();
        let is_timed = player.search().is_some_and(|spec| spec.limits.time.is_some());
        if let (Some(network), Some(began)) = (player.network_mut().filter(|_| !is_timed), &self.network) {
            network.precision = began.precision;
        }
        player
    }

    /// Takes over the precision with which the tournament began.
    fn compute_as(&mut self, began: &Self) {
        if let (Some(now), Some(began)) = (&mut self.network, &began.network) {
            now.precision = began.precision;
        }
    }

    /// The hash of its network, wherever that lies.
    fn sha256(&self) -> Option<&str> {
        Some(&self.network.as_ref()?.sha256)
    }
}

/// A network that plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetworkProvenance {
    /// The folder of its checkpoint, or its file.
    pub path: PathBuf,
    /// SHA-256 of the manifest, which has the hashes of the other files, or of the only file.
    pub sha256: String,
    /// Steps of the optimizer, if they are known.
    pub steps: Option<u64>,
    /// Self-play games finished by then, if they are known.
    pub games: Option<u64>,
    /// Its arithmetic, which a player that names none takes from the machine where the tournament begins; `None` for a kind
    /// of network that has only one.
    pub precision: Option<Precision>,
}

/// The files of a tournament, locked for the lifetime of the value.
#[derive(Debug)]
pub(super) struct Directory {
    run: OpenRun<TournamentConfig>,
    players: Vec<PlayerProvenance>,
    games: File,
    synchronised: Instant,
}

const PLAYERS: &str = "players.json";
const OPENINGS: &str = "openings.txt";
/// Time whose newest games a power loss may cost. A killed process loses none that it has written.
const SYNCHRONISE: Duration = Duration::from_secs(5);

impl Directory {
    /// Creates a new directory.
    pub fn create<G: Playable>(
        path: &Path,
        config: TournamentConfig,
        openings: &Openings<G::Action>,
    ) -> anyhow::Result<Self> {
        let players = provenance(&config)?;
        let text = pretty_json(&players);
        let openings = openings::text::<G>(openings, &config.game.rules::<G>());
        let openings = openings.as_ref().map(|text| (OPENINGS, text.as_bytes()));
        let files: Vec<(&str, &[u8])> = [(PLAYERS, text.as_bytes())].into_iter().chain(openings).collect();
        let run = OpenRun::create(path, config, &[], &files)?;
        Self::open(run, players)
    }

    /// Opens the directory of an interrupted tournament.
    pub fn resume<G: Playable>(
        path: &Path,
        config: impl Fn((&str, &str)) -> Result<TournamentConfig, ConfigError>,
    ) -> anyhow::Result<Self> {
        let run = OpenRun::resume(path, &|began: &TournamentConfig, file| -> anyhow::Result<_> {
            let mut config = config(file)?;
            config.settle()?;
            config.expect(began, Change::Resume)?;
            ConfigError::refuse_fewer("pairs", config.pairs, began.pairs)?;
            Ok(config)
        })?;
        if G::standard_rules(&run.meta.game).is_none() {
            return Err(RunDirError::of_other_game(path, &run.meta, (G::NAME, G::RULES_VERSION)).into());
        }
        let began: Vec<PlayerProvenance> = files::read_json(&path.join(PLAYERS))?;
        let device = device::parse(&run.settings.device)?;
        let players = run.settings.players.iter().zip(&began);
        let players = players.map(|(entrant, began)| again(entrant, began, path, device));
        let players = players.collect::<anyhow::Result<_>>()?;
        Self::open(run, players)
    }

    /// Opens it with these players, whose networks it keeps from now on. A process that is killed before all are copied is
    /// made up for when the games are resumed.
    fn open(run: OpenRun<TournamentConfig>, players: Vec<PlayerProvenance>) -> anyhow::Result<Self> {
        for player in &players {
            player.keep_network(run.dir.path())?;
        }
        let path = run.dir.path().join(GAMES_FILE);
        Ok(Self {
            games: files::append(&path).map_err(FileError::of("open", &path))?,
            run,
            players,
            synchronised: Instant::now(),
        })
    }

    /// The players, whose networks compute as when the tournament began, also on another machine, unless time limits them.
    pub fn players(&self) -> impl Iterator<Item = PlayerSpec> + '_ {
        self.players.iter().map(PlayerProvenance::as_begun)
    }

    pub fn path(&self) -> &Path {
        self.run.dir.path()
    }

    /// The configuration.
    pub const fn config(&self) -> &TournamentConfig {
        &self.run.settings
    }

    /// The tournament's openings, as stored when it began.
    pub fn openings<G: Playable>(&self) -> anyhow::Result<Openings<G::Action>> {
        let config = self.config();
        let rules = super::rules::<G>(config);
        let file = self.path().join(OPENINGS);
        if file.exists() {
            return openings::parse::<G>(&file, files::read(&file)?, &rules);
        }
        config.openings.resolve::<G>(&rules, config.seed)
    }

    /// Counts the stored games, each of which must agree with its moves, and returns the number of whole units.
    /// Anything after them, an incomplete line or an incomplete unit, is removed and played again. So are the last units
    /// of a schedule that was extended, where they are longer now: the games are those of one that was as long from the
    /// beginning. The settings are then written down.
    pub fn count_games<G: Playable>(
        &mut self,
        results: &mut TournamentResults,
        conditions: &Match<G>,
    ) -> anyhow::Result<usize> {
        let path = self.path().join(GAMES_FILE);
        let mut lines = GameLines::open(&path)?;
        let (mut kept, mut whole) = (0, 0);
        let schedule = results.schedule().clone();
        let began = Schedule::new(&self.run.began);
        let both = schedule.units().iter().zip(began.units());
        for (unit, _) in both.take_while(|(unit, began)| unit == began) {
            let (mut pairs, mut end) = (Vec::new(), kept);
            let numbered = conditions.numbered(unit.number);
            for pair in unit.pairs.clone() {
                let mut games = Vec::with_capacity(2);
                let names = results.names_of(unit.players);
                // Games come in pairs: first the one in which the first player is White.
                for [white, black] in [names, [names[1], names[0]]] {
                    let Some(line) = lines.next_line()? else { break };
                    games.push(read_line(&line, [white, black], pair, &numbered)?);
                }
                let Ok(games) = <[GameResult; 2]>::try_from(games) else {
                    break;
                };
                pairs.push(PairResult { pair, games });
                end = lines.place().bytes;
            }
            let unit_is_whole = pairs.len() == unit.pairs.len();
            // A unit that ends with the pair that decides the test is complete.
            let mut trial = (!unit_is_whole).then(|| results.clone());
            let counted = trial.as_mut().unwrap_or(results);
            let taken = counted.take(unit, &pairs);
            let decided = counted.is_complete() && taken == pairs.len();
            if !unit_is_whole && !decided {
                break;
            }
            if let Some(trial) = trial {
                *results = trial;
            }
            (kept, whole) = (end, whole + 1);
            if results.is_complete() {
                break;
            }
        }
        let length = self.games.metadata().map_err(FileError::of("read", &path))?.len();
        if kept < length {
            let cut = self.games.set_len(kept).and_then(|()| self.games.sync_all());
            cut.map_err(FileError::of("cut", &path))?;
        }
        self.run.begin_again()?;
        Ok(whole)
    }

    /// Stores the games of pairs of one match.
    pub fn append(&mut self, [first, second]: [&str; 2], pairs: &[PairResult]) -> anyhow::Result<()> {
        let path = self.path().join(GAMES_FILE);
        let mut lines = Vec::new();
        for PairResult { pair, games } in pairs {
            for (game, [white, black]) in games.iter().zip([[first, second], [second, first]]) {
                lines.push(GameLine {
                    white: white.to_owned(),
                    black: black.to_owned(),
                    pair: *pair,
                    game: game.clone(),
                });
            }
        }
        // A single write: a crash can only cut off its end.
        let text = files::lines(&lines);
        self.games
            .write_all(text.as_bytes())
            .map_err(FileError::of("append to", &path))?;
        if self.synchronised.elapsed() > SYNCHRONISE {
            self.synchronise()?;
        }
        Ok(())
    }

    /// Syncs the stored games to disk.
    pub fn synchronise(&mut self) -> anyhow::Result<()> {
        self.synchronised = Instant::now();
        let path = self.path().join(GAMES_FILE);
        Ok(self.games.sync_data().map_err(FileError::of("synchronise", &path))?)
    }

    /// Calls `each` with the names of White and Black, the number of the pair, and the game, for all stored games.
    pub fn each_game(
        &self,
        mut each: impl FnMut([&str; 2], u32, &GameResult) -> Result<(), String>,
    ) -> anyhow::Result<()> {
        let mut lines = GameLines::open(&self.path().join(GAMES_FILE))?;
        while let Some(line) = lines.next_line()? {
            let game: GameLine = line.game()?;
            each([&game.white, &game.black], game.pair, &game.game).map_err(|reason| line.wrong(reason))?;
        }
        Ok(())
    }
}

/// The game on a line, which must be the scheduled one, and must agree with its recorded result.
fn read_line<G: Playable>(
    line: &GameText<'_>,
    [white, black]: [&str; 2],
    pair: u32,
    conditions: &Match<G>,
) -> anyhow::Result<GameResult> {
    let GameLine {
        white: found_white,
        black: found_black,
        pair: found_pair,
        game,
    } = line.game()?;
    if (found_white.as_str(), found_black.as_str(), found_pair) != (white, black, pair) {
        return Err(line
            .wrong(format!(
                "found pair {found_pair} of `{found_white}` against `{found_black}`, expected pair {pair} of `{white}` against \
                 `{black}`"
            ))
            .into());
    }
    let checked = conditions.check(pair, &game);
    checked.map_err(|reason| line.wrong(reason))?;
    Ok(game)
}

/// The players, with the checkpoints of their networks and what they compute with on this machine.
fn provenance(config: &TournamentConfig) -> anyhow::Result<Vec<PlayerProvenance>> {
    let device = device::parse(&config.device)?;
    let players = config.players.iter();
    let player = |entrant: &Entrant| provenance_of(entrant.name(), entrant.player().clone(), device);
    players.map(player).collect()
}

fn provenance_of(name: String, player: PlayerSpec, device: Device) -> anyhow::Result<PlayerProvenance> {
    let of_network = |(spec, network): (&SearchSpec, &NetworkSpec)| -> Result<_, PlayerError> {
        let facts = network.facts().map_err(|fault| player.unusable(fault))?;
        Ok(NetworkProvenance {
            path: network.path.clone(),
            sha256: facts.sha256,
            steps: facts.progress.map(|(steps, _)| steps),
            games: facts.progress.map(|(_, games)| games),
            precision: (network.form().arithmetic)(spec, &network.path, device, Usage::Match).precision,
        })
    };
    let network = player.search().zip(player.network()).map(of_network).transpose()?;
    Ok(PlayerProvenance { name, player, network })
}

/// A player of a tournament that is resumed, with the network of its beginning: where the configuration has it or, if that is
/// gone or another one now, the copy in the directory.
fn again(
    entrant: &Entrant,
    began: &PlayerProvenance,
    directory: &Path,
    device: Device,
) -> anyhow::Result<PlayerProvenance> {
    let as_begun = |player: PlayerSpec| -> anyhow::Result<PlayerProvenance> {
        let mut now = provenance_of(entrant.name(), player, device)?;
        now.compute_as(began);
        Ok(now)
    };
    let now = as_begun(entrant.player().clone());
    if now.as_ref().is_ok_and(|now| now == began) {
        return now;
    }
    let mut copied = entrant.player().clone();
    let copy = began.copied(directory).map(|(_, copy)| copy);
    if let (Some(copy), Some(network)) = (copy.filter(|copy| copy.is_dir()), copied.network_mut()) {
        network.path = copy;
        let there = as_begun(copied)?;
        if there.sha256() == began.sha256() {
            return Ok(there);
        }
    }
    let fault = now.err().map(|error| error.to_string());
    Err(began.player.lost(&began.name, fault).into())
}

/// The folder of the copies of networks, each in a folder named by the beginning of its hash. Training removes old
/// checkpoints, and runs are moved. A copy is a second name of the same file where the disk allows it: the program never
/// writes into a file of a network, and if another one does, the hash shows it.
const NETWORKS: &str = "networks";

impl PlayerProvenance {
    /// Its network, unless it has none or a built-in one, and the folder of the copy in the directory of a tournament.
    fn copied(&self, directory: &Path) -> Option<(&NetworkSpec, PathBuf)> {
        let network = self.player.network().filter(|network| !network.is_built_in())?;
        let sha256 = self.sha256()?;
        let name = sha256.get(..16).unwrap_or(sha256);
        Some((network, directory.join(NETWORKS).join(name)))
    }

    /// Copies its network there, unless it has been.
    fn keep_network(&self, directory: &Path) -> Result<(), FileError> {
        let Some((network, folder)) = self.copied(directory) else {
            return Ok(());
        };
        fs::create_dir_all(&folder).map_err(FileError::of("create", &folder))?;
        for (name, from) in network.files() {
            let to = folder.join(name);
            if !to.exists() {
                files::share(&from, &to)?;
            }
        }
        Ok(())
    }
}
