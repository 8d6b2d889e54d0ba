//! Which turns become forks: drawn once, when all games are played, and kept.

use std::collections::BTreeMap;
use std::path::Path;

use chase_engine::chase::Rules;
use chase_training::files;

use super::error::ForksError;
use super::fork::Sides;
use super::kind::ForkKind;
use super::turn::{GameTurns, Turn};

/// Up to `positions` turns of each kind and of each of these players, each game as likely as any other that has one; by
/// player, then by kind. Both ways of each must be there under these conventions, with results that differ.
pub(super) fn draw(games: &[GameTurns], players: &[usize], positions: u32, rules: &Rules, seed: u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    for &player in players {
        for kind in ForkKind::ALL {
            let of_player = games.iter().filter(|game| game.player == player);
            let ranked: BTreeMap<(u64, u64), (&GameTurns, usize)> = of_player
                .filter_map(|game| {
                    let turn = game.drawn[kind as usize]?;
                    Some(((turn.rank, game.game), (game, turn.ply)))
                })
                .collect();
            let candidates = ranked.into_values().filter_map(|(game, ply)| {
                let line = game.actions.get(..=ply)?;
                Sides::of(kind, line, rules, seed, game.game)?;
                Some(Turn {
                    kind,
                    player,
                    series: game.series.clone(),
                    block: game.block,
                    game: game.game,
                    line: line.iter().map(ToString::to_string).collect(),
                })
            });
            turns.extend(candidates.take(positions as usize));
        }
    }
    turns
}

/// The turns of a file, if it is there.
pub(super) fn read(path: &Path) -> Result<Option<Vec<Turn>>, ForksError> {
    if !path.exists() {
        return Ok(None);
    }
    let bytes = files::read(path)?;
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    let turns = lines.filter(|(_, line)| !line.is_empty()).map(|(number, line)| {
        let turn: Result<Turn, _> = serde_json::from_slice(line);
        turn.map_err(|error| ForksError::content(path, format!("line {}: {error}", number + 1)))
    });
    turns.collect::<Result<_, _>>().map(Some)
}

/// Writes turns, one a line.
pub(super) fn write(path: &Path, turns: &[Turn]) -> Result<(), ForksError> {
    let mut bytes = Vec::new();
    for turn in turns {
        serde_json::to_writer(&mut bytes, turn).map_err(|error| ForksError::content(path, error))?;
        bytes.push(b'\n');
    }
    Ok(files::write_whole(path, &bytes)?)
}
