//! The games of a run, from its shards.

use std::path::{Path, PathBuf};

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, Player};
use chase_experiments::explorer::training_rules;
use chase_training::game_record::{GameRecord, Purpose};
use chase_training::replay::shard;
use serde::Serialize;

use super::Server;
use super::refusal::Refusal;
use super::runs;

/// Games of a run that a page lists.
const LISTED: usize = 12;

/// Where the games of a run are, and the conventions that they were played under.
#[derive(Debug)]
pub struct Games {
    folder: PathBuf,
    rules: Rules,
}

impl Games {
    /// The games of a run of Chase.
    pub fn of(run: &Path) -> Result<Self, Refusal> {
        Ok(Self {
            folder: run.join("games"),
            rules: training_rules(run).map_err(Refusal::fault)?,
        })
    }

    /// Shards for a purpose, by their paths below the folder of games, oldest first.
    pub fn shards(&self, purpose: Purpose) -> Vec<String> {
        let list = |folder: &Path| {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            names.collect::<Vec<_>>()
        };
        let prefix = format!("{}-", purpose.name());
        let mut names = Vec::new();
        for generation in list(&self.folder) {
            let shards = list(&self.folder.join(&generation)).into_iter();
            let shards = shards.filter(|name| name.starts_with(&prefix) && name.ends_with(".parquet"));
            names.extend(shards.map(|name| format!("{generation}/{name}")));
        }
        names.sort();
        names
    }

    /// The games of a shard.
    pub fn read(&self, shard: &str) -> Result<Vec<GameRecord<Chase>>, Refusal> {
        let shard = shard::read::<Chase>(&self.folder, shard, &self.rules);
        Ok(shard.map_err(Refusal::fault)?.records)
    }
}

/// Games to be looked at.
#[derive(Debug, Serialize)]
pub struct Latest {
    /// The folder of their generation, such as `gen-000012`.
    generation: String,
    purpose: &'static str,
    games: Vec<Replayable>,
}

#[derive(Debug, Serialize)]
struct Replayable {
    index: u32,
    start: String,
    rules: String,
    /// Exact forms.
    moves: Vec<String>,
    /// White's expected points by ply, from 0 to 1, where a search said.
    values: Vec<Option<f32>>,
    result: &'static str,
    reason: String,
}

impl From<&GameRecord<Chase>> for Replayable {
    fn from(record: &GameRecord<Chase>) -> Self {
        let mut game = record.start.clone();
        let mut moves = Vec::new();
        for ply in &record.plies {
            moves.push(game.action_text(ply.action));
            game.apply(ply.action);
        }
        Self {
            index: record.index,
            start: record.start.position_text(),
            rules: record.start.rules().to_string(),
            moves,
            values: record
                .plies
                .iter()
                .map(|ply| {
                    let [win, draw, loss] = ply.value?;
                    let wins = if ply.player == Player::White { win } else { loss };
                    Some(wins + 0.5 * draw)
                })
                .collect(),
            result: record.outcome.name(),
            reason: record.end_reason.clone(),
        }
    }
}

/// `GET /api/runs/{name}/games`: some of the latest games, without noise if there are such.
pub async fn latest(
    State(server): State<Server>,
    UrlPath(name): UrlPath<String>,
) -> Result<Json<Option<Latest>>, Refusal> {
    let run = runs::folder(&server, &name)?;
    let read = move || {
        let games = Games::of(&run)?;
        for purpose in [Purpose::Measurement, Purpose::Selfplay] {
            if let Some(shard) = games.shards(purpose).last() {
                let records = games.read(shard)?;
                return Ok(Json(Some(Latest {
                    generation: shard.split('/').next().unwrap_or_default().to_owned(),
                    purpose: purpose.name(),
                    games: records.iter().take(LISTED).map(Replayable::from).collect(),
                })));
            }
        }
        Ok(Json(None))
    };
    tokio::task::spawn_blocking(read).await.map_err(Refusal::fault)?
}
