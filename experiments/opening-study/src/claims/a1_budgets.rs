//! A1 by search budget: the same networks with different numbers of simulations, or nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::method::agents;
use super::method::games::{GamesAnalysis, Pool};
use crate::claim_test::ClaimTest;
use crate::{ClaimId, Finding};
use chase_arena::PlayerSpec;

/// The work of a search: its unit, and how much of it.
type Budget = (&'static str, u64);

/// The network of a player, and its budget; `None` for a player without a network, or without a budget that does not
/// depend on the machine.
fn budget_of(player: &PlayerSpec) -> Option<(&Path, Budget)> {
    let spec = player.search()?;
    let path = spec.evaluator.path()?;
    let budget = match spec.params() {
        Some(params) => ("simulations", params.simulations.into()),
        None => ("nodes", spec.limits().nodes?),
    };
    Some((path, budget))
}

impl GamesAnalysis<'_> {
    /// The score of the first player by number of simulations or nodes, if the networks of the whole study play with
    /// several: for agents trained alike if there are several, and also for just these agents. It is context; the
    /// verdict on the claim is that of the players of the whole study. Earlier checkpoints are other networks, and left
    /// out.
    pub(crate) fn budgets(&self) -> Vec<Finding> {
        let of = |player: usize| budget_of(&self.design.players[player].player);
        let main = self.design.main_players();
        let of_the_study: BTreeSet<&Path> = main.filter_map(|player| Some(of(player)?.0)).collect();
        let mut budgets: BTreeMap<Budget, Vec<usize>> = BTreeMap::new();
        for player in (0..self.design.players.len()).filter(|&player| self.repeats(player).is_none()) {
            if let Some((_, budget)) = of(player).filter(|(path, _)| of_the_study.contains(path)) {
                budgets.entry(budget).or_default().push(player);
            }
        }
        // One budget in a unit is no curve.
        let several = |unit: &str| budgets.keys().filter(|(other, _)| *other == unit).count() > 1;
        let curves = budgets.iter().filter(|((unit, _), _)| several(unit));
        curves
            .map(|(budget, players)| self.budget(*budget, players.clone()))
            .collect()
    }

    fn budget(&self, (unit, budget): Budget, players: Vec<usize>) -> Finding {
        let test = ClaimTest::named(ClaimId::A1, "budget").with("budget", format_args!("{budget} {unit}"));
        let ask = |players: Vec<usize>| self.mixed_answer(&test, &Pool::beside(players)).finding;
        let alone = |&player: &usize| (self.design.players[player].name.clone(), vec![ask(vec![player])]);
        let by_agent: Vec<_> = players.iter().map(alone).collect();
        let together = ask(players);
        if by_agent.len() == 1 {
            return together;
        }
        agents::over_agents(together, &by_agent, self.look)
    }
}
