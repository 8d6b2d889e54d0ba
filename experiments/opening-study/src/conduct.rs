//! A whole study: exact findings, games, searches, and the report.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_models::device::{self, Device, DeviceError};
use chase_training::settings::{ConfigError, Settings};
use chase_training::store::files::{self, FileError};
use chase_training::store::run_dir::{Meta, RunDir, RunDirError, STATE_FILE};
use chase_training::store::serialised::{json_value, pretty_json};
use serde_json::json;

use super::claims::{self, GamesStudy};
use super::evidence::EvidenceError;
use super::evidence::elsewhere::{Elsewhere, Terms};
use super::evidence::forks::{ForkPlan, ForksFinished};
use super::evidence::games::{Design, GamesEvent, GamesWatch, StudyPlayer};
use super::evidence::search::{BranchFinished, SearchEvidence, SearchPlan, Searcher, Stability};
use super::{AgentProvenance, ClaimId, ConfigCommit, Finding, StudyConfig, StudyProvenance, StudyReport, folder};
use chase_arena::remote::RemoteError;
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
    #[error(
        "{other} has the weights of {one}, and searches alike: expected each agent once, since several are taken together"
    )]
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
    /// A player cannot play on other machines, or the cluster cannot be used.
    #[error(transparent)]
    Remote(#[from] RemoteError),
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
    /// Exact findings on these claims are about to be computed.
    Exact(&'a [ClaimId]),
    /// An event of the games.
    Games(GamesEvent),
    /// The claims about dice are tested by the games.
    Dice,
    /// A file of forks is finished.
    Forks(ForksFinished),
    /// A branch was searched.
    Search(BranchFinished<'a>),
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
        claims::exact(&mut |claims| on_event(StudyEvent::Exact(claims))),
    )
}

/// Runs a study, or resumes it: finished work is not repeated. At the end the folder holds the report as data
/// (`study.json`), all games and plies (`games.parquet`, `plies.parquet`), the forks (`forks.parquet`), and the results
/// of the searches (`search.json`, `search.csv`).
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
    let command = StudyProvenance::command(&program);
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
    let mut findings = claims::exact(&mut |claims| (watch.on_event)(StudyEvent::Exact(claims)));
    let games = claims::run(
        run.path(),
        &config.games,
        config.seed,
        device,
        &command,
        elsewhere,
        &GamesWatch {
            stop: watch.stop,
            on_event: &|event| (watch.on_event)(StudyEvent::Games(event)),
        },
    )?;
    findings.extend(
        games
            .findings
            .iter()
            .map(|finding| finding.clone().with_command(&command)),
    );
    (watch.on_event)(StudyEvent::Dice);
    findings.extend(claims::dice(&games, &command));
    findings.extend(claims::values(&games, &command));
    if watch.stop.load(Ordering::Relaxed) {
        return Err(EvidenceError::Stopped.into());
    }
    let plan = ForkPlan {
        design: &games.design,
        config: &config.forks,
        device,
    };
    let forks = plan.gather(run.path(), &games.turns, elsewhere, watch.stop, &|event| {
        (watch.on_event)(StudyEvent::Forks(event));
    })?;
    findings.extend(claims::forks(&games.design, &forks, &command));
    let forks = claims::fork_summaries(&games.design, &forks);
    let plan = SearchPlan {
        budgets: config.search.budgets.clone(),
        rules: design.rules(),
        seed: config.seed,
    };
    findings.extend(searches(run, &plan, &searchers, device, &command, elsewhere, watch)?);
    let config = json_value(config);
    let provenance = StudyProvenance {
        program,
        config,
        raised: games.design.raised.clone(),
        config_commit,
        agents: agents(&games),
    };
    let report = StudyReport {
        forks,
        balance: Some(games.balance),
        ..StudyReport::new(provenance, findings)
    };
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
    command: &str,
    elsewhere: Option<&Elsewhere<'_>>,
    watch: &StudyWatch<'_>,
) -> Result<Vec<Finding>, StudyError> {
    if networks.is_empty() {
        return Ok(Vec::new());
    }
    let searchers: Result<Vec<Searcher>, PlayerError> = networks
        .iter()
        .map(|network| {
            Searcher::network(
                network,
                network.evaluator.path().map_or_else(String::new, training_run),
                device,
            )
        })
        .collect();
    let folder = run.path().join(SEARCH);
    let evidence: SearchEvidence = plan.gather(&folder, &searchers?, elsewhere, watch.stop, &|event| {
        (watch.on_event)(StudyEvent::Search(event))
    })?;
    let content = json!({ "evidence": &evidence, "stability": Stability::of(&evidence) });
    write_json(&run.path().join("search.json"), &content)?;
    files::write_whole(&run.path().join("search.csv"), evidence.to_csv().as_bytes())?;
    let findings = evidence.findings().into_iter();
    Ok(findings.map(|finding| finding.with_command(command)).collect())
}

/// The networks of all players, each once whatever its numbers of simulations: those of the curve first, so that in
/// each training run the player of the whole study comes last and represents the run.
fn networks(design: &Design) -> Vec<SearchSpec> {
    let whole = design.main_players();
    let (main, curve) = design.players.split_at(whole.end.min(design.players.len()));
    let mut networks: Vec<SearchSpec> = Vec::new();
    for player in main.iter().chain(curve).rev() {
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
        settings: player.settings(),
        checkpoint_hash: player.checkpoint_hash.clone(),
        run: player.player.residual().map(training_run),
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
