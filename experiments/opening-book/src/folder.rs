//! The directory of a book.
//!
//! | path | content |
//! |---|---|
//! | `config.toml`, `meta.json` | the resolved configuration and its provenance, written before anything else |
//! | `agents.json` | all players with the hashes of their weights, written before anything else too |
//! | `positions/ply-NN-NNNNN.jsonl` | judged positions, a line for each |
//! | `challenges/NNNNN.jsonl` | what challengers found against their best moves, a line for each position |
//! | `contest/MOVE-NNNNNN.jsonl` | games of the contest, a line for each |
//! | `book.json`, `book.parquet`, `contest.jsonl`, `report.html` | computed from these: [`Book`](crate::Book), all moves, all games, and the page |

use std::path::Path;

use chase_arena::PlayerSpec;
use chase_models::device;
use chase_training::settings::{Change, Setting, Settings};
use chase_training::store::OpenRun;
use chase_training::store::files;
use chase_training::store::run_dir::Meta;
use chase_training::store::serialised::pretty_json;

use crate::agent::{BookAgent, BookPlayers};
use crate::config::{BookConfig, ContestConfig};
use crate::error::{BookError, damaged};

pub(crate) const POSITIONS: &str = "positions";
pub(crate) const CHALLENGES: &str = "challenges";
pub(crate) const CONTEST: &str = "contest";
const AGENTS: &str = "agents.json";

/// A book in the making: its directory, locked for the lifetime of the value, and its configuration.
#[derive(Debug)]
pub struct BookFolder {
    run: OpenRun<BookConfig>,
    players: BookPlayers,
}

impl BookFolder {
    /// Begins a book in a new directory. A player that is a run stands for its newest checkpoint now: what the run does
    /// later changes nothing.
    ///
    /// # Errors
    /// If the directory is in use, holds other files, or cannot be written; if there is no such device or network.
    pub fn create(path: &Path, config: BookConfig) -> Result<Self, BookError> {
        device::parse(&config.device)?;
        let config = BookConfig {
            scout: config.scout.settled()?,
            judges: settled(&config.judges)?,
            challengers: settled(&config.challengers)?,
            contest: ContestConfig {
                player: match config.contest.moves {
                    0 => config.contest.player,
                    _ => config.contest.player.settled()?,
                },
                ..config.contest
            },
            ..config
        };
        let players = BookPlayers::of(&config)?;
        let text = pretty_json(&players);
        let files = [(AGENTS, text.as_bytes())];
        let run = OpenRun::create(path, config, &[POSITIONS, CHALLENGES, CONTEST], &files)?;
        Ok(Self { run, players })
    }

    /// Continues the book in a directory. Only the number of threads and the device may differ.
    ///
    /// # Errors
    /// If there is no book, it is in use or damaged, or a setting, the rules or the weights of a player differ.
    pub fn resume(path: &Path, settings: &[Setting]) -> Result<Self, BookError> {
        let run = OpenRun::resume(path, &|began: &BookConfig, file| -> Result<_, BookError> {
            Ok(began.with(file, settings, Change::Resume)?)
        })?;
        let players: BookPlayers = files::read_json(&path.join(AGENTS))?;
        for BookAgent { player, weights, .. } in players.all() {
            let player: PlayerSpec = player.parse().map_err(|error| damaged(path.join(AGENTS), &error))?;
            player.expect_weights(weights.as_deref())?;
        }
        Ok(Self { run, players })
    }

    pub(crate) const fn players(&self) -> &BookPlayers {
        &self.players
    }

    /// The directory.
    pub fn path(&self) -> &Path {
        self.run.dir.path()
    }

    /// The configuration.
    pub const fn config(&self) -> &BookConfig {
        &self.run.settings
    }

    /// Provenance of the book.
    pub const fn meta(&self) -> &Meta {
        &self.run.meta
    }
}

fn settled(players: &[PlayerSpec]) -> Result<Vec<PlayerSpec>, BookError> {
    let settled = players.iter().map(PlayerSpec::settled);
    Ok(settled.collect::<Result<_, _>>()?)
}
