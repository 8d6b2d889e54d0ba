//! All games and all plies as Parquet files, for pandas, polars and DuckDB. `docs/src/study/games.md` describes the
//! columns.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, UInt8Builder};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt8Array, UInt32Array, UInt64Array,
};
use arrow_schema::ArrowError;
use chase_engine::Player;
use chase_engine::chase::Action;

use super::design::Design;
use super::facts::GameFacts;
use super::parquet_file::ParquetFile;
use super::series::Series;
use crate::evidence::error::EvidenceError;
use crate::evidence::score::score;
use chase_arena::games::{PlayedGame, Replayed};

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;

/// The rows of some games in both tables: games, and plies.
pub(super) type Rows = [RecordBatch; 2];

/// `games.parquet` and `plies.parquet`, being written while games are played.
pub(super) struct Tables {
    tables: [ParquetFile; 2],
    /// Number of the file of games whose rows are written next.
    next: usize,
    /// Rows of later files.
    waiting: BTreeMap<usize, Rows>,
}

impl Tables {
    /// The tables of a folder, still empty.
    pub fn new(folder: &Path, design: &Design) -> Self {
        Self {
            tables: paths(folder).map(|path| ParquetFile::new(path, SCHEMA_VERSION, design)),
            next: 0,
            waiting: BTreeMap::new(),
        }
    }

    /// Adds the rows of the file of games with this number, from 0. They arrive in any order, and are written in the
    /// order of numbers.
    pub fn add(&mut self, number: usize, rows: Rows) -> Result<(), EvidenceError> {
        self.waiting.insert(number, rows);
        while let Some(rows) = self.waiting.remove(&self.next) {
            for (table, rows) in self.tables.iter_mut().zip(&rows) {
                table.add(rows)?;
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Writes the files.
    pub fn finish(&mut self) -> Result<(), EvidenceError> {
        self.tables.iter_mut().try_for_each(ParquetFile::finish)
    }
}

fn paths(folder: &Path) -> [PathBuf; 2] {
    ["games.parquet", "plies.parquet"].map(|name| folder.join(name))
}

/// The rows of some games and their plies, for the tables of a folder.
pub(super) fn rows(
    folder: &Path,
    design: &Design,
    games: &[GameRow<'_>],
    plies: PlyRows,
) -> Result<Rows, EvidenceError> {
    let [games_path, plies_path] = paths(folder);
    let failed = |path: &Path, error: ArrowError| EvidenceError::content(path, error);
    let games = games_batch(design, games).map_err(|error| failed(&games_path, error))?;
    let plies = plies.batch().map_err(|error| failed(&plies_path, error))?;
    Ok([games, plies])
}

/// A game in the tables.
pub(super) struct GameRow<'a> {
    /// Its number among all games of the study.
    pub number: u64,
    /// The game.
    pub game: &'a PlayedGame,
    /// Its series.
    pub series: &'a Series,
    /// Its facts.
    pub facts: GameFacts,
}

fn games_batch(design: &Design, rows: &[GameRow<'_>]) -> Result<RecordBatch, ArrowError> {
    let texts = |of: &dyn Fn(&GameRow<'_>) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let counts = |of: &dyn Fn(&GameRow<'_>) -> Option<u32>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<UInt32Array>())
    };
    let player = |row: &GameRow<'_>| design.players.get(row.series.player());
    let exact = |row: &GameRow<'_>| {
        let actions: Vec<String> = row.series.line().iter().map(ToString::to_string).collect();
        actions.join(" ")
    };
    let numbers = rows.iter().map(|row| row.number);
    RecordBatch::try_from_iter_with_nullable([
        (
            "game",
            Arc::new(UInt64Array::from_iter_values(numbers)) as ArrayRef,
            false,
        ),
        ("series", texts(&|row| Some(row.series.id.to_string())), false),
        ("block", counts(&|row| Some(row.game.number)), false),
        ("agent", texts(&|row| Some(player(row)?.name.clone())), true),
        ("checkpoint", texts(&|row| player(row)?.checkpoint_hash.clone()), true),
        ("rules", texts(&|row| Some(row.series.rules.to_string())), false),
        ("opening", texts(&|row| Some(exact(row))), false),
        ("opening_article", texts(&|row| Some(row.series.article())), false),
        (
            "opening_class",
            texts(&|row| Some(row.series.class()?.name().into())),
            true,
        ),
        ("outcome", texts(&|row| Some(row.facts.outcome.name().into())), false),
        ("end_reason", texts(&|row| Some(row.game.result.reason.clone())), false),
        (
            "white_score",
            Arc::new(
                rows.iter()
                    .map(|row| score(row.facts.outcome))
                    .collect::<Float64Array>(),
            ),
            true,
        ),
        ("plies", counts(&|row| Some(row.facts.plies)), false),
        ("first_capture_ply", counts(&|row| row.facts.first_capture), true),
        (
            "white_early_losses",
            counts(&|row| Some(row.facts.early_losses[0])),
            false,
        ),
        (
            "black_early_losses",
            counts(&|row| Some(row.facts.early_losses[1])),
            false,
        ),
        (
            "white_early_threats",
            counts(&|row| Some(row.facts.early_threats[0])),
            true,
        ),
        (
            "black_early_threats",
            counts(&|row| Some(row.facts.early_threats[1])),
            true,
        ),
        (
            "first_chamber_ply",
            counts(&|row| Some(row.facts.first_chamber?.0)),
            true,
        ),
        (
            "first_chamber_player",
            texts(&|row| Some(row.facts.first_chamber?.1.name().into())),
            true,
        ),
        // The lines of games from the initial position show the frequency of each first move.
        ("line", texts(&|row| Some(row.facts.line.join(" "))), false),
        ("fives_lost", counts(&|row| Some(row.facts.fives.len() as u32)), false),
        (
            "fives_promoting_two",
            counts(&|row| Some(row.facts.fives.iter().filter(|&&promoted| promoted >= 2).count() as u32)),
            false,
        ),
        ("lead_changes", counts(&|row| Some(row.facts.lead?.changes)), true),
        (
            "comeback",
            Arc::new(
                rows.iter()
                    .map(|row| row.facts.lead?.comeback)
                    .collect::<BooleanArray>(),
            ),
            true,
        ),
        ("settled_ply", counts(&|row| row.facts.lead?.settled), true),
    ])
}

/// Plies in the tables, by columns.
#[derive(Default)]
pub(super) struct PlyRows {
    game: Vec<u64>,
    ply: Vec<u32>,
    white: Vec<bool>,
    position: StringBuilder,
    action: StringBuilder,
    article: StringBuilder,
    forced: Vec<bool>,
    value: Vec<Option<f64>>,
    dice: [Vec<u8>; 2],
    captured: ListBuilder<UInt8Builder>,
    chamber: Vec<bool>,
    absorption: Vec<bool>,
}

impl PlyRows {
    /// Adds a ply of the game with this number among all of the study.
    pub fn add(&mut self, number: u64, game: &PlayedGame, ply: &Replayed<'_>) {
        self.game.push(number);
        self.ply.push(ply.ply as u32 + 1);
        self.white.push(ply.player() == Player::White);
        self.position.append_value(ply.before.to_string());
        self.action.append_value(ply.action.to_string());
        self.article.append_value(ply.before.article_text(ply.action));
        self.forced.push(ply.ply < game.result.opening_plies as usize);
        self.value.push(game.values[ply.ply]);
        for (column, player) in self.dice.iter_mut().zip(Player::BOTH) {
            column.push(ply.before.dice(player).count() as u8);
        }
        ply.captured()
            .for_each(|pips| self.captured.values().append_value(pips));
        self.captured.append(true);
        self.chamber.push(ply.enters_chamber());
        self.absorption.push(matches!(ply.action, Action::Absorb { .. }));
    }

    fn batch(mut self) -> Result<RecordBatch, ArrowError> {
        let player = self.white.iter().map(|&white| if white { "white" } else { "black" });
        let [white_dice, black_dice] = self.dice;
        RecordBatch::try_from_iter_with_nullable([
            ("game", Arc::new(UInt64Array::from(self.game)) as ArrayRef, false),
            ("ply", Arc::new(UInt32Array::from(self.ply)), false),
            ("player", Arc::new(StringArray::from_iter_values(player)), false),
            ("position", Arc::new(self.position.finish()), false),
            ("action", Arc::new(self.action.finish()), false),
            ("article", Arc::new(self.article.finish()), false),
            ("forced", Arc::new(BooleanArray::from(self.forced)), false),
            ("white_value", Arc::new(Float64Array::from(self.value)), true),
            ("white_dice", Arc::new(UInt8Array::from(white_dice)), false),
            ("black_dice", Arc::new(UInt8Array::from(black_dice)), false),
            ("captured", Arc::new(self.captured.finish()), false),
            ("chamber", Arc::new(BooleanArray::from(self.chamber)), false),
            ("absorption", Arc::new(BooleanArray::from(self.absorption)), false),
        ])
    }
}
