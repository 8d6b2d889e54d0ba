//! The latest games of a run.

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use chase_arena::games::{GameFolder, GameKind, GameLine, GameLines, StoredGamesError};
use chase_engine::{Game, GameName, Playable, Player, with_game};
use chase_training::game_record::{GameRecord, Purpose};
use serde::Serialize;

use super::Server;
use super::refusal::{Refusal, aside};
use super::run_folder::game_of;
use super::runs;

/// Number of games of a run that a page lists.
const LISTED: usize = 12;
/// Bytes read from the end of a tournament's games: more than the listed number of the longest games has.
const TAIL: u64 = 256 << 10;

/// Games for viewing.
#[derive(Debug, Serialize)]
pub struct Latest {
    /// The name of their game.
    game: &'static str,
    kind: GameKind,
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

impl Replayable {
    fn of_record<G: Game>(record: &GameRecord<G>, rules: &G::Rules) -> Self {
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
            rules: G::rules_text(rules),
            moves,
            values: record
                .plies
                .iter()
                .map(|ply| {
                    let value = ply.value?;
                    let white = if ply.player == Player::White { value } else { -value };
                    Some(white.score() as f32)
                })
                .collect(),
            result: record.outcome.name(),
            reason: record.end_reason.clone(),
        }
    }

    fn of_line<G: Game>(line: GameLine, rules: &G::Rules) -> Self {
        Self {
            name: format!("{} – {}", line.white, line.black),
            white: line.white,
            black: line.black,
            start: line.game.start.unwrap_or_else(|| G::new(rules).position_text()),
            rules: G::rules_text(rules),
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
    aside(move || match game_of(&run) {
        Some(game) => with_game!(game, G => latest_of::<G>(&GameFolder::new(&run), game)).map(Json),
        None => Ok(Json(None)),
    })
    .await
}

fn latest_of<G: Playable>(folder: &GameFolder, game: GameName) -> Result<Option<Latest>, Refusal> {
    let rules = folder.rules::<G>(game).map_err(Refusal::fault)?;
    let latest = |kind, generation, games| {
        Ok(Some(Latest {
            game: game.name(),
            kind,
            generation,
            games,
        }))
    };
    if folder.of_match().is_file() {
        let games = of_match::<G>(folder, &rules).map_err(Refusal::fault)?;
        return latest(GameKind::Match, None, games);
    }
    for purpose in [Purpose::Measurement, Purpose::Selfplay] {
        // A run that has just begun has no games, and a study stores them differently.
        let shards = folder.shards(purpose).unwrap_or_default();
        if let Some(name) = shards.last() {
            let shard = folder.shard::<G>(name, &rules).map_err(Refusal::fault)?;
            let records = shard.records.iter().take(LISTED);
            let games = records.map(|record| Replayable::of_record(record, &rules)).collect();
            return latest(purpose.into(), name.split('/').next().map(str::to_owned), games);
        }
    }
    Ok(None)
}

/// The games that a match or a tournament has finished last, latest first.
fn of_match<G: Game>(folder: &GameFolder, rules: &G::Rules) -> Result<Vec<Replayable>, StoredGamesError> {
    let mut lines = GameLines::open_tail(&folder.of_match(), TAIL)?;
    let mut games: Vec<GameLine> = Vec::new();
    while let Some(line) = lines.next_line()? {
        games.extend(line.game().ok());
    }
    let latest = games.into_iter().rev().take(LISTED);
    Ok(latest.map(|line| Replayable::of_line::<G>(line, rules)).collect())
}
