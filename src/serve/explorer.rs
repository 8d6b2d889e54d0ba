//! Figures of games for a position, and verdicts of the article and of studies on its moves.

use std::collections::{BTreeMap, BTreeSet};

use axum::Json;
use axum::extract::State;
use chase_arena::explorer::{Collection, Explored, MoveFigures, Moves, Source};
use chase_arena::games::GameKind;
use chase_engine::{Game, GameName, Playable};
use chase_opening_study::ArticleMove;
use serde::{Deserialize, Serialize};

use super::Server;
use super::library::{PLIES, ReadProgress};
use super::refusal::{Body, Refusal, aside};
use super::replay::{GameRequest, Replay, with_replay};
use super::runs::game_of;
use super::studies::{MoveVerdict, StudyVerdicts};
use crate::of_chase::as_chase;

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
pub struct Figures {
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
    Body(request): Body<ExploreRequest>,
) -> Result<Json<Figures>, Refusal> {
    aside(move || with_replay!(request.game, replay => explored(&server, &replay, &request)))
        .await
        .map(Json)
}

fn explored<G: Playable>(server: &Server, replay: &Replay<G>, request: &ExploreRequest) -> Result<Figures, Refusal> {
    let game = replay.name;
    let runs = match &request.run {
        None => server.runs.of_game(game),
        Some(name) => {
            let folder = server.runs.named(name)?;
            if let Some(other) = game_of(&folder).filter(|other| *other != game) {
                let reason = format!("run {name:?} is of {other}, expected one of {game}");
                return Err(Refusal::bad(reason));
            }
            vec![(name.clone(), folder)]
        }
    };
    // Studies are of Chase.
    let (studies, reasons) = match game {
        GameName::Chase => server.studies.read(&server.runs),
        _ => Default::default(),
    };
    let mut figures = Figures {
        plies: PLIES,
        left_out: reasons.len() as u64,
        reasons,
        studies: studies.iter().map(|study| study.name.clone()).collect(),
        ..Figures::default()
    };
    let mut shelves = server.library.open();
    let progress = shelves.read::<G>(game, &runs);
    figures.more = progress == ReadProgress::More;
    figures.full = progress == ReadProgress::Full;
    let mut moves = Moves::new(replay.game.clone());
    let mut players = BTreeMap::new();
    for (name, _) in &runs {
        if let Some(collection) = shelves.collection::<G>(game, name) {
            figures.add(name, collection, request, &mut players);
            moves.add(name, collection.explorer(), |source| request.asks_for(source));
        }
    }
    drop(shelves);
    figures.reasons.truncate(REASONS);
    figures.players = players.into_iter().rev().collect();
    figures.moves = judged(&replay.game, moves.list(), &studies);
    Ok(figures)
}

impl Figures {
    /// Counts the selected games of a run, and of its players if it was selected itself.
    fn add<G: Playable>(
        &mut self,
        run: &str,
        collection: &Collection<G>,
        request: &ExploreRequest,
        players: &mut BTreeMap<String, u64>,
    ) {
        let explorer = collection.explorer();
        self.games += explorer.games(|source| request.asks_for(source));
        if explorer.entries() > 0 {
            self.runs.push(run.to_owned());
        }
        self.left_out += collection.left_out();
        self.reasons.extend_from_slice(collection.reasons());
        for kind in GameKind::ALL {
            let games = explorer.games(|source| source.kind == kind);
            if games > 0 {
                *self.kinds.entry(kind).or_default() += games;
            }
        }
        let selected = explorer
            .sources()
            .filter(|(source, _)| request.asks_for_kind(source.kind));
        for (source, games) in selected.filter(|_| request.run.is_some()) {
            *players.entry(source.player.clone()).or_default() += games;
        }
    }
}

/// The moves with the verdicts of the article and of studies; after those that were played or searched, those that only
/// the article discusses.
fn judged<G: Playable>(game: &G, explored: Vec<Explored>, studies: &[StudyVerdicts]) -> Vec<Move> {
    let mut named = article_moves(game);
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
            by: Vec::new(),
        };
        Move::of(explored, Some(&named), studies)
    }));
    moves
}

/// The moves of this position that the article on Chase discusses, each in exact form and in that for people.
fn article_moves<G: Playable>(game: &G) -> Vec<(String, String, ArticleMove)> {
    let Some(chase) = as_chase(game) else { return Vec::new() };
    let moves = ArticleMove::of(chase.position()).into_iter();
    moves
        .map(|(action, named)| (chase.action_text(action), chase.people_text(action), named))
        .collect()
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
