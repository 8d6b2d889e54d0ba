//! Positions to learn from: which dice stand where, and how the game should be judged.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::game_record::{GameRecord, Purpose};
use crate::replay::ValueTarget;
use crate::replay::shard::{self, Shard, ShardError};
use crate::store::files::FileError;
use crate::store::run_dir::GAMES;
use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game};
use chase_models::manifest::FileFacts;
use chase_nnue::features::{INPUTS, Seen, active};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::config::Config;
use crate::kinds::KindSettings;

/// Error returned when the games of `data` cannot be read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum DataError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Shard(#[from] ShardError),
    #[error("data: {} has no self-play games; expected the directory of a training run or of `chase selfplay`", .0.display())]
    NoGames(PathBuf),
}

/// Most dice on the board: ten of each player.
pub const DICE: usize = 20;
/// Stands for no input, where there are fewer dice than [`DICE`].
pub const NOTHING: u16 = INPUTS as u16;

/// A position, as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// The inputs that are 1, seen by the player to move and by the other one, filled up with [`NOTHING`].
    pub inputs: [[u16; DICE]; 2],
    /// The score that the player to move should expect, from 0 to 1.
    pub target: f32,
}

impl Row {
    /// The row of a position with this target.
    pub fn new(position: &Position, target: f32) -> Self {
        let mover = position.to_move();
        let seen = Seen::new(position);
        let inputs = [mover, !mover].map(|viewer| {
            let mut inputs = [NOTHING; DICE];
            for (place, input) in inputs.iter_mut().zip(active(&seen, viewer)) {
                *place = input as u16;
            }
            inputs
        });
        Self { inputs, target }
    }
}

/// Positions of some games: those to learn from, and those of other games to measure on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// Positions to learn from.
    pub learned: Vec<Row>,
    /// Positions of games that nothing is learned from, with their rows.
    pub held_out: Vec<(Position, Row)>,
}

/// Makes rows of games.
#[derive(Clone, Copy, Debug)]
pub struct RowMaker {
    target: ValueTarget,
    /// Every game whose number leaves a remainder of one less than this is held out; 0 for none.
    every: u32,
    quiet: bool,
}

impl RowMaker {
    /// The rows that a configuration asks for.
    pub fn new(config: &Config) -> Self {
        let share = config.replay.validation_share;
        Self {
            target: ValueTarget::new(&config.learner()),
            every: if share > 0.0 { (1.0 / share).round() as u32 } else { 0 },
            quiet: config.replay.quiet,
        }
    }

    /// Adds the positions of a game: those whose search gave a value, as long as the game has one.
    pub fn add(&self, record: &GameRecord<Chase>, rows: &mut Rows) {
        let held_out = self.every > 0 && record.index % self.every == self.every - 1;
        let mut game = record.start.clone();
        for (ply, target) in record.plies.iter().zip(self.target.of(record)) {
            let before = *game.position();
            game.apply(ply.action);
            let takes = || game.position().occupied().count() < before.occupied().count();
            if let Some(target) = target
                && ply.value.is_some()
                && !(self.quiet && takes())
            {
                let row = Row::new(&before, target.score() as f32);
                if held_out {
                    rows.held_out.push((before, row));
                } else {
                    rows.learned.push(row);
                }
            }
        }
    }
}

/// The games of a directory that are learned, as they were when the run began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataFacts {
    /// The directory.
    pub path: PathBuf,
    /// SHA-256 of the names of its shards, which hold the hashes of their contents.
    pub sha256: String,
    /// The shards, as paths below its folder of games.
    pub shards: Vec<String>,
    /// Their games.
    pub games: u64,
    /// Their positions that are learned or measured on.
    pub rows: u64,
}

/// Reads the games of a directory of `data`: the shards that `known` names, or all that are there.
pub(crate) fn read_data(
    path: &Path,
    known: Option<&DataFacts>,
    rules: &Rules,
    maker: &RowMaker,
) -> Result<(DataFacts, Rows), DataError> {
    let games = path.join(GAMES);
    let shards = match known {
        Some(facts) => facts.shards.clone(),
        None if games.is_dir() => shard::list(&games, Purpose::Selfplay)?,
        None => Vec::new(),
    };
    if shards.is_empty() {
        return Err(DataError::NoGames(path.to_owned()));
    }
    let mut rows = Rows::default();
    let mut count = 0;
    for name in &shards {
        let Shard { records, .. } = shard::read::<Chase>(&games, name, rules)?;
        count += records.len() as u64;
        for record in &records {
            maker.add(record, &mut rows);
        }
    }
    let facts = DataFacts {
        path: path.to_owned(),
        sha256: FileFacts::of(shards.join("\n").as_bytes()).sha256,
        games: count,
        rows: (rows.learned.len() + rows.held_out.len()) as u64,
        shards,
    };
    Ok((facts, rows))
}

/// All positions of a run: of `data`, then of the newest own games.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    /// Of each directory of `data`.
    pub data: Vec<Rows>,
    /// Of each shard of own games, oldest first.
    pub window: VecDeque<Rows>,
}

impl Pool {
    fn sources(&self) -> impl Iterator<Item = &Rows> + Clone {
        self.data.iter().chain(&self.window)
    }

    /// Number of positions to learn from.
    pub fn learned(&self) -> u64 {
        self.sources().map(|rows| rows.learned.len() as u64).sum()
    }

    /// The positions to measure on.
    pub fn held_out(&self) -> impl Iterator<Item = &(Position, Row)> + Clone {
        self.sources().flat_map(|rows| &rows.held_out)
    }

    /// Drops the oldest own games that are not needed for `rows` positions.
    pub fn trim(&mut self, rows: u64) {
        let mut kept: u64 = self.window.iter().map(|rows| rows.learned.len() as u64).sum();
        while let Some(oldest) = self.window.front() {
            let oldest = oldest.learned.len() as u64;
            if kept - oldest < rows {
                break;
            }
            kept -= oldest;
            self.window.pop_front();
        }
    }

    /// Bytes of memory that they take.
    pub fn bytes(&self) -> u64 {
        let bytes = |rows: &Rows| size_of_val(&rows.learned[..]) + size_of_val(&rows.held_out[..]);
        self.sources().map(bytes).sum::<usize>() as u64
    }

    /// Draws positions, with replacement, all with equal probability. There must be some.
    pub fn draw(&self, count: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<Row> {
        let sources: Vec<&[Row]> = self.sources().map(|rows| &rows.learned[..]).collect();
        let mut ends = Vec::with_capacity(sources.len());
        let mut end = 0;
        for rows in &sources {
            end += rows.len();
            ends.push(end);
        }
        let mut draw = || {
            let place = rng.random_range(0..end);
            let source = ends.partition_point(|&end| end <= place);
            sources[source][place + sources[source].len() - ends[source]]
        };
        (0..count).map(|_| draw()).collect()
    }
}
