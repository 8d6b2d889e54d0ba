//! A1 by search budget: the same networks with different numbers of simulations, or nodes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use super::a1_d1_outcomes::MIXED_SCORE;
use super::method::agents;
use super::method::games::{GamesAnalysis, Pool, Test};
use crate::evidence::games::SeriesId;
use crate::{ClaimId, Finding};
use chase_arena::PlayerSpec;
use chase_statistics::AnytimeMean;

/// The work of a search: of either family its own unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Budget {
    Simulations(u32),
    Nodes(u64),
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Simulations(simulations) => write!(f, "{simulations} simulations"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

impl Budget {
    /// The network of a player, and its budget; `None` for a player without a network, or without a budget that does
    /// not depend on the machine.
    fn of(player: &PlayerSpec) -> Option<(&Path, Self)> {
        match player {
            PlayerSpec::Network(network) => {
                let simulations = network.settings().params.simulations;
                Some((&network.path, Self::Simulations(simulations)))
            }
            PlayerSpec::Nnue(network) => Some((&network.path, Self::Nodes(network.limits().nodes?))),
            PlayerSpec::Baseline(_) | PlayerSpec::Engine(_) => None,
        }
    }
}

impl GamesAnalysis<'_> {
    /// The score of the first player by number of simulations or nodes, if the networks of the whole study play with
    /// several: for agents trained alike if there are several, and also for just these agents. It is context; the
    /// verdict on the claim is that of the players of the whole study. Earlier checkpoints are other networks, and left
    /// out.
    pub(crate) fn budgets(&self) -> Vec<Finding> {
        let of = |player: usize| Budget::of(&self.design.players[player].player);
        let of_the_study: BTreeSet<&Path> = self
            .design
            .main_players()
            .filter_map(|player| Some(of(player)?.0))
            .collect();
        let mut budgets: BTreeMap<Budget, Vec<usize>> = BTreeMap::new();
        for player in 0..self.design.players.len() {
            let Some((_, budget)) = of(player).filter(|(path, _)| of_the_study.contains(path)) else {
                continue;
            };
            if self.repeats(player).is_none() {
                budgets.entry(budget).or_default().push(player);
            }
        }
        // One budget of each family is no curve.
        let kinds: Vec<_> = budgets.keys().map(std::mem::discriminant).collect();
        budgets.retain(|budget, _| {
            let kind = std::mem::discriminant(budget);
            kinds.iter().filter(|&&other| other == kind).count() > 1
        });
        let findings = budgets
            .into_iter()
            .map(|(budget, players)| self.budget(budget, players));
        findings.collect()
    }

    fn budget(&self, budget: Budget, players: Vec<usize>) -> Finding {
        let config = &self.design.config;
        let threshold = 0.5 + config.margin;
        let ask = |pool: &Pool| {
            let estimate = AnytimeMean::new(MIXED_SCORE.method, MIXED_SCORE.range, config.error, config.most.into())
                .estimate(&self.mixed_blocks(pool).scores);
            let test = Test {
                claim: ClaimId::A1,
                part: format!("score of the first player with {budget}"),
                pool,
                counted: MIXED_SCORE,
                effect: format!("Score of the first player with {budget} a decision"),
                sides: pool.of(|player| vec![SeriesId::free(player)]),
                threshold,
                comparisons: 1,
            };
            let mut finding = self.answer_by(test, estimate).finding;
            finding.test += "; games from the initial position, and after forced first moves where there are any; each budget by \
                             itself";
            finding
        };
        let by_agent = players.iter().map(|&player| {
            let name = self.design.players[player].name.clone();
            (name, vec![ask(&Pool::beside(vec![player]))])
        });
        let by_agent: Vec<_> = by_agent.collect();
        let together = ask(&Pool::beside(players));
        let finding = match by_agent.len() {
            1 => together,
            _ => {
                let compared = agents::compare(vec![together.clone()], &by_agent).into_iter().next();
                compared
                    .unwrap_or(together)
                    .of_agents_trained_alike(threshold, config.error)
            }
        };
        finding.as_context()
    }
}
