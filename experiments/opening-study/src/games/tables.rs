//! All games and all plies as Parquet files, for pandas, polars and DuckDB. `experiments/opening-study/OPENING_GAMES.md` describes the
//! columns.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{ListBuilder, StringBuilder, UInt8Builder};
use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, RecordBatch, StringArray, UInt8Array, UInt32Array, UInt64Array,
};
use arrow_schema::ArrowError;
use chase_engine::Player;
use chase_engine::chase::Action;
use chase_training::files::{FileError, create_anew, sync_parent, temporary_name};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::GamesError;
use super::design::Design;
use super::facts::{GameFacts, score};
use super::series::Series;
use super::store::StoreError;
use chase_arena::games::{PlayedGame, ReplayError};

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;

/// A Parquet file that is being written; it appears when it is finished.
struct Table<'a> {
    path: &'a Path,
    metadata: Vec<KeyValue>,
    writer: Option<ArrowWriter<File>>,
}

impl<'a> Table<'a> {
    fn new(path: &'a Path, design: &Design) -> Self {
        let fact = |key: &str, value: String| KeyValue::new(format!("chase.{key}"), value);
        let metadata = vec![
            fact("schema_version", SCHEMA_VERSION.to_string()),
            fact("rules_version", design.rules_version.to_string()),
            fact("seed", design.seed.to_string()),
        ];
        Self {
            path,
            metadata,
            writer: None,
        }
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), StoreError> {
        let failed = |error: ParquetError| StoreError::content(self.path, error);
        if self.writer.is_none() {
            let temporary = temporary_name(self.path);
            let file = create_anew(&temporary).map_err(FileError::of("write", &temporary))?;
            let level = ZstdLevel::try_new(3).map_err(failed)?;
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(level))
                .set_key_value_metadata(Some(self.metadata.clone()))
                .build();
            self.writer = Some(ArrowWriter::try_new(file, batch.schema(), Some(properties)).map_err(failed)?);
        }
        match &mut self.writer {
            Some(writer) => writer.write(batch).map_err(failed),
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<(), StoreError> {
        let failed = |error: ParquetError| StoreError::content(self.path, error);
        let Some(writer) = self.writer else { return Ok(()) };
        let file = writer.into_inner().map_err(failed)?;
        file.sync_all().map_err(FileError::of("write", self.path))?;
        std::fs::rename(temporary_name(self.path), self.path).map_err(FileError::of("write", self.path))?;
        Ok(sync_parent(self.path)?)
    }
}

/// Writes `games.parquet` and `plies.parquet` into a folder, from files of games in their order.
pub(super) fn write(
    folder: &Path,
    design: &Design,
    series: &[Series],
    shards: impl Iterator<Item = Result<Vec<PlayedGame>, StoreError>>,
) -> Result<(), GamesError> {
    let (games_path, plies_path) = (folder.join("games.parquet"), folder.join("plies.parquet"));
    let (mut games, mut plies) = (Table::new(&games_path, design), Table::new(&plies_path, design));
    let mut first = 0;
    for shard in shards {
        let shard = shard?;
        let mut rows = Vec::with_capacity(shard.len());
        for (index, game) in shard.iter().enumerate() {
            let found = series.iter().find(|series| series.id == game.series);
            let series = found.ok_or_else(|| StoreError::content(folder, format!("unknown series {}", game.series)))?;
            let facts = GameFacts::of(game, &series.rules)?;
            rows.push(Row {
                number: first + index as u64,
                game,
                series,
                facts,
            });
        }
        first += rows.len() as u64;
        let failed = |path: &Path, error: ArrowError| StoreError::content(path, error);
        games.add(&games_batch(design, &rows).map_err(|error| failed(&games_path, error))?)?;
        let batch = plies_batch(&rows)?.map_err(|error| failed(&plies_path, error))?;
        plies.add(&batch)?;
    }
    games.finish()?;
    Ok(plies.finish()?)
}

/// A game in the tables.
struct Row<'a> {
    number: u64,
    game: &'a PlayedGame,
    series: &'a Series,
    facts: GameFacts,
}

fn games_batch(design: &Design, rows: &[Row<'_>]) -> Result<RecordBatch, ArrowError> {
    let texts = |of: &dyn Fn(&Row<'_>) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let counts =
        |of: &dyn Fn(&Row<'_>) -> Option<u32>| -> ArrayRef { Arc::new(rows.iter().map(of).collect::<UInt32Array>()) };
    let player = |row: &Row<'_>| design.players.get(row.series.player);
    let exact = |row: &Row<'_>| {
        let actions: Vec<String> = row.series.line.iter().map(ToString::to_string).collect();
        actions.join(" ")
    };
    let numbers = rows.iter().map(|row| row.number);
    RecordBatch::try_from_iter_with_nullable([
        (
            "game",
            Arc::new(UInt64Array::from_iter_values(numbers)) as ArrayRef,
            false,
        ),
        ("series", texts(&|row| Some(row.series.id.clone())), false),
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
            "first_chamber_ply",
            counts(&|row| Some(row.facts.first_chamber?.0)),
            true,
        ),
        (
            "first_chamber_player",
            texts(&|row| Some(row.facts.first_chamber?.1.name().into())),
            true,
        ),
        ("fives_lost", counts(&|row| Some(row.facts.fives.len() as u32)), false),
        (
            "fives_promoting_two",
            counts(&|row| Some(row.facts.fives.iter().filter(|&&promoted| promoted >= 2).count() as u32)),
            false,
        ),
    ])
}

/// The columns of plies.
#[derive(Default)]
struct Plies {
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

fn plies_batch(rows: &[Row<'_>]) -> Result<Result<RecordBatch, ArrowError>, ReplayError> {
    let mut columns = Plies::default();
    for row in rows {
        let game = row.game;
        game.replay(&row.series.rules, |ply| {
            columns.game.push(row.number);
            columns.ply.push(ply.ply as u32 + 1);
            columns.white.push(ply.player() == Player::White);
            columns.position.append_value(ply.before.to_string());
            columns.action.append_value(ply.action.to_string());
            columns.article.append_value(ply.before.article_text(ply.action));
            columns.forced.push(ply.ply < game.result.opening_plies as usize);
            columns.value.push(game.values[ply.ply]);
            for (column, player) in columns.dice.iter_mut().zip(Player::BOTH) {
                column.push(ply.before.dice(player).count() as u8);
            }
            ply.captured()
                .for_each(|pips| columns.captured.values().append_value(pips));
            columns.captured.append(true);
            columns.chamber.push(ply.enters_chamber());
            columns.absorption.push(matches!(ply.action, Action::Absorb { .. }));
        })?;
    }
    let player = columns.white.iter().map(|&white| if white { "white" } else { "black" });
    let [white_dice, black_dice] = columns.dice;
    Ok(RecordBatch::try_from_iter_with_nullable([
        ("game", Arc::new(UInt64Array::from(columns.game)) as ArrayRef, false),
        ("ply", Arc::new(UInt32Array::from(columns.ply)), false),
        ("player", Arc::new(StringArray::from_iter_values(player)), false),
        ("position", Arc::new(columns.position.finish()), false),
        ("action", Arc::new(columns.action.finish()), false),
        ("article", Arc::new(columns.article.finish()), false),
        ("forced", Arc::new(BooleanArray::from(columns.forced)), false),
        ("white_value", Arc::new(Float64Array::from(columns.value)), true),
        ("white_dice", Arc::new(UInt8Array::from(white_dice)), false),
        ("black_dice", Arc::new(UInt8Array::from(black_dice)), false),
        ("captured", Arc::new(columns.captured.finish()), false),
        ("chamber", Arc::new(BooleanArray::from(columns.chamber)), false),
        ("absorption", Arc::new(BooleanArray::from(columns.absorption)), false),
    ]))
}
