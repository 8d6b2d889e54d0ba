//! Choice of the turns that become forks: drawn once, when all games are played, and kept.

use std::collections::BTreeMap;

use chase_engine::chase::Rules;

use super::fork::Sides;
use super::kind::ForkKind;
use super::turn::{ForkTurn, GameTurns};

/// Up to `positions` turns of each kind and of each of these players, drawn uniformly from the games that have one;
/// sorted by player, then by kind. Both ways of each turn must exist under these conventions, with different results.
pub(super) fn draw(games: &[GameTurns], players: &[usize], positions: u32, rules: &Rules, seed: u64) -> Vec<ForkTurn> {
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
                Some(ForkTurn {
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
