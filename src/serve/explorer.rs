//! Figures of games for a position, and verdicts of the article and of studies on its moves.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_arena::explorer::{BySource, Explored, MoveFigures, Source};
use chase_arena::games::GameKind;
use chase_engine::GameName;
use chase_opening_study::ArticleMove;
use serde::{Deserialize, Serialize};

use super::Server;
use super::library::{PLIES, ReadProgress, Shelves};
use super::refusal::{Refusal, aside};
use super::replay::GameRequest;
use super::run_folder::game_of;
use super::runs;
use super::studies::{MoveVerdict, StudyVerdicts};
use super::table::{self, Table};

/// Most players that are listed separately for one move: the last ones by name, which are the newest of a run.
const MOST_PLAYERS: usize = 200;
/// Most reasons reported for unreadable files.
const REASONS: usize = 3;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    game: GameRequest,
    /// The run; all runs if missing.
    run: Option<String>,
    /// The kinds of games; all kinds if missing.
    kinds: Option<BTreeSet<GameKind>>,
    /// The player whose choices count, such as `gen-000012`; all players if missing.
    player: Option<String>,
}

impl ExploreRequest {
    fn asks_for_kind(&self, kind: GameKind) -> bool {
        self.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    fn asks_for(&self, source: &Source) -> bool {
        let player = self.player.as_ref();
        self.asks_for_kind(source.kind) && player.is_none_or(|player| *player == source.player)
    }
}

#[derive(Debug, Default, Serialize)]
pub struct Answer {
    /// Number of games behind the answer.
    games: u64,
    /// Plies that are indexed in each game.
    plies: usize,
    /// True if more games exist that have not been read yet.
    more: bool,
    /// True if more games exist, but there is no memory for them.
    full: bool,
    /// The runs with games.
    runs: Vec<String>,
    /// Number of files and lines that could not be read; the first reasons follow.
    left_out: u64,
    reasons: Vec<String>,
    /// Games read, by kind, regardless of the selection.
    kinds: BTreeMap<GameKind, u64>,
    /// Players in games of the selected kinds, by name, last one first, with the number of games. Empty if no run is
    /// selected.
    players: Vec<(String, u64)>,
    /// Studies whose verdicts are included.
    studies: Vec<String>,
    moves: Vec<Move>,
}

#[derive(Debug, Serialize)]
struct Move {
    #[serde(flatten)]
    explored: Explored,
    /// The article's class of a first move.
    class: Option<&'static str>,
    verdicts: Vec<MoveVerdict>,
}

/// `POST /api/explorer`
pub async fn explore(
    State(server): State<Server>,
    request: Result<Json<ExploreRequest>, JsonRejection>,
) -> Result<Json<Answer>, Refusal> {
    let Json(request) = request?;
    let table = table::open(&request.game)?;
    let game = table.name();
    let run = match &request.run {
        Some(name) => Some((name.clone(), runs::folder(&server, name).await?)),
        None => None,
    };
    aside(move || {
        let all = || server.runs.as_ref().map(|runs| runs.of_game(game)).unwrap_or_default();
        if let Some(other) = run
            .as_ref()
            .and_then(|(_, run)| game_of(run))
            .filter(|other| *other != game)
        {
            let name = request.run.unwrap_or_default();
            return Err(Refusal::bad(format!(
                "run {name:?} is of {other}, expected one of {game}"
            )));
        }
        let runs = run.map_or_else(all, |run| vec![run]);
        // Studies are of Chase.
        let (studies, reasons) = match game {
            GameName::Chase => server.studies.read(&server.runs),
            _ => Default::default(),
        };
        let mut answer = Answer {
            plies: PLIES,
            left_out: reasons.len() as u64,
            reasons,
            studies: studies.iter().map(|study| study.name.clone()).collect(),
            ..Answer::default()
        };
        let mut shelves = server.library.open();
        answer.count(game, &request, &runs, &mut shelves);
        answer.reasons.truncate(REASONS);
        let names: Vec<String> = runs.into_iter().map(|(name, _)| name).collect();
        let explored = table.explored(&shelves, &names, &|source| request.asks_for(source));
        drop(shelves);
        answer.moves = judged(&*table, explored, &studies);
        Ok(Json(answer))
    })
    .await
}

impl Answer {
    /// Reads games within the time of a request, and counts the selected ones.
    fn count(&mut self, game: GameName, request: &ExploreRequest, runs: &[(String, PathBuf)], shelves: &mut Shelves) {
        let progress = shelves.read(game, runs);
        self.more = progress == ReadProgress::More;
        self.full = progress == ReadProgress::Full;
        let chosen = |source: &Source| request.asks_for(source);
        let mut players: BTreeMap<&str, u64> = BTreeMap::new();
        for (name, _) in runs {
            let Some(books) = shelves.books(game, name) else {
                continue;
            };
            self.games += books.games(&chosen);
            if books.entries() > 0 {
                self.runs.push(name.clone());
            }
            self.left_out += books.left_out();
            self.reasons.extend_from_slice(books.reasons());
            for kind in GameKind::ALL {
                let games = books.games(&|source| source.kind == kind);
                if games > 0 {
                    *self.kinds.entry(kind).or_default() += games;
                }
            }
            let sources = books
                .sources()
                .into_iter()
                .filter(|(source, _)| request.run.is_some() && request.asks_for_kind(source.kind));
            for (source, games) in sources {
                *players.entry(&source.player).or_default() += games;
            }
        }
        let players = players.into_iter().rev();
        self.players = players.map(|(name, games)| (name.to_owned(), games)).collect();
    }
}

/// The moves with the verdicts of the article and of studies; after those that were played or searched, those that only
/// the article discusses.
fn judged(table: &dyn Table, explored: Vec<Explored>, studies: &[StudyVerdicts]) -> Vec<Move> {
    let mut named = table.article_moves();
    let mut moves: Vec<Move> = explored
        .into_iter()
        .map(|mut explored| {
            let all = explored.by.len();
            explored.by.drain(..all.saturating_sub(MOST_PLAYERS));
            let known = named.iter().position(|(action, ..)| *action == explored.action);
            let known = known.map(|known| named.remove(known).2);
            Move::of(explored, known.as_ref(), studies)
        })
        .collect();
    moves.extend(named.into_iter().map(|(action, text, named)| {
        let explored = Explored {
            action,
            text,
            figures: MoveFigures::default(),
            by: Vec::<BySource>::new(),
        };
        Move::of(explored, Some(&named), studies)
    }));
    moves
}

impl Move {
    fn of(explored: Explored, named: Option<&ArticleMove>, studies: &[StudyVerdicts]) -> Self {
        let verdicts = named.map_or(Vec::new(), |named| {
            studies.iter().flat_map(|study| study.of(named)).collect()
        });
        Self {
            explored,
            class: named.and_then(|named| named.class).map(|class| class.name()),
            verdicts,
        }
    }
}
