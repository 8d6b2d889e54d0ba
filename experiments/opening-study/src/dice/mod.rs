//! The Chamber, material and dice: what finished games say of claims C1 to C6 and D3.
//!
//! The [`DiceFacts`] of a game follow from the rules alone, but for what positions are worth, which is what the searches of
//! the game said. [`DiceStudy`] makes findings of many games.

mod captures;
mod chamber;
mod entries;
mod entry_table;
pub(crate) mod facts;
mod material;
mod mobility;
mod mobility_table;
mod shapes;
mod study;
mod turn;

use super::games::GamesStudy;
use super::{Finding, agents};

pub use entry_table::{EntryCounts, EntryTable};
pub use facts::{Capture, ChamberEntry, DiceFacts, Formation, LEAD_PLIES, SNAPSHOT_PLIES, Shape};
pub use mobility_table::{MobilityCounts, MobilityTable};
pub use study::DiceStudy;

impl DiceStudy<'_> {
    /// The findings. Who played and what command gives them again is for the caller to add.
    ///
    /// All deciding intervals hold together with a probability of 95 % (Bonferroni), less if the study was enlarged.
    pub fn findings(&self) -> Vec<Finding> {
        let mut findings = chamber::findings(self);
        findings.extend(material::findings(self));
        findings.extend(captures::findings(self));
        findings.extend(shapes::findings(self));
        findings.extend(mobility::findings(self));
        findings.push(entries::finding(self));
        findings
    }
}

/// What the games of a study say of dice: those of all players of the whole of it together, with what each says alone
/// beside.
///
/// Blocks are games of one number, whoever played them: every agent has as large a part in each, so that how much agents
/// differ is no part of the intervals, which are about these agents.
///
/// `command` is what findings say gives them again.
pub fn findings(games: &GamesStudy, command: &str) -> Vec<Finding> {
    let main = games.design.main_players();
    let all = &games.dice;
    let ends: Vec<usize> = main
        .clone()
        .map(|player| all.partition_point(|facts| facts.player <= player))
        .collect();
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
    let together = study(all, 1);
    if let [name] = names[..] {
        return together.into_iter().map(|finding| finding.with_agent(name)).collect();
    }
    let begins = std::iter::once(0).chain(ends.iter().copied());
    let by_agent: Vec<(String, Vec<Finding>)> = begins
        .zip(&ends)
        .zip(&names)
        .map(|((begin, &end), name)| ((*name).to_owned(), study(&all[begin..end], names.len())))
        .collect();
    agents::compare(together, &by_agent)
}
