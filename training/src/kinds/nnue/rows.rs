//! Positions to learn from: the inputs that are 1, and how the game should be judged.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::game_record::{GameRecord, Purpose};
use crate::replay::ValueTarget;
use crate::replay::shard::{self, Shard, ShardError};
use crate::store::files::FileError;
use crate::store::run_dir::GAMES;
use chase_engine::{Encode, Playable, SparseView};
use chase_models::manifest::FileFacts;
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

/// A position as the network sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<'a> {
    /// The inputs that are 1, seen by the player to move and by the other one.
    pub inputs: [&'a [u16]; 2],
    /// The score that the player to move should expect, from 0 to 1.
    pub target: f32,
}

/// Positions, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    inputs: Vec<u16>,
    /// For each row, the ends of the inputs of the player to move and of the other player.
    ends: Vec<[usize; 2]>,
    targets: Vec<f32>,
}

impl Rows {
    /// Number of positions.
    pub const fn len(&self) -> usize {
        self.targets.len()
    }

    /// True if there is none.
    pub const fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Adds a position.
    pub fn push(&mut self, Row { inputs, target }: Row<'_>) {
        self.ends.push(inputs.map(|inputs| {
            self.inputs.extend_from_slice(inputs);
            self.inputs.len()
        }));
        self.targets.push(target);
    }

    /// Adds the position of a game.
    pub fn add<G: Encode>(&mut self, game: &G, target: f32) {
        let [own, enemy] = G::Sparse::inputs(game);
        let inputs = [&own[..], &enemy];
        self.push(Row { inputs, target });
    }

    /// The position with this number.
    ///
    /// # Panics
    /// If there is none.
    pub fn row(&self, number: usize) -> Row<'_> {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before][1]);
        let [middle, end] = self.ends[number];
        Row {
            inputs: [&self.inputs[begin..middle], &self.inputs[middle..end]],
            target: self.targets[number],
        }
    }

    /// All positions.
    pub fn iter(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        (0..self.len()).map(|number| self.row(number))
    }

    /// Bytes of memory that they take.
    const fn bytes(&self) -> usize {
        size_of_val(self.inputs.as_slice()) + size_of_val(self.ends.as_slice()) + size_of_val(self.targets.as_slice())
    }
}

/// Positions of some games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Split {
    /// Positions to learn from.
    pub learned: Rows,
    /// Positions of games that nothing is learned from, to measure on.
    pub held_out: Rows,
}

impl Split {
    pub(crate) const fn count(&self) -> usize {
        self.learned.len() + self.held_out.len()
    }
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
            // Whole games are held out: positions of one game are too alike to be on both sides.
            every: if share > 0.0 { (1.0 / share).round() as u32 } else { 0 },
            quiet: config.replay.quiet,
        }
    }

    /// Adds the positions of a game: those whose search gave a value, as long as the game has one.
    pub fn add<G: Encode>(&self, record: &GameRecord<G>, split: &mut Split) {
        let held_out = self.every > 0 && record.index % self.every == self.every - 1;
        let rows = if held_out {
            &mut split.held_out
        } else {
            &mut split.learned
        };
        let mut game = record.start.clone();
        for (ply, target) in record.plies.iter().zip(self.target.of(record)) {
            let target = target.filter(|_| ply.value.is_some());
            let before = target.map(|target| (G::Sparse::inputs(&game), target.score() as f32));
            game.apply(ply.action);
            let Some(([own, enemy], target)) = before else { continue };
            // Each piece is one input for either player.
            let takes = || G::Sparse::of(&game).seen_by(game.to_move()).len() < own.len();
            if !(self.quiet && takes()) {
                let inputs = [&own[..], &enemy];
                rows.push(Row { inputs, target });
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
pub(crate) fn read_data<G: Playable>(
    path: &Path,
    known: Option<&DataFacts>,
    rules: &G::Rules,
    maker: &RowMaker,
) -> Result<(DataFacts, Split), DataError> {
    let games = path.join(GAMES);
    let shards = match known {
        Some(facts) => facts.shards.clone(),
        None if games.is_dir() => shard::list(&games, Purpose::Selfplay)?,
        None => Vec::new(),
    };
    if shards.is_empty() {
        return Err(DataError::NoGames(path.to_owned()));
    }
    let mut split = Split::default();
    let mut count = 0;
    for name in &shards {
        let Shard { records, .. } = shard::read::<G>(&games, name, rules)?;
        count += records.len() as u64;
        for record in &records {
            maker.add(record, &mut split);
        }
    }
    let facts = DataFacts {
        path: path.to_owned(),
        sha256: FileFacts::of(shards.join("\n").as_bytes()).sha256,
        games: count,
        rows: split.count() as u64,
        shards,
    };
    Ok((facts, split))
}

/// All positions of a run: of `data`, then of the newest own games.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    /// Of each directory of `data`.
    pub data: Vec<Split>,
    /// Of each shard of own games, oldest first.
    pub window: VecDeque<Split>,
}

impl Pool {
    fn sources(&self) -> impl Iterator<Item = &Split> + Clone {
        self.data.iter().chain(&self.window)
    }

    /// Number of positions to learn from.
    pub fn learned(&self) -> u64 {
        self.sources().map(|split| split.learned.len() as u64).sum()
    }

    /// The positions to measure on.
    pub fn held_out(&self) -> impl Iterator<Item = Row<'_>> + Clone {
        self.sources().flat_map(|split| split.held_out.iter())
    }

    /// Drops the oldest own games that are not needed for `rows` positions.
    pub fn trim(&mut self, rows: u64) {
        let mut kept: u64 = self.window.iter().map(|split| split.learned.len() as u64).sum();
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
        let bytes = |split: &Split| split.learned.bytes() + split.held_out.bytes();
        self.sources().map(bytes).sum::<usize>() as u64
    }

    /// Draws positions, with replacement, all with equal probability. There must be some.
    pub fn draw(&self, count: usize, rng: &mut Xoshiro256PlusPlus) -> Rows {
        let sources: Vec<&Rows> = self.sources().map(|split| &split.learned).collect();
        let mut ends = Vec::with_capacity(sources.len());
        let mut end = 0;
        for rows in &sources {
            end += rows.len();
            ends.push(end);
        }
        let mut drawn = Rows::default();
        for _ in 0..count {
            let place = rng.random_range(0..end);
            let source = ends.partition_point(|&end| end <= place);
            let rows = sources[source];
            drawn.push(rows.row(place + rows.len() - ends[source]));
        }
        drawn
    }
}
