//! The Chamber, material and dice: what finished games say of claims C1 to C6.
//!
//! The [`DiceFacts`] of a game follow from the rules alone, but for what positions are worth, which is what the searches of
//! the game said. [`DiceStudy`] makes findings of many games.

mod captures;
mod chamber;
mod facts;
mod material;
mod mobility;
mod shapes;
mod study;
mod turn;

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::Finding;
use super::games::{GamesError, GamesStudy, Kind, read_games};

pub use facts::{Capture, ChamberEntry, DiceFacts, Formation, LEAD_PLIES, SNAPSHOT_PLIES, Shape};
pub use mobility::{MobilityCounts, MobilityTable};
pub use study::DiceStudy;

/// What the games of a study say, separately for every player of the whole of it. Games under other conventions, and
/// those of players who are there for the curve only, are left out.
///
/// `command` is what findings say gives them again.
///
/// # Errors
/// If a file of games cannot be read, or holds what is no game.
pub fn findings(games: &GamesStudy, command: &str) -> Result<Vec<Finding>, GamesError> {
    let rules = games.design.rules();
    let series = games.design.series().into_iter();
    let series = series.filter(|series| series.kind != Kind::Convention);
    let players: BTreeMap<String, usize> = series.map(|series| (series.id, series.player)).collect();
    let shards: Result<Vec<_>, GamesError> = games
        .shards
        .par_iter()
        .map(|path| {
            let mut facts = Vec::new();
            for game in read_games(path)? {
                if let Some(&player) = players.get(&game.series) {
                    facts.push((player, DiceFacts::of(&game, &rules)?));
                }
            }
            Ok(facts)
        })
        .collect();
    let mut by_player: BTreeMap<usize, Vec<DiceFacts>> = BTreeMap::new();
    for (player, facts) in shards?.into_iter().flatten() {
        by_player.entry(player).or_default().push(facts);
    }
    let mut findings = Vec::new();
    for player in games.design.main_players() {
        let facts = by_player.remove(&player).unwrap_or_default();
        let study = DiceStudy {
            facts: &facts,
            seed: games.design.seed,
        };
        let agent = games.design.players.get(player).map(|player| player.name.clone());
        findings.extend(study.findings().into_iter().map(|mut finding| {
            finding.agent.clone_from(&agent);
            finding.with_command(command)
        }));
    }
    Ok(findings)
}
