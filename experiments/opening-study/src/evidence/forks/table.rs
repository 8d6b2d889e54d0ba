//! All forks as a Parquet file, for pandas, polars and DuckDB: one row for each playout.
//! `docs/src/study/games.md` describes the columns.

use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt8Array, UInt32Array, UInt64Array};
use arrow_schema::ArrowError;

use super::fork::{Choice, Fork, Playout};
use super::kind::Way;
use crate::evidence::error::EvidenceError;
use crate::evidence::games::{Design, ParquetFile};
use crate::evidence::score::score;

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;
/// Name of the file in the folder of a study.
const FILE: &str = "forks.parquet";

/// Writes the file; without forks there is no file.
pub(super) fn write(study: &Path, design: &Design, forks: &[Fork]) -> Result<(), EvidenceError> {
    if forks.is_empty() {
        return Ok(());
    }
    let path = study.join(FILE);
    let rows = batch(design, forks).map_err(|error| EvidenceError::content(&path, error))?;
    let mut file = ParquetFile::new(path, SCHEMA_VERSION, design);
    file.add(&rows)?;
    file.finish()
}

/// A row: a fork with its number, and one of its playouts with its number.
type Row<'a> = (u64, &'a Fork, u32, &'a Playout);

fn batch(design: &Design, forks: &[Fork]) -> Result<RecordBatch, ArrowError> {
    let rows: Vec<Row<'_>> = (0..)
        .zip(forks)
        .flat_map(|(number, fork)| {
            (0..)
                .zip(&fork.playouts)
                .map(move |(playout, pair)| (number, fork, playout, pair))
        })
        .collect();
    let texts = |of: &dyn Fn(&Row<'_>) -> Option<String>| -> ArrayRef {
        Arc::new(rows.iter().map(of).collect::<StringArray>())
    };
    let counts =
        |of: &dyn Fn(&Row<'_>) -> u32| -> ArrayRef { Arc::new(UInt32Array::from_iter_values(rows.iter().map(of))) };
    let some_counts =
        |of: &dyn Fn(&Row<'_>) -> Option<u32>| -> ArrayRef { Arc::new(rows.iter().map(of).collect::<UInt32Array>()) };
    let wide =
        |of: &dyn Fn(&Row<'_>) -> u64| -> ArrayRef { Arc::new(UInt64Array::from_iter_values(rows.iter().map(of))) };
    let figures =
        |of: &dyn Fn(&Row<'_>) -> Option<f64>| -> ArrayRef { Arc::new(rows.iter().map(of).collect::<Float64Array>()) };
    let dice = |index: usize| -> ArrayRef {
        Arc::new(UInt8Array::from_iter_values(
            rows.iter().map(|(_, fork, ..)| fork.dice[index]),
        ))
    };
    let player = |fork: &Fork| design.players.get(fork.turn.player);
    let choice = |of: fn(&Fork) -> &Choice| {
        [
            texts(&|(_, fork, ..)| Some(of(fork).action.clone())),
            texts(&|(_, fork, ..)| Some(of(fork).text.clone())),
            figures(&|(_, fork, ..)| of(fork).score),
            counts(&|(_, fork, ..)| of(fork).among),
        ]
    };
    let [action, action_article, action_score, action_among] = choice(|fork| &fork.action);
    let [rival, rival_article, rival_score, rival_among] = choice(|fork| &fork.rival);
    let control = |of: &dyn Fn(&Choice) -> String| texts(&|(_, fork, ..)| fork.control.as_ref().map(of));
    RecordBatch::try_from_iter_with_nullable([
        ("fork", wide(&|(number, ..)| *number), false),
        ("playout", counts(&|(_, _, playout, _)| *playout), false),
        (
            "kind",
            texts(&|(_, fork, ..)| Some(fork.turn.kind.name().into())),
            false,
        ),
        ("agent", texts(&|(_, fork, ..)| Some(player(fork)?.name.clone())), true),
        (
            "checkpoint",
            texts(&|(_, fork, ..)| player(fork)?.checkpoint_hash.clone()),
            true,
        ),
        ("series", texts(&|(_, fork, ..)| Some(fork.turn.series.clone())), false),
        ("block", counts(&|(_, fork, ..)| fork.turn.block), false),
        ("game", wide(&|(_, fork, ..)| fork.turn.game), false),
        ("ply", counts(&|(_, fork, ..)| fork.turn.ply() as u32), false),
        ("mover", texts(&|(_, fork, ..)| Some(fork.mover()?.name().into())), true),
        ("position", texts(&|(_, fork, ..)| Some(fork.position.clone())), false),
        ("white_dice", dice(0), false),
        ("black_dice", dice(1), false),
        ("action", action, false),
        ("action_article", action_article, false),
        ("action_score", action_score, true),
        ("action_among", action_among, false),
        ("rival", rival, false),
        ("rival_article", rival_article, false),
        ("rival_score", rival_score, true),
        ("rival_among", rival_among, false),
        (
            "went",
            texts(&|(_, fork, ..)| {
                fork.went.map(|way| match way {
                    Way::Action => "action".into(),
                    Way::Rival => "rival".into(),
                })
            }),
            true,
        ),
        (
            "action_white_score",
            figures(&|(.., pair)| score(pair.action.outcome)),
            true,
        ),
        ("action_plies", counts(&|(.., pair)| pair.action.plies), false),
        (
            "rival_white_score",
            figures(&|(.., pair)| score(pair.rival.outcome)),
            true,
        ),
        ("rival_plies", counts(&|(.., pair)| pair.rival.plies), false),
        ("control", control(&|choice| choice.action.clone()), true),
        ("control_article", control(&|choice| choice.text.clone()), true),
        (
            "control_score",
            figures(&|(_, fork, ..)| fork.control.as_ref()?.score),
            true,
        ),
        (
            "control_among",
            some_counts(&|(_, fork, ..)| Some(fork.control.as_ref()?.among)),
            true,
        ),
        (
            "control_white_score",
            figures(&|(.., pair)| score(pair.control.as_ref()?.outcome)),
            true,
        ),
        (
            "control_plies",
            some_counts(&|(.., pair)| Some(pair.control.as_ref()?.plies)),
            true,
        ),
        (
            "difference",
            figures(&|(_, fork, _, pair)| pair.difference(fork.mover()?)),
            true,
        ),
        (
            "over_control",
            figures(&|(_, fork, _, pair)| pair.over_control(fork.mover()?)),
            true,
        ),
    ])
}
