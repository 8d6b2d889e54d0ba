//! A whole study: exact findings, games, searches, and the report.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_models::device::{self, Device, DeviceError};
use chase_training::settings::{ConfigError, Settings};
use chase_training::store::files::{self, FileError};
use chase_training::store::run_dir::{Meta, RunDir, RunDirError, STATE_FILE};
use chase_training::store::serialised::{json_value, pretty_json};

use super::claims::{self, GamesStudy};
use super::evidence::forks::ForkPlan;
use super::evidence::games::{Design, GamesEvent, StudyPlayer};
use super::evidence::judge::Judge;
use super::evidence::search::SearchPlan;
use super::evidence::workers::{Elsewhere, Terms};
use super::evidence::{EvidenceError, Finished};
use super::{AgentProvenance, ClaimId, ConfigCommit, Finding, StudyConfig, StudyProvenance, StudyReport, folder};
use chase_arena::{NetworkReport, PlayerError, PlayerSpec, SearchLimits, SearchSpec};
use chase_cluster::Cluster;
use chase_statistics::{RatingEstimate, Standing};

/// The report as data, in the folder of a study.
pub const REPORT_FILE: &str = "study.json";

/// Error returned when a study cannot be conducted.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// The folder cannot be used.
    #[error(transparent)]
    Folder(#[from] RunDirError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The device does not exist.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// There are no players.
    #[error("no players given: pass --checkpoint DIR, set games.players, or use --exact-only")]
    NoPlayers,
    /// An agent is listed twice.
    #[error("{other} has the same weights and the same search as {one}: expected each agent once")]
    SameAgent {
        /// One of the two players.
        one: String,
        /// The other player.
        other: String,
    },
    /// The configuration is invalid, or does not fit this study.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Games, forks or searches cannot be made or used.
    #[error(transparent)]
    Evidence(#[from] EvidenceError),
    /// A network cannot be used.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

impl StudyError {
    /// True if the study was stopped and can be resumed.
    pub const fn is_stop(&self) -> bool {
        matches!(self, Self::Evidence(error) if error.is_stop())
    }
}

/// Events of a study. Those of games, forks and searches come from any thread, in any order.
#[derive(Clone, Copy, Debug)]
pub enum StudyEvent<'a> {
    /// A sentence about the plan; the first game comes after this.
    Plan(&'a str),
    /// An exact finding on this claim is about to be computed.
    Exact(ClaimId),
    /// An event of the games.
    Games(GamesEvent),
    /// A file of forks is finished.
    Forks(Finished),
    /// A branch was searched; its work is in simulations.
    Search(Finished),
    /// The workers of a cluster have trouble.
    Warning(&'a str),
}

/// Observes a study, and can stop it.
pub struct StudyWatch<'a> {
    /// Set to stop: games, forks and searches in progress are abandoned.
    pub stop: &'a AtomicBool,
    /// Called for every event.
    pub on_event: &'a (dyn Fn(StudyEvent<'_>) + Sync),
}

/// The folder of the searches, in that of a study.
pub(super) const SEARCH: &str = "search";

/// The report of the exact findings alone: needs no folder and no network, and takes seconds.
pub fn exact_report(program: Meta, on_event: &dyn Fn(StudyEvent<'_>)) -> StudyReport {
    let provenance = StudyProvenance {
        program,
        config: serde_json::Value::Null,
        raised: Vec::new(),
        config_commit: None,
        agents: Vec::new(),
    };
    StudyReport::new(
        provenance,
        claims::exact(&mut |claim| on_event(StudyEvent::Exact(claim))),
    )
}

/// Runs a study, or resumes it: finished work is not repeated. At the end the folder holds the report as data
/// (`study.json`), all games and plies (`games.parquet`, `plies.parquet`), the forks (`forks.parquet`), and the results
/// of the searches (`search.json`).
/// `program` is the folder's description of the program that began the study. The workers of `cluster`, if there is
/// one, play and search; the files are the same, byte for byte.
///
/// # Errors
/// If a player cannot play, files cannot be written or used, or the study was stopped.
pub fn conduct(
    run: &RunDir,
    program: Meta,
    config: &StudyConfig,
    cluster: Option<&Cluster>,
    watch: &StudyWatch<'_>,
) -> Result<StudyReport, StudyError> {
    let device = device::parse(&config.device)?;
    let problems = config.problems();
    if !problems.is_empty() {
        return Err(ConfigError::Invalid(problems).into());
    }
    let design = Design::of(run.path(), &config.games, config.seed, device)?;
    let config_commit = folder::config_commit(run)?;
    (watch.on_event)(StudyEvent::Plan(&ConfigCommit::sentence(config_commit.as_ref())));
    let searchers: Vec<SearchSpec> = match config.search.budgets.is_empty() {
        true => Vec::new(),
        false => networks(&design),
    };
    let warn = |warning: &str| (watch.on_event)(StudyEvent::Warning(warning));
    let elsewhere = |cluster| {
        let terms = Terms {
            design: design.clone(),
            forks: config.forks.clone(),
            searchers: searchers.iter().cloned().map(PlayerSpec::Search).collect(),
        };
        Elsewhere::new(cluster, run.path(), device, terms, watch.stop, &warn)
    };
    let elsewhere = cluster.map(elsewhere).transpose()?;
    let elsewhere = elsewhere.as_ref();
    let mut findings = claims::exact(&mut |claim| (watch.on_event)(StudyEvent::Exact(claim)));
    let games = claims::run(run.path(), design, device, elsewhere, watch.stop, &|event| {
        (watch.on_event)(StudyEvent::Games(event))
    })?;
    findings.extend(games.findings.iter().cloned());
    if watch.stop.load(Ordering::Relaxed) {
        return Err(EvidenceError::Stopped.into());
    }
    let plan = ForkPlan {
        design: &games.design,
        config: &config.forks,
        device,
    };
    let forks = plan.gather(run.path(), &games.games.turns, elsewhere, watch.stop, &|event| {
        (watch.on_event)(StudyEvent::Forks(event));
    })?;
    findings.extend(claims::by_forks(&games.design, &forks));
    let plan = SearchPlan {
        budgets: config.search.budgets.clone(),
        rules: games.design.rules(),
        seed: config.seed,
    };
    findings.extend(searches(run, &plan, &searchers, device, elsewhere, watch)?);
    let config = json_value(config);
    let provenance = StudyProvenance {
        program,
        config,
        raised: games.design.raised.clone(),
        config_commit,
        agents: agents(&games),
    };
    let report = StudyReport::new(provenance, findings);
    write_json(&run.path().join(REPORT_FILE), &report)?;
    if let Some(warning) = cluster.and_then(|cluster| cluster.forget(run.path())) {
        (watch.on_event)(StudyEvent::Warning(&warning));
    }
    Ok(report)
}

fn write_json(path: &Path, content: &impl serde::Serialize) -> Result<(), FileError> {
    files::write_whole(path, (pretty_json(content) + "\n").as_bytes())
}

/// Searches the first moves and replies with these networks; returns the findings.
fn searches(
    run: &RunDir,
    plan: &SearchPlan,
    networks: &[SearchSpec],
    device: Device,
    elsewhere: Option<&Elsewhere<'_>>,
    watch: &StudyWatch<'_>,
) -> Result<Vec<Finding>, StudyError> {
    if networks.is_empty() {
        return Ok(Vec::new());
    }
    let mut judges = Vec::new();
    for network in networks {
        let player = PlayerSpec::from(network.clone());
        let of_run = network.evaluator.path().map_or_else(String::new, training_run);
        judges.extend(Judge::of(&player, device)?.map(|judge| (judge, of_run)));
    }
    let folder = run.path().join(SEARCH);
    let evidence = plan.gather(&folder, &judges, elsewhere, watch.stop, &|event| {
        (watch.on_event)(StudyEvent::Search(event))
    })?;
    write_json(&run.path().join("search.json"), &evidence)?;
    Ok(claims::by_searches(&evidence))
}

/// The residual networks of the players of the whole study, each once whatever its numbers of simulations.
fn networks(design: &Design) -> Vec<SearchSpec> {
    let mut networks: Vec<SearchSpec> = Vec::new();
    for player in &design.players[design.main_players()] {
        let spec = player.player.search().filter(|spec| spec.params().is_some());
        let Some(spec) = spec.filter(|_| player.player.residual().is_some()) else {
            continue;
        };
        let searcher = SearchSpec {
            batch: None,
            ..spec.as_judge(SearchLimits::default())
        };
        networks.retain(|known| known.evaluator.path() != searcher.evaluator.path());
        networks.push(searcher);
    }
    networks
}

/// The training run that a checkpoint belongs to, or the checkpoint itself.
fn training_run(checkpoint: &Path) -> String {
    let run = checkpoint.parent().and_then(Path::parent);
    let run = run.filter(|run| run.join(STATE_FILE).is_file());
    run.unwrap_or(checkpoint).display().to_string()
}

fn agents(games: &GamesStudy) -> Vec<AgentProvenance> {
    let agent = |(place, player): (usize, &StudyPlayer)| AgentProvenance {
        name: player.name.clone(),
        player: player.player.to_string(),
        settings: json_value(&player.player.resolved()),
        checkpoint_hash: player.checkpoint_hash.clone(),
        run: player.player.path().map(training_run),
        decides: games.design.main_players().contains(&place),
        elo: player.player.residual().and_then(rating),
    };
    games.design.players.iter().enumerate().map(agent).collect()
}

/// The rating above the first opponent (random play by default), or the bound of it, in the evaluation of a checkpoint
/// in its run, if there is one.
fn rating(checkpoint: &Path) -> Option<f64> {
    let run = checkpoint.parent()?.parent()?;
    let name = checkpoint.file_name()?.to_str()?;
    let text = files::read(&run.join("evaluations").join(format!("{name}.json"))).ok()?;
    let evaluation: NetworkReport = serde_json::from_slice(&text).ok()?;
    match evaluation.games.rating {
        Standing::Rated(RatingEstimate { elo, .. }) | Standing::AtLeast { elo } | Standing::AtMost { elo } => Some(elo),
        Standing::Unknown => None,
    }
}
