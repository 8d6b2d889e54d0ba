//! What the games of a run made of a position.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_engine::Chase;
use chase_engine::chase::{Position, Rules};
use chase_experiments::study::first_moves;
use chase_experiments::{Explored, Explorer};
use chase_training::config::{Config, RulesConfig};
use chase_training::files;
use chase_training::game_record::Purpose;
use chase_training::replay::shard;
use chase_training::trainable::Trainable;
use serde::{Deserialize, Serialize};

use super::Server;
use super::game::GameRequest;
use super::refusal::Refusal;
use super::runs;

/// Plies of each game that are remembered.
const PLIES: usize = 30;
/// Shards that one request reads before it answers; the rest comes with the next.
const SHARDS_AT_ONCE: usize = 64;

/// The games of runs, read as they are asked for and kept.
#[derive(Debug, Default)]
pub struct Library {
    shelves: Mutex<HashMap<(String, Purpose), Arc<Mutex<Shelf>>>>,
}

/// The games of one run and purpose.
#[derive(Debug)]
struct Shelf {
    explorer: Explorer,
    /// Shards that are in it.
    read: HashSet<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    game: GameRequest,
    run: String,
    /// `selfplay` or `measurement`.
    purpose: String,
}

#[derive(Debug, Serialize)]
pub struct Answer {
    /// Games in all.
    games: u64,
    /// Whether there are more, not read yet.
    more: bool,
    moves: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct Move {
    #[serde(flatten)]
    explored: Explored,
    /// The article's class of a first move.
    class: Option<&'static str>,
}

/// `POST /api/explorer`
pub async fn explore(
    State(server): State<Server>,
    request: Result<Json<ExploreRequest>, JsonRejection>,
) -> Result<Json<Answer>, Refusal> {
    let Json(request) = request?;
    let position = *request.game.replay()?.game.position();
    let purpose = [Purpose::Selfplay, Purpose::Measurement]
        .into_iter()
        .find(|purpose| purpose.name() == request.purpose)
        .ok_or_else(|| Refusal::bad("purpose: expected selfplay or measurement"))?;
    let run = runs::folder(&server, &request.run)?;
    let shelf = {
        let mut shelves = server.library.shelves.lock().unwrap_or_else(PoisonError::into_inner);
        let shelf = shelves.entry((request.run, purpose)).or_default();
        Arc::clone(shelf)
    };
    let explore = move || {
        let mut shelf = shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let more = shelf.read_more(&run, purpose)?;
        Ok(shelf.answer(&position, more))
    };
    tokio::task::spawn_blocking(explore).await.map_err(Refusal::fault)?.map(Json)
}

impl Default for Shelf {
    fn default() -> Self {
        Self {
            explorer: Explorer::new(PLIES),
            read: HashSet::new(),
        }
    }
}

impl Shelf {
    /// Reads shards that are new, and says whether some are left.
    fn read_more(&mut self, run: &Path, purpose: Purpose) -> Result<bool, Refusal> {
        let rules = rules(run)?;
        let folder = run.join("games");
        let mut names = shard_names(&folder, purpose);
        names.retain(|name| !self.read.contains(name));
        let more = names.len() > SHARDS_AT_ONCE;
        for name in names.into_iter().take(SHARDS_AT_ONCE) {
            for record in shard::read::<Chase>(&folder, &name, &rules).map_err(Refusal::fault)? {
                self.explorer.add(&record);
            }
            self.read.insert(name);
        }
        Ok(more)
    }

    fn answer(&self, position: &Position, more: bool) -> Answer {
        let first = *position == Position::initial();
        let classes = if first { first_moves() } else { Vec::new() };
        let class = |explored: &Explored| {
            let known = classes.iter().find(|known| known.action().to_string() == explored.action);
            known.map(|known| known.class.name())
        };
        Answer {
            games: self.explorer.games(),
            more,
            moves: self
                .explorer
                .moves(position)
                .into_iter()
                .map(|explored| Move {
                    class: class(&explored),
                    explored,
                })
                .collect(),
        }
    }
}

/// The conventions that a run's games were played under; what else it was configured with may come from a newer program.
fn rules(run: &Path) -> Result<Rules, Refusal> {
    #[derive(Deserialize)]
    struct File {
        #[serde(default)]
        rules: RulesConfig,
    }
    let path = run.join("config.toml");
    let text = files::read(&path).map_err(Refusal::fault)?;
    let file: File = toml::from_slice(&text).map_err(|error| Refusal::fault(format!("{}: {error}", path.display())))?;
    let config = Config {
        rules: file.rules,
        ..Config::default()
    };
    Ok(<Chase as Trainable>::rules(&config))
}

/// Shards for a purpose, by their paths below the folder of games, in order.
fn shard_names(folder: &Path, purpose: Purpose) -> Vec<String> {
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let prefix = format!("{}-", purpose.name());
    let mut names = Vec::new();
    for generation in list(folder) {
        let shards = list(&folder.join(&generation)).into_iter();
        let shards = shards.filter(|name| name.starts_with(&prefix) && name.ends_with(".parquet"));
        names.extend(shards.map(|name| format!("{generation}/{name}")));
    }
    names.sort();
    names
}
