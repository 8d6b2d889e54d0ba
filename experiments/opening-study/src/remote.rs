//! Work of a study that other machines do: a kind of units of `chase-cluster`.
//!
//! The terms say what all units of a study have in common, and are sent once, with the networks. A unit then names a
//! file of games, forks or searches, and its result is the content of that file. `evidence::elsewhere` offers the
//! units, and checks what comes back.

use chase_arena::PlayerSpec;
use chase_arena::remote::{Package, RemoteError, RemotePlayer};
use chase_cluster::Task;
use chase_cluster::unit::{UnitEffort, UnitResult};
use chase_models::device::Device;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::evidence::elsewhere::Ask;
pub use crate::evidence::elsewhere::KIND;
use crate::evidence::forks::{self, ForkPlan, ForksConfig, ForksFile};
use crate::evidence::games::remote::GamesFile;
use crate::evidence::games::{self, Design};
use crate::evidence::search::remote::SearchFile;
use crate::evidence::search::{self, Searcher};

/// The terms that all units of a study share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Terms {
    /// The design of the games. The paths of its networks have no meaning.
    design: Design,
    /// The settings of forks.
    forks: ForksConfig,
    /// The players of the design.
    players: Vec<RemotePlayer>,
    /// The agents that search.
    searchers: Vec<RemotePlayer>,
}

/// The package that workers need for a study with these agents that search, which compute as on this machine's
/// `device`; with `mixed`, workers need not be alike.
///
/// # Errors
/// If a player cannot play on other machines, or the device cannot compute.
pub(crate) fn package(
    design: &Design,
    forks: &ForksConfig,
    searchers: &[PlayerSpec],
    mixed: bool,
    device: Device,
) -> Result<Package, RemoteError> {
    let players = design.players.iter().map(|player| &player.player).chain(searchers);
    let players: Result<Vec<_>, _> = players.map(|player| RemotePlayer::of(player, mixed, device)).collect();
    let terms = |mut players: Vec<RemotePlayer>| {
        let searchers = players.split_off(design.players.len());
        Terms {
            design: design.clone(),
            forks: forks.clone(),
            players,
            searchers,
        }
    };
    Ok(Package::new(players?, device, terms)?)
}

/// Does a unit of this kind on the machine of a worker; `None` if it was given up.
///
/// # Errors
/// The reason that it cannot be done.
pub fn play(task: &Task<'_>) -> Result<Option<UnitResult>, String> {
    let made = match task.unit().part.purpose.as_str() {
        games::remote::PURPOSE => play_games(task)?,
        forks::PURPOSE => play_forks(task)?,
        search::remote::PURPOSE => play_searches(task)?,
        purpose => return Err(format!("a study has no units of `{purpose}`")),
    };
    Ok(made.map(|(content, plies)| UnitResult {
        content,
        effort: UnitEffort {
            plies,
            ..UnitEffort::default()
        },
    }))
}

/// The content of a file, and the plies of its games; `None` if it was given up.
type Made = Option<(Vec<u8>, u64)>;

fn play_games(task: &Task<'_>) -> Result<Made, String> {
    let (file, terms) = asked::<GamesFile>(task)?;
    let player = terms.players.get(file.player).ok_or("the study has no such player")?;
    let contestant = player.with_local(task, |player| player.contestant(task.device()))?;
    let contestant = contestant.map_err(|error| error.to_string())?;
    file.play(&terms.design, &contestant, task.give_back())
}

fn play_forks(task: &Task<'_>) -> Result<Made, String> {
    let (file, mut terms) = asked::<ForksFile>(task)?;
    let place = file.player;
    let player = terms.players.get(place).ok_or("the study has no such player")?;
    let ready = player.with_local(task, |player| {
        let seat = terms
            .design
            .players
            .get_mut(place)
            .ok_or("the study has no such player")?;
        seat.player = player.clone();
        let ready = plan(&terms.design, &terms.forks, task).ready(place);
        let ready = ready.map_err(|error| error.to_string())?;
        ready.ok_or_else(|| "it has forks of a player without a network".to_owned())
    })??;
    file.play(&plan(&terms.design, &terms.forks, task), &ready, task.give_back())
}

fn plan<'a>(design: &'a Design, config: &'a ForksConfig, task: &Task<'_>) -> ForkPlan<'a> {
    ForkPlan {
        design,
        config,
        device: task.device(),
    }
}

fn play_searches(task: &Task<'_>) -> Result<Made, String> {
    let (file, terms) = asked::<SearchFile>(task)?;
    let agent = terms
        .searchers
        .get(file.searcher)
        .ok_or("the study has no such agent")?;
    let searcher = agent.with_local(task, |player| match player {
        PlayerSpec::Network(network) => {
            Searcher::network(network, "", task.device()).map_err(|error| error.to_string())
        }
        _ => Err("it has searches of an agent without a network".into()),
    })??;
    let content = file.play(&searcher, task.give_back())?;
    Ok(content.map(|content| (content, 0)))
}

/// The file that a unit asks for, and the terms of its study.
fn asked<T: DeserializeOwned>(task: &Task<'_>) -> Result<(T, Terms), String> {
    let ask: Ask<T> = task.work()?;
    let text = task.file(&ask.terms)?;
    let terms = serde_json::from_slice(&text).map_err(|error| format!("the terms of the study: {error}"))?;
    Ok((ask.file, terms))
}
