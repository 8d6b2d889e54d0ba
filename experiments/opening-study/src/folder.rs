//! The folder of a study: creating and resuming it.

use std::path::Path;

use chase_models::device;
use chase_training::settings::{Change, ConfigError, Setting, Settings};
use chase_training::store::OpenRun;
use chase_training::store::files;
use chase_training::store::run_dir::{Meta, RunDir};
use chase_training::store::serialised::json;

use super::{ConfigCommit, StudyConfig, StudyError};
use chase_arena::{PlayerError, PlayerSpec};

/// Folders of a study that exist from the start: those of the games and of the searches.
const FOLDERS: [&str; 2] = ["games", super::conduct::SEARCH];
/// The commit of the configuration file, or null, in the folder of a study.
const PLAN_FILE: &str = "plan.json";

/// Creates the folder of a new study. It stores the commit of the configuration `file` (its path and its text), if the
/// study is the committed one.
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
    let planned = file.filter(|(path, text)| is_planned(config, path, text));
    let commit = planned.and_then(|(path, text)| ConfigCommit::of(path, text));
    let plan = json(&commit);
    let run = OpenRun::create(folder, config.clone(), &FOLDERS, &[(PLAN_FILE, plan.as_bytes())])?;
    Ok((run.dir, run.meta))
}

/// True if nothing but agents, threads and the device differs from the text of the configuration file: options of the
/// command line can change all of it.
fn is_planned(config: &StudyConfig, path: &Path, text: &str) -> bool {
    let planned = StudyConfig::load(Some((&path.to_string_lossy(), text)), &[]);
    planned.is_ok_and(|mut planned| {
        planned.threads = config.threads;
        planned.device.clone_from(&config.device);
        planned.games.players.clone_from(&config.games.players);
        planned.games.curve.clone_from(&config.games.curve);
        planned == *config
    })
}

/// The commit of the configuration file of a study; `None` if it was uncommitted when the study began, or changed by
/// options.
pub(crate) fn config_commit(run: &RunDir) -> Result<Option<ConfigCommit>, StudyError> {
    Ok(files::read_json(&run.path().join(PLAN_FILE))?)
}

/// Resumes the study in a folder. Some settings may differ: device, threads, and more games (`games.most`), which are
/// stored.
///
/// # Errors
/// If there is no study, it is in use or damaged, or settings differ that must not.
pub fn resume(folder: &Path, settings: &[Setting]) -> Result<(RunDir, Meta, StudyConfig), StudyError> {
    let mut run = OpenRun::resume(folder, &|began: &StudyConfig, file| -> Result<_, StudyError> {
        let config = began.with(file, settings, Change::Resume)?;
        ConfigError::refuse_fewer("games.most", config.games.most, began.games.most)?;
        Ok(config)
    })?;
    let config = run.settings.clone();
    run.settings.threads = run.began.threads;
    run.settings.device.clone_from(&run.began.device);
    run.begin_again()?;
    Ok((run.dir, run.meta, config))
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
    let mut nameless = player.settled()?;
    let path = nameless.network_mut().map(|network| std::mem::take(&mut network.path));
    Ok(path.map(|_| (hash, nameless)))
}
