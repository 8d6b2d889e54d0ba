//! All games of a study as one Parquet file, for pandas, polars and DuckDB. `docs/src/guides/balance.md` describes the
//! columns.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt32Array};
use chase_arena::games::GameLine;
use chase_engine::{Game, with_game};
use chase_training::sources;
use chase_training::trainable::Trainable;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use serde_json::{Map, Value, json};

use crate::agent::AgentReport;
use crate::config::AgentEntry;
use crate::error::BalanceError;
use crate::games;
use crate::study::{self, Study, damaged};

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;

/// Games of one agent with one purpose.
struct Part {
    entry: AgentEntry,
    purpose: &'static str,
    simulations: u32,
    games: Vec<GameLine>,
}

/// The file with the games of the finished agents.
///
/// # Errors
/// If games cannot be read.
pub(crate) fn games(study: &Study, agents: &[(AgentEntry, AgentReport)]) -> Result<Vec<u8>, BalanceError> {
    let path = study.path().join("games.parquet");
    let fact = |key: &str, value: String| KeyValue::new(format!("chase.{key}"), value);
    let config = serde_json::to_string(study.began()).map_err(|error| damaged(&path, &error))?;
    let (mut rules, mut encoding) = (Map::new(), Map::new());
    for &game in &study.began().games {
        let training = study.began().training(AgentEntry { game, agent: 1 })?;
        let (version, planes) = with_game!(game, G => (G::RULES_VERSION, serde_json::to_value(G::encoding(&training))));
        let planes = planes.map_err(|error| damaged(&path, &error))?;
        rules.insert(
            game.name().into(),
            json!({"version": version, "conventions": training.rules}),
        );
        encoding.insert(game.name().into(), planes);
    }
    let facts = vec![
        fact("schema_version", SCHEMA_VERSION.to_string()),
        fact("rules", Value::from(rules).to_string()),
        fact("encoding", Value::from(encoding).to_string()),
        fact("config_sha256", study.config_sha256()?),
        fact("config", config),
        fact("git_hash", sources::commit()),
    ];
    let level = ZstdLevel::try_new(3).map_err(|error| damaged(&path, &error))?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(level))
        .set_key_value_metadata(Some(facts))
        .build();
    let empty = batch(&[]).map_err(|error| damaged(&path, &error))?;
    let writer = ArrowWriter::try_new(Vec::new(), empty.schema(), Some(properties));
    let mut writer = writer.map_err(|error| damaged(&path, &error))?;
    for (entry, report) in agents {
        let folder = study.folder_of(*entry);
        let part = |purpose, simulations, name: &str| -> Result<Part, BalanceError> {
            Ok(Part {
                entry: *entry,
                purpose,
                simulations,
                games: games::read(&folder.join(name))?,
            })
        };
        let mut parts = Vec::new();
        for budget in &report.budgets {
            parts.push(part(
                "measurement",
                budget.simulations,
                &study::games_folder(budget.simulations),
            )?);
        }
        parts.push(part("ladder", study.config().ladder.simulations, study::LADDER)?);
        let rows = batch(&parts).map_err(|error| damaged(&path, &error))?;
        writer.write(&rows).map_err(|error| damaged(&path, &error))?;
    }
    writer.into_inner().map_err(|error| damaged(&path, &error))
}

fn batch(parts: &[Part]) -> Result<RecordBatch, arrow_schema::ArrowError> {
    let rows: Vec<(&Part, &GameLine)> = parts
        .iter()
        .flat_map(|part| part.games.iter().map(move |game| (part, game)))
        .collect();
    let texts = |of: &dyn Fn(&Part, &GameLine) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(|(part, game)| of(part, game)).collect::<StringArray>())
    };
    let counts = |of: &dyn Fn(&Part, &GameLine) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(
            rows.iter().map(|(part, game)| of(part, game)),
        ))
    };
    let scores: Float64Array = rows.iter().map(|(_, game)| games::score(game)).collect();
    RecordBatch::try_from_iter_with_nullable([
        ("game", texts(&|part, _| Some(part.entry.game.name().into())), false),
        ("agent", counts(&|part, _| part.entry.agent), false),
        ("purpose", texts(&|part, _| Some(part.purpose.into())), false),
        ("simulations", counts(&|part, _| part.simulations), false),
        ("pair", counts(&|_, game| game.pair), false),
        ("white", texts(&|_, game| Some(game.white.clone())), false),
        ("black", texts(&|_, game| Some(game.black.clone())), false),
        (
            "outcome",
            texts(&|_, game| Some(game.game.outcome.name().into())),
            false,
        ),
        ("end_reason", texts(&|_, game| Some(game.game.reason.clone())), false),
        ("first_player_score", Arc::new(scores) as ArrayRef, true),
        ("plies", counts(&|_, game| game.game.plies), false),
        ("opening_plies", counts(&|_, game| game.game.opening_plies), false),
        ("start", texts(&|_, game| game.game.start.clone()), true),
        ("actions", texts(&|_, game| Some(game.game.actions.join(" "))), false),
    ])
}
