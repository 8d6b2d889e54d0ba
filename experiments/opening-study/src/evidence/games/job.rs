//! Files of games, as a kind of work that other machines can do.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};

use chase_arena::games::PlayedGame;
use chase_arena::{Agent, AgentFailure};
use chase_cluster::{Job, Task};
use chase_engine::Chase;
use chase_training::store::files;
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::play::{Conditions, Start, play};
use super::series::Series;
use super::series_id::SeriesId;
use crate::evidence::workers::Terms;

/// A file of games of one player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GamesFile {
    /// Index of the player.
    pub player: usize,
    /// Its games: their series, and their numbers in these.
    pub games: Vec<(SeriesId, u32)>,
}

impl GamesFile {
    /// The file of some starts.
    pub(super) fn of(player: usize, starts: &[Start]) -> Self {
        let games = starts.iter().map(|start| (start.series.id, start.number)).collect();
        Self { player, games }
    }

    fn starts(&self, design: &Design) -> Result<Vec<Start>, String> {
        let series = design.series().into_iter().map(|series| (series.id, series));
        let series: HashMap<SeriesId, Series> = series.collect();
        let start = |&(id, number): &(SeriesId, u32)| {
            let series = *series.get(&id).ok_or_else(|| format!("the study has no games {id}"))?;
            Ok(Start { series, number })
        };
        self.games.iter().map(start).collect()
    }
}

impl Job for GamesFile {
    const KIND: &'static str = "study-games";
    type Terms = Terms;
    type Output = Vec<PlayedGame>;

    fn run(&self, terms: &Terms, task: &Task<'_>) -> Result<Option<Vec<u8>>, String> {
        let (player, _folder) = terms.player(self.player, task)?;
        let contestant = player.contestant(task.device()).map_err(|error| error.to_string())?;
        let (starts, mut agent) = (self.starts(&terms.design)?, contestant.agent());
        let played = play_starts(&starts, &terms.design, agent.as_mut(), task.give_up());
        let Some(games) = played.map_err(|failure| failure.to_string())? else {
            return Ok(None);
        };
        let plies = games.iter().map(|game| u64::from(game.result.plies)).sum();
        task.counters().plies.fetch_add(plies, Ordering::Relaxed);
        Ok(Some(files::lines(&games).into_bytes()))
    }

    fn check(&self, terms: &Terms, content: Vec<u8>) -> Result<Vec<PlayedGame>, String> {
        let (starts, games) = (self.starts(&terms.design)?, files::parse_lines(&content)?);
        holds(&starts, &games)?;
        for (start, game) in starts.iter().zip(&games) {
            let replayed = game.replay(&start.series.rules, |_| ());
            replayed.map_err(|fault| fault.to_string())?;
        }
        Ok(games)
    }
}

/// Checks that these are the games of a file with these starts.
pub(super) fn holds(starts: &[Start], games: &[PlayedGame]) -> Result<(), String> {
    let found = games.iter().map(|game| (game.series.parse().ok(), game.number));
    match found.eq(starts.iter().map(|start| (Some(start.series.id), start.number))) {
        true => Ok(()),
        false => Err("its games are not the requested games".into()),
    }
}

/// Plays games from their starts, in their order, here or on the machine of a worker; `None` if they were abandoned.
pub(super) fn play_starts(
    starts: &[Start],
    design: &Design,
    agent: &mut dyn Agent<Chase>,
    stop: &AtomicBool,
) -> Result<Option<Vec<PlayedGame>>, AgentFailure> {
    let conditions = Conditions {
        in_flight: design.config.in_flight as usize,
        max_plies: design.config.max_plies,
        stop,
    };
    let beginnings = starts.iter().map(|start| start.beginning(design.seed)).collect();
    let Some(played) = play(beginnings, agent, &conditions)? else {
        return Ok(None);
    };
    let games = starts.iter().zip(played);
    Ok(Some(games.map(|(start, played)| start.game(played)).collect()))
}
