//! What games made of a position, and what the article and studies say of its moves.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use axum::Json;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use chase_engine::chase::Position;
use chase_experiments::explorer::{BySource, Explored, Figures, Kind, Moves, Source};
use chase_experiments::study::Subject;
use serde::{Deserialize, Serialize};

use super::Server;
use super::game::GameRequest;
use super::library::{PLIES, Progress};
use super::refusal::Refusal;
use super::runs;
use super::studies::{MoveVerdict, StudyVerdicts};

/// The most players that are told apart for one move: the last ones by name, which are the newest of a run.
const MOST_PLAYERS: usize = 200;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExploreRequest {
    game: GameRequest,
    /// The run; all of them if missing.
    run: Option<String>,
    /// The kinds of games; all of them if missing.
    kinds: Option<Vec<Kind>>,
    /// Whose choices, such as `gen-000012`; everybody's if missing.
    player: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Answer {
    /// Games that the answer rests on.
    games: u64,
    /// Plies of each that are remembered.
    plies: usize,
    /// Whether there are more, not read yet.
    more: bool,
    /// Whether there are more, but no memory for them.
    full: bool,
    /// Files and lines that could not be read, and why the first of them could not.
    left_out: u64,
    reasons: Vec<String>,
    /// Games that are read, by kind, whatever was chosen.
    kinds: BTreeMap<Kind, u64>,
    /// Those who took part in games of the chosen kinds, by name, the last one first, with the number of games. Empty
    /// where no run was chosen.
    players: Vec<(String, u64)>,
    /// Studies whose verdicts are told.
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
    let position = *request.game.replay()?.game.position();
    let runs = match &request.run {
        Some(name) => vec![(name.clone(), runs::folder(&server, name)?)],
        None => server.runs.as_ref().map(|runs| runs.all()).unwrap_or_default(),
    };
    let explore = move || {
        let (studies, mut reasons) = server.studies.read(&server.runs);
        let mut answer = {
            let mut shelves = server.library.open();
            let progress = shelves.read(&runs);
            let chosen = |source: &Source| {
                let kind = request.kinds.as_ref().is_none_or(|kinds| kinds.contains(&source.kind));
                kind && request.player.as_ref().is_none_or(|player| *player == source.player)
            };
            let mut answer = Answer {
                games: 0,
                plies: PLIES,
                more: progress == Progress::More,
                full: progress == Progress::Full,
                left_out: reasons.len() as u64,
                reasons: Vec::new(),
                kinds: BTreeMap::new(),
                players: Vec::new(),
                studies: studies.iter().map(|study| study.name.clone()).collect(),
                moves: Vec::new(),
            };
            let mut moves = Moves::new(position);
            let mut players: BTreeMap<&str, u64> = BTreeMap::new();
            for (name, _) in &runs {
                let Some(collection) = shelves.collection(name) else {
                    continue;
                };
                let explorer = collection.explorer();
                answer.games += explorer.games(chosen);
                answer.left_out += collection.left_out();
                reasons.extend_from_slice(collection.reasons());
                for kind in [Kind::Selfplay, Kind::Measurement, Kind::Match, Kind::Study] {
                    let games = explorer.games(|source| source.kind == kind);
                    if games > 0 {
                        *answer.kinds.entry(kind).or_default() += games;
                    }
                }
                if request.run.is_some() {
                    let wanted = |kind| request.kinds.as_ref().is_none_or(|kinds| kinds.contains(&kind));
                    for (source, games) in explorer.sources().filter(|(source, _)| wanted(source.kind)) {
                        match players.entry(&source.player) {
                            Entry::Vacant(entry) => _ = entry.insert(games),
                            Entry::Occupied(mut entry) => *entry.get_mut() += games,
                        }
                    }
                }
                moves.add(name, explorer, chosen);
            }
            answer.players = players
                .into_iter()
                .rev()
                .map(|(name, games)| (name.to_owned(), games))
                .collect();
            answer.moves = judged(&position, moves.list(), &studies);
            answer
        };
        reasons.truncate(3);
        answer.reasons = reasons;
        answer
    };
    tokio::task::spawn_blocking(explore)
        .await
        .map_err(Refusal::fault)
        .map(Json)
}

/// The moves with what the article and studies say of them; behind those that were played or searched, those that only
/// the article speaks of.
fn judged(position: &Position, explored: Vec<Explored>, studies: &[StudyVerdicts]) -> Vec<Move> {
    let mut subjects = Subject::of(position);
    let mut moves: Vec<Move> = explored
        .into_iter()
        .map(|mut explored| {
            let all = explored.by.len();
            explored.by.drain(..all.saturating_sub(MOST_PLAYERS));
            let known = subjects
                .iter()
                .position(|(action, _)| action.to_string() == explored.action);
            let subject = known.map(|known| subjects.remove(known).1);
            Move::of(explored, subject.as_ref(), studies)
        })
        .collect();
    moves.extend(subjects.into_iter().map(|(action, subject)| {
        let explored = Explored {
            action: action.to_string(),
            text: position.article_text(action),
            figures: Figures::default(),
            by: Vec::<BySource>::new(),
        };
        Move::of(explored, Some(&subject), studies)
    }));
    moves
}

impl Move {
    fn of(explored: Explored, subject: Option<&Subject>, studies: &[StudyVerdicts]) -> Self {
        let verdicts = subject.map_or(Vec::new(), |subject| {
            studies.iter().flat_map(|study| study.of(subject)).collect()
        });
        Self {
            explored,
            class: subject.and_then(|subject| subject.class).map(|class| class.name()),
            verdicts,
        }
    }
}
