//! A1: changes of searches' expectations after quiet turns, which should be zero on average.

use std::collections::BTreeMap;

use serde_json::json;

use super::a1_values::{LEVEL, ValueStudy, points};
use crate::evidence::values::{GamePhase, QuietChanges, ValueFacts};
use crate::{Effect, EffectUnit, Finding};
use chase_report::exhibit::Table;
use chase_report::number;
use chase_statistics::clusters::{self, BlockSums, ClusterEstimate};
use chase_statistics::generator;

impl ValueStudy<'_> {
    /// Changes of the mover's value after quiet turns.
    pub fn quiet_turns(&self, player: usize) -> Option<Finding> {
        let estimate = |number: u64, of: &dyn Fn(&ValueFacts) -> BlockSums| {
            let mut blocks = BTreeMap::new();
            for facts in self.of_player(player) {
                *blocks.entry(facts.block).or_insert_with(BlockSums::default) += of(facts);
            }
            let blocks: Vec<BlockSums> = blocks.into_values().filter(|sums| sums.count > 0.0).collect();
            clusters::mean(&blocks, LEVEL, &mut generator(self.seed, &[player as u64, number]))
        };
        let searches: [fn(&QuietChanges) -> BlockSums; 2] = [|changes| changes.own, |changes| changes.next];
        let [own, next] = [0, 1].map(|index| {
            let of = searches[index];
            estimate(index as u64, &|facts| facts.quiet.iter().map(of).sum())
        });
        let own = own?;
        let mut rows = vec![("all of it", [Some(own), next])];
        for phase in GamePhase::ALL {
            let of_phase = [0, 1].map(|index| {
                let of = searches[index];
                let number = 10 * (phase as u64 + 1) + index as u64;
                estimate(number, &|facts| of(&facts.quiet[phase as usize]))
            });
            rows.push((phase.name(), of_phase));
        }
        let summary = format!(
            "After a quiet turn the mover expects {} percentage points more at its own next search than before the turn, and {} more by \
             the next search of the game, in {} quiet turns. Values that are right on average change by nothing.",
            in_points(&own),
            next.as_ref().map_or(number::NONE.to_owned(), in_points),
            number::count(own.observations)
        );
        let effect = Effect {
            name: "change of the mover's expected score after a quiet turn".into(),
            unit: EffectUnit::Score,
            value: own.value,
            interval: own.interval,
            level: own.interval.map(|_| LEVEL),
            error: Some(own.error),
        };
        let cells = |(name, estimates): &(&str, [Option<ClusterEstimate>; 2])| {
            let [own, next] = estimates.map(|found| found.as_ref().map_or(number::NONE.to_owned(), in_points));
            let turns = estimates[0].map_or(0, |found| found.observations);
            vec![(*name).to_owned(), number::count(turns), own, next]
        };
        let table = Table {
            title: "Values after quiet turns minus those before".into(),
            note: "Percentage points of the mover's expected score, with 95 % intervals by blocks.".into(),
            headings: [
                "phase",
                "quiet turns",
                "the mover's own next search",
                "the next search of the game",
            ]
            .map(str::to_owned)
            .to_vec(),
            rows: rows.iter().map(cells).collect(),
        };
        let test = "mean over quiet turns of the mover's expected score by a search after the turn minus that by the search that chose the \
                    turn; a turn is quiet if it captures nothing, is not a choice of the die that absorbs, and had a search, whatever the \
                    opponent does next; the later search is the mover's next one, or the result of the game if there is none, and \
                    for comparison the next search by either player; studentised bootstrap over blocks, 95 %, by itself and for one look";
        let evidence = rows
            .iter()
            .map(|(phase, [own, next])| json!({ "phase": phase, "own": own, "next": next }));
        let finding = self
            .finding("values after quiet turns", Some(player), summary)
            .with_effect(effect)
            .with_test(own.observations, "quiet turns", test)
            .with_evidence(json!({ "by_phase": evidence.collect::<Vec<_>>() }));
        Some(finding.with_exhibit(table))
    }
}

fn in_points(found: &ClusterEstimate) -> String {
    points(found.value, found.interval)
}
