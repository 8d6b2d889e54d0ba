//! Files of games, and those of them that the workers of a cluster play.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use chase_arena::games::PlayedGame;
use chase_arena::{Agent, AgentFailure, Contestant};
use chase_engine::Chase;
use chase_training::files;
use serde::{Deserialize, Serialize};

use super::design::Design;
use super::play::{Conditions, Start, play};
use super::series::Series;
use super::series_id::SeriesId;
use super::store::Shard;

/// Purpose of these units.
pub(crate) const PURPOSE: &str = "games";

/// A file of games of one player, as it is asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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

    /// Plays the games. The content of the file, and the number of plies; `None` if it was stopped.
    ///
    /// # Errors
    /// The reason that they cannot be played.
    pub fn play(
        &self,
        design: &Design,
        contestant: &Contestant<Chase>,
        stop: &AtomicBool,
    ) -> Result<Option<(Vec<u8>, u64)>, String> {
        let series: HashMap<SeriesId, Series> = design
            .series()
            .into_iter()
            .filter(|series| series.player() == self.player)
            .map(|series| (series.id, series))
            .collect();
        let starts = self.games.iter().map(|(id, number)| {
            let series = series.get(id).ok_or_else(|| format!("the study has no games {id}"))?;
            Ok(Start {
                series: *series,
                number: *number,
            })
        });
        let starts: Vec<Start> = starts.collect::<Result<_, String>>()?;
        let mut agent = contestant.agent();
        let played = play_starts(&starts, design, agent.as_mut(), stop);
        let Some(games) = played.map_err(|failure| failure.to_string())? else {
            return Ok(None);
        };
        let plies = games.iter().map(|game| u64::from(game.result.plies)).sum();
        let content = files::lines(&games).into_bytes();
        Ok(Some((content, plies)))
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

impl Shard {
    /// The games of the file, from its content, which comes from another machine.
    ///
    /// # Errors
    /// The reason that they cannot be those that were asked for.
    pub fn parse(&self, content: &[u8], design: &Design) -> Result<Vec<PlayedGame>, String> {
        let games: Vec<PlayedGame> = files::parse_lines(content)?;
        if !self.holds(&games) {
            return Err("it has other games than were asked for".into());
        }
        for (start, game) in self.starts.iter().zip(&games) {
            let fault = |reason: String| format!("game {} of {}: {reason}", game.number, game.series);
            let beginning = start.beginning(design.seed);
            beginning.check(&game.result, design.config.max_plies).map_err(fault)?;
            let forced = game.result.opening_plies as usize;
            let is_value = |(ply, value): (usize, &Option<f64>)| {
                value.is_none_or(|value| ply >= forced && (0.0..=1.0).contains(&value))
            };
            if game.values.len() != game.result.actions.len() || !game.values.iter().enumerate().all(is_value) {
                return Err(fault("its values are not scores from 0 to 1, one for each ply".into()));
            }
        }
        Ok(games)
    }
}
