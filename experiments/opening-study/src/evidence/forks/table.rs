//! All forks as a Parquet file, for pandas, polars and DuckDB: one row for each playout.
//! `docs/src/study/games.md` describes the columns.

use std::path::Path;

use chase_engine::Player;
use chase_training::store::files::FileError;
use chase_training::store::tables;
use serde::{Deserialize, Serialize};

use super::fork::{Fork, Playout};
use super::kind::Way;
use crate::evidence::games::{Design, table};
use crate::evidence::score::score;

/// Version of the columns.
const SCHEMA_VERSION: u32 = 1;
/// Name of the file in the folder of a study.
const FILE: &str = "forks.parquet";

/// Writes the file; without forks there is no file.
pub(super) fn write(study: &Path, design: &Design, forks: &[Fork]) -> Result<(), FileError> {
    if forks.is_empty() {
        return Ok(());
    }
    let rows = (0..).zip(forks).flat_map(|(number, fork)| {
        let playouts = (0..).zip(&fork.playouts);
        playouts.map(move |(playout, games)| Row::new(number, fork, playout, games, design))
    });
    let mut file = table(study.join(FILE), SCHEMA_VERSION, design);
    file.add(&tables::batch(rows))?;
    file.finish()
}

/// A playout of a fork.
#[derive(Serialize, Deserialize)]
struct Row<'a> {
    /// Number of the fork in the study.
    fork: u64,
    /// Number of the playout of the fork.
    playout: u32,
    kind: &'a str,
    agent: Option<&'a str>,
    checkpoint: Option<&'a str>,
    series: &'a str,
    block: u32,
    game: u64,
    ply: u32,
    mover: Option<&'a str>,
    position: &'a str,
    white_dice: u8,
    black_dice: u8,
    action: &'a str,
    action_article: &'a str,
    action_score: Option<f64>,
    action_among: u32,
    rival: &'a str,
    rival_article: &'a str,
    rival_score: Option<f64>,
    rival_among: u32,
    went: Option<&'a str>,
    action_white_score: Option<f64>,
    action_plies: u32,
    rival_white_score: Option<f64>,
    rival_plies: u32,
    control: Option<&'a str>,
    control_article: Option<&'a str>,
    control_score: Option<f64>,
    control_among: Option<u32>,
    control_white_score: Option<f64>,
    control_plies: Option<u32>,
    difference: Option<f64>,
    over_control: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(number: u64, fork: &'a Fork, playout: u32, games: &Playout, design: &'a Design) -> Self {
        let player = design.players.get(fork.turn.player);
        let mover = fork.mover();
        let [white_dice, black_dice] = fork.dice;
        let control = fork.control.as_ref();
        let control_game = games.control.as_ref();
        Self {
            fork: number,
            playout,
            kind: fork.turn.kind.name(),
            agent: player.map(|player| player.name.as_str()),
            checkpoint: player.and_then(|player| player.checkpoint_hash.as_deref()),
            series: &fork.turn.series,
            block: fork.turn.block,
            game: fork.turn.game,
            ply: fork.turn.ply() as u32,
            mover: mover.map(Player::name),
            position: &fork.position,
            white_dice,
            black_dice,
            action: &fork.action.action,
            action_article: &fork.action.text,
            action_score: fork.action.score,
            action_among: fork.action.among,
            rival: &fork.rival.action,
            rival_article: &fork.rival.text,
            rival_score: fork.rival.score,
            rival_among: fork.rival.among,
            went: fork.went.map(|way| match way {
                Way::Action => "action",
                Way::Rival => "rival",
            }),
            action_white_score: score(games.action.outcome),
            action_plies: games.action.plies,
            rival_white_score: score(games.rival.outcome),
            rival_plies: games.rival.plies,
            control: control.map(|choice| choice.action.as_str()),
            control_article: control.map(|choice| choice.text.as_str()),
            control_score: control.and_then(|choice| choice.score),
            control_among: control.map(|choice| choice.among),
            control_white_score: control_game.and_then(|game| score(game.outcome)),
            control_plies: control_game.map(|game| game.plies),
            difference: mover.and_then(|mover| games.difference(mover)),
            over_control: mover.and_then(|mover| games.over_control(mover)),
        }
    }
}
