//! The folder of a study: creating and resuming it.

use std::path::Path;

use chase_engine::{Chase, Game};
use chase_models::device;
use chase_training::files;
use chase_training::run_dir::{Meta, RunDir};
use chase_training::settings::{Change, ConfigError, Problem, Setting, Settings};

use super::{ConfigCommit, StudyConfig, StudyError};
use chase_arena::{NetworkSpec, NnueSpec, PlayerError, PlayerSpec};

/// Folders of a study that exist from the start: those of the games and of the searches.
const FOLDERS: [&str; 2] = ["games", super::conduct::SEARCH];
/// The commit of the configuration file, or null, in the folder of a study.
const PLAN_FILE: &str = "plan.json";

/// Creates the folder of a new study. It stores the configuration `file`, its path and its text, if there is one, and
/// the commit that holds it.
///
/// # Errors
/// If there are no players, a checkpoint is invalid or listed twice, or the folder is in use, is not empty, or cannot be
/// written.
pub fn create(folder: &Path, config: &StudyConfig, file: Option<(&Path, &str)>) -> Result<(RunDir, Meta), StudyError> {
    if config.games.players.is_empty() {
        return Err(StudyError::NoPlayers);
    }
    // Checked before a folder is created, not hours later.
    check_players(config)?;
    device::parse(&config.device)?;
    let program = Meta::new(Chase::NAME, Chase::RULES_VERSION, config.seed);
    let commit = file.and_then(|(path, text)| ConfigCommit::of(path, text));
    let plan = serde_json::to_vec(&commit).map_err(|error| StudyError::json(folder, &error))?;
    let files = [(PLAN_FILE, &plan[..])];
    let run = RunDir::create_with(folder, &config.to_toml(), &program, &FOLDERS, &files)?;
    Ok((run, program))
}

/// The commit of the configuration file of a study; `None` if it was uncommitted when the study began.
pub(crate) fn config_commit(run: &RunDir) -> Result<Option<ConfigCommit>, StudyError> {
    let path = run.path().join(PLAN_FILE);
    serde_json::from_slice(&files::read(&path)?).map_err(|error| StudyError::json(&path, &error))
}

/// Resumes the study in a folder. Some settings may differ: device, threads, and more games (`games.most`), which are
/// stored.
///
/// # Errors
/// If there is no study, it is in use or damaged, or settings differ that must not.
pub fn resume(folder: &Path, settings: &[Setting]) -> Result<(RunDir, Meta, StudyConfig), StudyError> {
    let (run, program) = RunDir::resume(folder)?;
    let file = run.config();
    let name = file.display().to_string();
    let bytes = files::read(&file)?;
    let began = String::from_utf8(bytes).map_err(|error| ConfigError::Syntax {
        name: name.clone(),
        reason: error.to_string(),
    })?;
    let before = StudyConfig::load(Some((&name, &began)), &[])?;
    let config = StudyConfig::changed((&name, &began), settings, Change::Resume)?;
    if config.games.most < before.games.most {
        return Err(StudyError::Config(ConfigError::Invalid(vec![Problem {
            key: "games.most".into(),
            value: config.games.most.to_string(),
            expected: format!("{} or more, which may have been played already", before.games.most),
        }])));
    }
    let kept = StudyConfig {
        threads: before.threads,
        device: before.device.clone(),
        ..config.clone()
    };
    if kept != before {
        files::write_whole(&file, kept.to_toml().as_bytes())?;
    }
    Ok((run, program, config))
}

/// Checks that the checkpoints of all players exist, and that no agent of the whole study is listed twice under two
/// names, since pooled findings must count each agent once.
fn check_players(config: &StudyConfig) -> Result<(), StudyError> {
    let mut known: Vec<(Option<String>, PlayerSpec, &PlayerSpec)> = Vec::new();
    for player in &config.games.players {
        let Some((weights, nameless)) = weights(player)? else {
            continue;
        };
        let same = known
            .iter()
            .find(|(other, search, _)| (other, search) == (&weights, &nameless));
        if let Some((.., other)) = same {
            return Err(StudyError::SameAgent {
                one: other.to_string(),
                other: player.to_string(),
            });
        }
        known.push((weights, nameless, player));
    }
    for player in &config.games.curve {
        weights(player)?;
    }
    Ok(())
}

/// The hash of a network's weights, and the player without its path; `None` for players without a network.
fn weights(player: &PlayerSpec) -> Result<Option<(Option<String>, PlayerSpec)>, PlayerError> {
    let hash = player.weights_sha256()?;
    let nameless = match player.settled()? {
        PlayerSpec::Network(network) => PlayerSpec::Network(NetworkSpec {
            path: Default::default(),
            ..network
        }),
        PlayerSpec::Nnue(network) => PlayerSpec::Nnue(NnueSpec {
            path: Default::default(),
            ..network
        }),
        PlayerSpec::Baseline(_) | PlayerSpec::Engine(_) => return Ok(None),
    };
    Ok(Some((hash, nameless)))
}
