//! A1 by search budget: the same networks with different numbers of simulations.

use std::collections::{BTreeMap, BTreeSet};

use super::a1_d1_outcomes::MIXED_SCORE;
use super::method::agents;
use super::method::games::{GamesAnalysis, Pool, Test};
use crate::evidence::games::SeriesId;
use crate::{ClaimId, Finding};
use chase_arena::PlayerSpec;
use chase_statistics::AnytimeMean;

impl GamesAnalysis<'_> {
    /// The score of the first player by number of simulations, if the networks of the whole study play with several:
    /// for agents trained alike if there are several, and also for just these agents. It is context; the verdict on the
    /// claim is that of the players of the whole study. Earlier checkpoints are other networks, and left out.
    pub(crate) fn budgets(&self) -> Vec<Finding> {
        let network = |player: usize| match &self.design.players[player].player {
            PlayerSpec::Network(network) => Some(network),
            PlayerSpec::Baseline(_) | PlayerSpec::Nnue(_) | PlayerSpec::Engine(_) => None,
        };
        let of_the_study: BTreeSet<_> = self
            .design
            .main_players()
            .filter_map(|player| Some(&network(player)?.path))
            .collect();
        let mut budgets: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for player in 0..self.design.players.len() {
            let Some(network) = network(player).filter(|network| of_the_study.contains(&network.path)) else {
                continue;
            };
            if self.repeats(player).is_none() {
                let simulations = network.settings().params.simulations;
                budgets.entry(simulations).or_default().push(player);
            }
        }
        if budgets.len() < 2 {
            return Vec::new();
        }
        let findings = budgets
            .into_iter()
            .map(|(simulations, players)| self.budget(simulations, players));
        findings.collect()
    }

    fn budget(&self, simulations: u32, players: Vec<usize>) -> Finding {
        let config = &self.design.config;
        let threshold = 0.5 + config.margin;
        let ask = |pool: &Pool| {
            let estimate = AnytimeMean::new(MIXED_SCORE.method, MIXED_SCORE.range, config.error, config.most.into())
                .estimate(&self.mixed_blocks(pool).scores);
            let test = Test {
                claim: ClaimId::A1,
                part: format!("score of the first player with {simulations} simulations"),
                pool,
                counted: MIXED_SCORE,
                effect: format!("Score of the first player with {simulations} simulations a decision"),
                sides: pool.of(|player| vec![SeriesId::free(player)]),
                threshold,
                comparisons: 1,
            };
            let mut finding = self.answer_by(test, estimate).finding;
            finding.test += "; games from the initial position, and after forced first moves where there are any; each number of \
                             simulations by itself";
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
