//! The latest games of a run.

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use chase_arena::games::{GameFolder, GameLine, GameLines, Kind, StoredGamesError};
use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game, Player};
use chase_training::game_record::{GameRecord, Purpose};
use serde::Serialize;

use super::Server;
use super::refusal::{Refusal, aside};
use super::runs;

/// Number of games of a run that a page lists.
const LISTED: usize = 12;
/// Bytes read from the end of a tournament's games: more than the listed number of the longest games has.
const TAIL: u64 = 256 << 10;

/// Games for viewing.
#[derive(Debug, Serialize)]
pub struct Latest {
    kind: Kind,
    /// The folder of their generation, such as `gen-000012`; none for a match.
    generation: Option<String>,
    games: Vec<Replayable>,
}

#[derive(Debug, Serialize)]
struct Replayable {
    /// Its title.
    name: String,
    /// Names of the players, `""` if unknown.
    white: String,
    black: String,
    start: String,
    rules: String,
    /// Actions in exact form.
    moves: Vec<String>,
    /// White's expected score by ply, from 0 to 1, where there was a search.
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
            name: format!("Game {}", record.index + 1),
            white: String::new(),
            black: String::new(),
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

impl Replayable {
    fn of_line(line: GameLine, rules: &Rules) -> Self {
        Self {
            name: format!("{} – {}", line.white, line.black),
            white: line.white,
            black: line.black,
            start: Position::initial().to_string(),
            rules: rules.to_string(),
            moves: line.game.actions,
            values: Vec::new(),
            result: line.game.outcome.name(),
            reason: line.game.reason,
        }
    }
}

/// `GET /api/runs/{name}/games`: some of the latest games, preferably without noise.
pub async fn latest(
    State(server): State<Server>,
    UrlPath(name): UrlPath<String>,
) -> Result<Json<Option<Latest>>, Refusal> {
    let run = runs::folder(&server, &name).await?;
    aside(move || {
        let folder = GameFolder::new(&run);
        let rules = folder.rules().map_err(Refusal::fault)?;
        if folder.of_match().is_file() {
            return Ok(Json(Some(Latest {
                kind: Kind::Match,
                generation: None,
                games: of_match(&folder, &rules).map_err(Refusal::fault)?,
            })));
        }
        for purpose in [Purpose::Measurement, Purpose::Selfplay] {
            // A run that has just begun has no games, and a study stores them differently.
            let shards = folder.shards(purpose).unwrap_or_default();
            if let Some(name) = shards.last() {
                let shard = folder.shard(name, &rules).map_err(Refusal::fault)?;
                return Ok(Json(Some(Latest {
                    kind: purpose.into(),
                    generation: name.split('/').next().map(str::to_owned),
                    games: shard.records.iter().take(LISTED).map(Replayable::from).collect(),
                })));
            }
        }
        Ok(Json(None))
    })
    .await
}

/// The games that a match or a tournament has finished last, latest first.
fn of_match(folder: &GameFolder, rules: &Rules) -> Result<Vec<Replayable>, StoredGamesError> {
    let mut lines = GameLines::open_tail(&folder.of_match(), TAIL)?;
    let mut games: Vec<GameLine> = Vec::new();
    while let Some(line) = lines.next_line()? {
        games.extend(line.game().ok());
    }
    let latest = games.into_iter().rev().take(LISTED);
    Ok(latest.map(|line| Replayable::of_line(line, rules)).collect())
}
