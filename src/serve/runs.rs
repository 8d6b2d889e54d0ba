//! Runs and their progress.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chase_arena::games::{GameFile, GameFolder, GameLines};
use chase_arena::runs::Run;
use chase_arena::tournament::Standings;
use chase_training::kinds::NetworkKind;
use chase_training::metrics::RunPart;
use chase_training::replay::shard;
use chase_training::store::files;
use chase_training::store::run_dir::META_FILE;
use chase_training::store::run_kind::RunKind;
use serde::Serialize;
use serde_json::{Value, json};

use super::Server;
use super::refusal::{Refusal, aside};

/// The report of a run, within its folder.
const REPORT: &str = "report.html";
/// Most bytes of a report that is shown: twenty times those of the largest studies.
const LARGEST_REPORT: u64 = 16 << 20;
/// Most points of a curve; a screen cannot show more.
const POINTS: usize = 400;
/// Policy of a report's page: it only displays itself. Style and pictures are inline, and it has no scripts.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups";

/// The folder of the run with this name.
///
/// # Errors
/// If there is no such run.
pub async fn folder(server: &Server, name: &str) -> Result<PathBuf, Refusal> {
    let (runs, name) = (server.runs.clone(), name.to_owned());
    aside(move || {
        let run = runs.and_then(|runs| runs.run(&name));
        run.ok_or_else(|| Refusal::missing(format!("there is no run {name:?} here")))
    })
    .await
}

#[derive(Debug, Serialize)]
pub struct Names {
    runs: Vec<String>,
}

/// `GET /api/runs`: the run that was begun last is first.
pub async fn list(State(server): State<Server>) -> Result<Json<Names>, Refusal> {
    aside(move || {
        let mut runs = server.runs.map(|runs| runs.all()).unwrap_or_default();
        let begun = |run: &std::path::Path| run.join(META_FILE).metadata().and_then(|facts| facts.modified()).ok();
        runs.sort_by_cached_key(|(_, run)| Reverse(begun(run)));
        let runs = runs.into_iter().map(|(name, _)| name).collect();
        Ok(Json(Names { runs }))
    })
    .await
}

/// Progress of a run, and its curves.
#[derive(Debug, Serialize)]
pub struct Details {
    name: String,
    game: String,
    /// `training`, `nnue`, `match`, `study`, `balance` or `data set`.
    kind: &'static str,
    generation: u64,
    /// Games that are stored, or that were trained on; 0 for a comparison of the balance of games.
    games: u64,
    rows: u64,
    seconds: f64,
    /// Figures by part and name, as points of x and value; x is the step, or for evaluations the generation.
    curves: BTreeMap<String, Vec<(u64, f64)>>,
    has_report: bool,
    /// `games`, `of`, `anchor` and `players` of the report of a finished match or tournament.
    standings: Option<Value>,
}

/// `GET /api/runs/{name}`
pub async fn details(State(server): State<Server>, Path(name): Path<String>) -> Result<Json<Details>, Refusal> {
    let folder = folder(&server, &name).await?;
    aside(move || {
        let run = Run::read(&folder).map_err(Refusal::fault)?;
        let state = run.state.clone().unwrap_or_default();
        let kind = RunKind::of(&folder);
        Ok(Json(Details {
            curves: curves(&run),
            standings: (kind == Some(RunKind::Tournament))
                .then(|| standings(&folder))
                .flatten(),
            games: games(&folder, &run, kind).unwrap_or(state.games),
            kind: kind_name(&folder, kind),
            name: run.name,
            game: run.meta.game,
            generation: state.generation,
            rows: state.rows,
            seconds: state.milliseconds as f64 / 1000.0,
            has_report: folder.join(REPORT).is_file(),
        }))
    })
    .await
}

/// The kind of a run, as pages distinguish them. One that is of no kind yet becomes a training run.
fn kind_name(folder: &std::path::Path, kind: Option<RunKind>) -> &'static str {
    match kind {
        Some(RunKind::Training) | None => NetworkKind::of(folder).facts().name,
        Some(RunKind::Tournament) => "match",
        Some(RunKind::Study) => "study",
        Some(RunKind::Balance) => "balance",
        Some(RunKind::Book) => "book",
        Some(RunKind::DataSet) => "data set",
    }
}

/// Number of games in the files of a run that has no state to count them.
fn games(folder: &std::path::Path, run: &Run, kind: Option<RunKind>) -> Option<u64> {
    let folder = GameFolder::new(folder);
    match kind? {
        RunKind::Tournament => Some(lines(&folder.of_match())),
        RunKind::Study => {
            let files = folder.files();
            Some(files.iter().map(|file| lines(&folder.games().join(file.name()))).sum())
        }
        RunKind::DataSet => {
            let setting = |key| {
                let number = run.config.get("selfplay")?.get(key)?.as_integer()?;
                u64::try_from(number).ok()
            };
            let (all, size) = (setting("games")?, setting("group_games")?);
            // Each file has the games of a group, all of the same size but the last.
            let files = folder.files().into_iter();
            let groups = files.filter_map(|file| match file {
                GameFile::Shard(_, name) => Some(u64::from(shard::place(&name)?.group)),
                GameFile::Study(_) => None,
            });
            let groups: BTreeSet<u64> = groups.collect();
            let games = |group: u64| all.saturating_sub(group.saturating_mul(size)).min(size);
            Some(groups.into_iter().map(games).sum())
        }
        RunKind::Training | RunKind::Balance | RunKind::Book => None,
    }
}

/// Number of complete lines of a file of games, as far as it can be read.
fn lines(file: &std::path::Path) -> u64 {
    let Ok(mut lines) = GameLines::open(file) else {
        return 0;
    };
    while let Ok(Some(_)) = lines.next_line() {}
    lines.place().lines as u64
}

/// The standings in the report of a match or tournament; `None` if there is no report yet, or it cannot be read.
fn standings(folder: &std::path::Path) -> Option<Value> {
    let file = folder.join("report.json");
    let report = files::read_at_most(&file, LARGEST_REPORT).ok()?;
    let Standings {
        games,
        of,
        anchor,
        players,
        ..
    } = serde_json::from_slice(&report).ok()?;
    Some(json!({ "games": games, "of": of, "anchor": anchor, "players": players }))
}

fn curves(run: &Run) -> BTreeMap<String, Vec<(u64, f64)>> {
    let mut curves: BTreeMap<String, Vec<(u64, f64)>> = BTreeMap::new();
    for part in [RunPart::Learner, RunPart::Evaluation, RunPart::Selfplay] {
        for record in run.part(part) {
            for (name, value) in record.figures().filter(|(name, _)| name.contains('/')) {
                let curve = curves.entry(format!("{part} {name}")).or_default();
                let axis = if part == RunPart::Learner {
                    record.step
                } else {
                    record.generation
                };
                curve.push((axis, value));
            }
        }
    }
    for curve in curves.values_mut() {
        let every = curve.len().div_ceil(POINTS).max(1);
        let last = curve.len().saturating_sub(1);
        let mut index = 0;
        curve.retain(|_| {
            index += 1;
            (index - 1) % every == 0 || index - 1 == last
        });
    }
    curves
}

/// `GET /runs/{name}/report.html`: the file itself.
pub async fn report(State(server): State<Server>, Path(name): Path<String>) -> Result<Response, Refusal> {
    let file = folder(&server, &name).await?.join(REPORT);
    let page = aside(move || {
        let page = files::read_at_most(&file, LARGEST_REPORT);
        page.map_err(|error| match error.is_absent() {
            true => Refusal::missing(format!("run {name:?} has no report yet")),
            false => Refusal::missing(format!("the report of run {name:?} cannot be read: {}", error.reason())),
        })
    })
    .await?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (CONTENT_SECURITY_POLICY, HeaderValue::from_static(REPORT_POLICY)),
    ];
    Ok((headers, page).into_response())
}
