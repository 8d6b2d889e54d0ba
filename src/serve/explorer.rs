//! What the games of a run made of a position.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_engine::chase::Position;
use chase_experiments::study::first_moves;
use chase_experiments::{Explored, Explorer};
use chase_training::game_record::Purpose;
use serde::{Deserialize, Serialize};

use super::Server;
use super::game::GameRequest;
use super::games::{self, Games};
use super::refusal::Refusal;
use super::runs;

/// Plies of each game that are remembered.
const PLIES: usize = 30;
/// How long one request reads shards before it answers; the rest comes with the next.
const READING: Duration = Duration::from_millis(500);

/// The games of runs, read as they are asked for and kept.
#[derive(Debug, Default)]
pub struct Library {
    shelves: Mutex<HashMap<(String, Purpose), SharedShelf>>,
}

type SharedShelf = Arc<Mutex<Shelf>>;

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
    let purpose = games::purpose(&request.purpose)?;
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
    tokio::task::spawn_blocking(explore)
        .await
        .map_err(Refusal::fault)?
        .map(Json)
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
        let games = Games::of(run)?;
        let mut names = games.shards(purpose);
        names.retain(|name| !self.read.contains(name));
        let began = Instant::now();
        for name in names {
            if began.elapsed() > READING {
                return Ok(true);
            }
            for record in games.read(&name)? {
                self.explorer.add(&record);
            }
            self.read.insert(name);
        }
        Ok(false)
    }

    fn answer(&self, position: &Position, more: bool) -> Answer {
        let first = *position == Position::initial();
        let classes = if first { first_moves() } else { Vec::new() };
        let class = |explored: &Explored| {
            let known = classes
                .iter()
                .find(|known| known.action().to_string() == explored.action);
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
