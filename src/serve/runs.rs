//! Runs, their progress and their latest games.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path as UrlPath, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use chase_arena::games::{GameFile, GameFolder, GameKind, GameLine, GameLines, StoredGamesError, line_texts};
use chase_arena::runs::Run;
use chase_arena::tournament::Standings;
use chase_engine::{Game, GameName, Playable, Player, with_game};
use chase_training::game_record::{GameRecord, PlyRecord, Purpose};
use chase_training::kinds::NetworkKind;
use chase_training::metrics::RunPart;
use chase_training::replay::shard;
use chase_training::store::files;
use chase_training::store::run_dir::{META_FILE, Meta};
use chase_training::store::run_kind::RunKind;
use serde::Serialize;
use serde_json::{Value, json};

use super::Server;
use super::refusal::{Answer, Refusal, aside};

/// The report of a run, within its folder.
const REPORT: &str = "report.html";
/// Most bytes of a report that is shown: twenty times those of the largest studies.
const LARGEST_REPORT: u64 = 16 << 20;
/// Most points of a curve; a screen cannot show more.
const POINTS: usize = 400;
/// Policy of a report's page: it only displays itself. Style and pictures are inline, and it has no scripts.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox allow-popups";

/// `GET /api/runs`: the run that was begun last is first.
pub async fn list(State(server): State<Server>) -> Answer {
    aside(move || {
        let mut runs = server.runs.all();
        let begun = |run: &Path| run.join(META_FILE).metadata().and_then(|facts| facts.modified()).ok();
        runs.sort_by_cached_key(|(_, run)| Reverse(begun(run)));
        let names: Vec<String> = runs.into_iter().map(|(name, _)| name).collect();
        Ok(Json(json!({ "runs": names })))
    })
    .await
}

/// `GET /api/runs/{name}`: progress of a run, and its curves.
pub async fn details(State(server): State<Server>, UrlPath(name): UrlPath<String>) -> Answer {
    aside(move || {
        let folder = server.runs.named(&name)?;
        let run = Run::read(&folder).map_err(Refusal::fault)?;
        let state = run.state.clone().unwrap_or_default();
        let kind = RunKind::of(&folder);
        let is_tournament = kind == Some(RunKind::Tournament);
        Ok(Json(json!({
            "name": run.name,
            "game": run.meta.game,
            "kind": kind_name(&folder, kind),
            "generation": state.generation,
            // Those that are stored, or that were trained on; 0 for a comparison of the balance of games.
            "games": games(&folder, &run, kind).unwrap_or(state.games),
            "rows": state.rows,
            "seconds": state.milliseconds as f64 / 1000.0,
            "curves": curves(&run),
            "has_report": folder.join(REPORT).is_file(),
            "standings": is_tournament.then(|| standings(&folder)).flatten(),
        })))
    })
    .await
}

/// The kind of a run, as pages distinguish them. One that is of no kind yet becomes a training run.
fn kind_name(folder: &Path, kind: Option<RunKind>) -> &'static str {
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
fn games(folder: &Path, run: &Run, kind: Option<RunKind>) -> Option<u64> {
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
fn lines(file: &Path) -> u64 {
    let Ok(mut lines) = GameLines::open(file) else {
        return 0;
    };
    while let Ok(Some(_)) = lines.next_line() {}
    lines.place().lines as u64
}

/// The standings in the report of a match or tournament; `None` if there is no report yet, or it cannot be read.
fn standings(folder: &Path) -> Option<Value> {
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

/// Figures by part and name, as points of x and value; x is the step, or for evaluations the generation.
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
pub async fn report(State(server): State<Server>, UrlPath(name): UrlPath<String>) -> Result<Response, Refusal> {
    let page = aside(move || {
        let page = files::read_at_most(&server.runs.named(&name)?.join(REPORT), LARGEST_REPORT);
        page.map_err(|error| match error.is_absent() {
            true => Refusal::missing(format!("run {name:?} has no report yet")),
            false => Refusal::missing(format!("the report of run {name:?} cannot be read: {}", error.reason())),
        })
    })
    .await?;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, REPORT_POLICY),
    ];
    Ok((headers, page).into_response())
}

/// A folder of runs, or a single run. Pages identify runs by name, never by a path: an unknown name leads nowhere.
#[derive(Clone, Debug)]
pub struct RunFolder(pub Option<Arc<Path>>);

impl RunFolder {
    /// The folder of the run with this name.
    ///
    /// # Errors
    /// If there is no such run.
    pub fn named(&self, name: &str) -> Result<PathBuf, Refusal> {
        let run = self.all().into_iter().find(|(known, _)| known == name);
        let missing = || Refusal::missing(format!("there is no run {name:?} here"));
        run.map(|(_, folder)| folder).ok_or_else(missing)
    }

    /// The runs of a game, by name.
    pub fn of_game(&self, game: GameName) -> Vec<(String, PathBuf)> {
        let mut runs = self.all();
        runs.retain(|(_, run)| game_of(run) == Some(game));
        runs
    }

    /// All runs, by name.
    pub fn all(&self) -> Vec<(String, PathBuf)> {
        let Some(folder) = &self.0 else { return Vec::new() };
        if folder.join(META_FILE).is_file() {
            return vec![(name_of(folder), folder.to_path_buf())];
        }
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let runs = entries.filter(|entry| entry.path().join(META_FILE).is_file());
        let mut runs: Vec<(String, PathBuf)> = runs
            .filter_map(|run| Some((run.file_name().into_string().ok()?, run.path())))
            .collect();
        runs.sort();
        runs
    }
}

/// The name of a folder, whatever path leads to it; pages call the root `run`.
pub fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    whole
        .file_name()
        .map_or("run".into(), OsStr::to_string_lossy)
        .into_owned()
}

/// The game of a run; `None` if it does not say so, or names a game that this program does not know.
pub fn game_of(run: &Path) -> Option<GameName> {
    let meta: Meta = files::read_json(&run.join(META_FILE)).ok()?;
    meta.game.parse().ok()
}

/// Number of games of a run that a page lists.
const LISTED: usize = 12;
/// Bytes read from the end of a tournament's games: more than the listed number of the longest games has.
const TAIL: u64 = 256 << 10;

/// A game for viewing.
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
        let plies = record.plies.iter();
        let score = |ply: &PlyRecord<G::Action>| {
            let value = ply.value?;
            let white = if ply.player == Player::White { value } else { -value };
            Some(white.score() as f32)
        };
        Self {
            name: format!("Game {}", record.index + 1),
            white: String::new(),
            black: String::new(),
            start: record.start.position_text(),
            rules: G::rules_text(rules),
            moves: line_texts(&record.start, plies.clone().map(|ply| ply.action), G::action_text),
            values: plies.map(score).collect(),
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
    aside(move || {
        let run = server.runs.named(&name)?;
        match game_of(&run) {
            Some(game) => with_game!(game, G => latest_of::<G>(&GameFolder::new(&run), game)).map(Json),
            None => Ok(Json(None)),
        }
    })
    .await
}

/// Latest games. A type and not a JSON value, which would write each number in double precision.
#[derive(Serialize)]
pub struct Latest {
    game: &'static str,
    kind: GameKind,
    /// The folder of the generation, such as `gen-000012`.
    generation: Option<String>,
    games: Vec<Replayable>,
}

fn latest_of<G: Playable>(folder: &GameFolder, game: GameName) -> Result<Option<Latest>, Refusal> {
    let rules = folder.rules::<G>(game).map_err(Refusal::fault)?;
    let latest = |kind, generation: Option<&str>, games| {
        Some(Latest {
            game: game.name(),
            kind,
            generation: generation.map(str::to_owned),
            games,
        })
    };
    if folder.of_match().is_file() {
        let games = of_match::<G>(folder, &rules).map_err(Refusal::fault)?;
        return Ok(latest(GameKind::Match, None, games));
    }
    for purpose in [Purpose::Measurement, Purpose::Selfplay] {
        // A run that has just begun has no games, and a study stores them differently.
        let shards = folder.shards(purpose).unwrap_or_default();
        if let Some(name) = shards.last() {
            let shard = folder.shard::<G>(name, &rules).map_err(Refusal::fault)?;
            let records = shard.records.iter().take(LISTED);
            let games = records.map(|record| Replayable::of_record(record, &rules)).collect();
            return Ok(latest(purpose.into(), name.split('/').next(), games));
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
