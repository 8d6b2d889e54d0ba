//! Plays units of pairs on the machine of a worker.

use std::path::Path;

use chase_cluster::Task;
use chase_cluster::unit::{UnitEffort, UnitResult};
use chase_engine::GameName;

use super::terms::{Meetings, RemotePlayer, Terms};
use crate::matches::MatchError;
use crate::playable::Playable;
use crate::players::{Contestant, NetworkSpec, PlayerSpec, network_contestant};

/// The terms of a unit's games.
fn terms(task: &Task<'_>, hash: &str) -> Result<Terms, String> {
    let text = task.file(hash)?;
    serde_json::from_slice(&text).map_err(|error| format!("the terms of the games: {error}"))
}

/// The game of a unit of this kind, which says for which type it is to be [played](play).
///
/// # Errors
/// If the unit is none of this kind, or its terms cannot be fetched.
pub fn game(task: &Task<'_>) -> Result<GameName, String> {
    let meetings: Meetings = task.work()?;
    Ok(terms(task, &meetings.terms)?.game)
}

/// Plays a unit of this kind. Its games as JSON; `None` if it was given up.
///
/// # Errors
/// The reason that it cannot be played.
pub fn play<G: Playable>(task: &Task<'_>) -> Result<Option<UnitResult>, String> {
    let meetings: Meetings = task.work()?;
    if meetings.games() != u64::from(task.unit().part.games) {
        return Err(format!(
            "it has {} games, expected {}",
            meetings.games(),
            task.unit().part.games
        ));
    }
    let terms = terms(task, &meetings.terms)?;
    let conditions = terms.conditions::<G>()?;
    let mut contestants: Vec<Option<Contestant<G>>> = terms.players.iter().map(|_| None).collect();
    let mut played = Vec::with_capacity(meetings.meetings.len());
    for meeting in &meetings.meetings {
        for player in meeting.players {
            let seat = contestants.get_mut(player).ok_or("it has a player that there is not")?;
            if seat.is_none() {
                *seat = Some(contestant(task, &terms, player)?);
            }
        }
        let contestants = meeting.players.map(|player| {
            let contestant = contestants[player].as_ref();
            contestant.expect("both players were made ready")
        });
        // Agents have no memory of other games, so new ones play alike.
        let mut agents = contestants.map(Contestant::agent);
        let numbers: Vec<u32> = meeting.pairs.clone().collect();
        let conditions = conditions.numbered(meeting.number);
        match conditions.play_together(contestants, &mut agents, &numbers, task.give_back()) {
            Ok(pairs) => played.push(pairs),
            Err(MatchError::Stopped) => return Ok(None),
            Err(error) => return Err(error.to_string()),
        }
    }
    let games = played.iter().flatten().flat_map(|pair| &pair.games);
    let plies = games.map(|game| u64::from(game.plies - game.opening_plies)).sum();
    let content = serde_json::to_vec(&played).map_err(|error| error.to_string())?;
    Ok(Some(UnitResult {
        content,
        effort: UnitEffort {
            plies,
            ..UnitEffort::default()
        },
    }))
}

/// A player of the terms.
fn contestant<G: Playable>(task: &Task<'_>, terms: &Terms, player: usize) -> Result<Contestant<G>, String> {
    let (game, device) = (terms.game.name(), task.device());
    match &terms.players[player] {
        RemotePlayer::Rated {
            checkpoint,
            precision,
            search,
        } => {
            let load = |folder: &Path| network_contestant(game, "network", folder, device, *precision, search.params());
            task.with_checkpoint(checkpoint, load)?
                .map_err(|error| error.to_string())
        }
        player @ RemotePlayer::Spec { .. } => player
            .with_local(task, |player| player.contestant_for(game, device))?
            .map_err(|error| error.to_string()),
    }
}

impl RemotePlayer {
    /// Loads the player from its text, which has its network's folder on this machine. Nothing must be left there for
    /// later.
    ///
    /// # Errors
    /// If it has none, or cannot play here, or its checkpoint cannot be fetched.
    pub fn with_local<T>(&self, task: &Task<'_>, load: impl FnOnce(&PlayerSpec) -> T) -> Result<T, String> {
        match self {
            Self::Spec {
                player: PlayerSpec::Network(network),
                checkpoint: Some(checkpoint),
            } => task.with_checkpoint(checkpoint, |folder| {
                load(&PlayerSpec::Network(NetworkSpec {
                    path: folder.to_owned(),
                    ..network.clone()
                }))
            }),
            Self::Spec {
                player: player @ PlayerSpec::Baseline(_),
                checkpoint: None,
            } => Ok(load(player)),
            // Nothing that comes over the network is started as a program.
            Self::Spec { player, .. } => Err(format!(
                "player `{player}` cannot play here: expected a baseline, or a network with its checkpoint"
            )),
            Self::Rated { .. } => Err("a network of an evaluation has no text".into()),
        }
    }
}
