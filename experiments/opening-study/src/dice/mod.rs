//! The Chamber, material and dice: what finished games say of claims C1 to C6 and D3.
//!
//! The [`DiceFacts`] of a game follow from the rules alone, but for what positions are worth, which is what the searches of
//! the game said. [`DiceStudy`] makes findings of many games.

mod captures;
mod chamber;
mod entries;
mod facts;
mod material;
mod mobility;
mod shapes;
mod study;
mod turn;

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::games::{GamesError, GamesStudy, Kind, StoreError};
use super::{Finding, agents};
use chase_arena::games::read_games;

pub use entries::{EntryCounts, EntryTable};
pub use facts::{Capture, ChamberEntry, DiceFacts, Formation, LEAD_PLIES, SNAPSHOT_PLIES, Shape};
pub use mobility::{MobilityCounts, MobilityTable};
pub use study::DiceStudy;

/// What the games of a study say: those of all players of the whole of it together, with what each says alone beside. Games
/// under other conventions, those of players who are there for the curve only, and those from the initial position beyond
/// the blocks of openings are left out.
///
/// Blocks are games of one number, whoever played them: every agent has as large a part in each, so that how much agents
/// differ is no part of the intervals, which are about these agents.
///
/// `command` is what findings say gives them again.
///
/// # Errors
/// If a file of games cannot be read, or holds what is no game.
pub fn findings(games: &GamesStudy, command: &str) -> Result<Vec<Finding>, GamesError> {
    let rules = games.design.rules();
    let series = games.design.series().into_iter();
    let series = series.filter(|series| series.kind() != Kind::Convention);
    let players: BTreeMap<String, usize> = series.map(|series| (series.id.to_string(), series.player())).collect();
    let blocks = games.design.most();
    let shards: Result<Vec<_>, GamesError> = games
        .shards
        .par_iter()
        .map(|path| {
            let mut facts = Vec::new();
            for game in read_games(path).map_err(StoreError::from)? {
                if let Some(&player) = players.get(&game.series).filter(|_| game.number < blocks) {
                    facts.push((player, DiceFacts::of(&game, &rules)?));
                }
            }
            Ok(facts)
        })
        .collect();
    let mut all: Vec<(usize, DiceFacts)> = shards?.into_iter().flatten().collect();
    let main = games.design.main_players();
    all.retain(|(player, _)| main.contains(player));
    all.sort_by_key(|(player, _)| *player);
    let ends: Vec<usize> = main
        .clone()
        .map(|player| all.partition_point(|(other, _)| *other <= player))
        .collect();
    let all: Vec<DiceFacts> = all.into_iter().map(|(_, facts)| facts).collect();
    let study = |facts: &[DiceFacts], shared_by| -> Vec<Finding> {
        let study = DiceStudy {
            facts,
            seed: games.design.seed,
            shared_by,
            enlarged: games.design.raised.len(),
        };
        let findings = study.findings().into_iter();
        findings.map(|finding| finding.with_command(command)).collect()
    };
    let names: Vec<&str> = main
        .clone()
        .map(|player| games.design.players[player].name.as_str())
        .collect();
    let together = study(&all, 1);
    if let [name] = names[..] {
        return Ok(together.into_iter().map(|finding| finding.with_agent(name)).collect());
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let by_agent: Vec<(String, Vec<Finding>)> = begins
        .zip(&ends)
        .zip(&names)
        .map(|((begin, &end), name)| ((*name).to_owned(), study(&all[begin..end], names.len())))
        .collect();
    Ok(agents::compare(together, &by_agent))
}
