//! Random and greedy play as agents, players that blunder, and the ladder of baselines.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chase_engine::baselines::{Greedy, Random};
use chase_engine::{Game, Heuristic, Playable};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::agent::{Agent, AgentFailure, Choice, Decision, SearchTask, Searched};
use crate::analysis::AnalysisReport;

/// Baselines from random play upwards, each a rung above the one before, close enough to lose a game in some dozens to
/// the one below: together with the games they play among themselves, a scale on which every strength has a neighbour.
///
/// No game between them takes more than about a tenth of a second on one core. From the bottom to the top there are
/// about 2800 Elo.
pub const LADDER: [&str; 9] = [
    "random",
    "greedy:blunders=0.9",
    "greedy:blunders=0.7",
    "greedy",
    "alpha-beta:depth=1,blunders=0.3",
    "alpha-beta:depth=1,blunders=0.1",
    "alpha-beta:depth=1",
    "alpha-beta:depth=2",
    "alpha-beta:depth=3",
];

impl<G: Game> Agent<G> for Random<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let choose = |decision: &mut Decision<'_, G>| self.choose(decision.game, decision.rng).into();
        Ok(decisions.iter_mut().map(choose).collect())
    }
}

impl<G: Heuristic> Agent<G> for Greedy<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let choose = |decision: &mut Decision<'_, G>| self.choose(decision.game, decision.rng).into();
        Ok(decisions.iter_mut().map(choose).collect())
    }
}

/// Plays as another agent does, but with a fixed probability a uniformly random action instead.
pub(super) struct Blunder<G: Game> {
    agent: Box<dyn Agent<G>>,
    random: Random<G>,
    /// Probability of a random action, 0 to 1.
    probability: f64,
}

impl<G: Game> Blunder<G> {
    /// `agent`, which chooses at random with a probability from 0 to 1; what is outside counts as 0 or 1.
    pub fn new(agent: Box<dyn Agent<G>>, probability: f64) -> Self {
        Self {
            agent,
            random: Random::new(),
            probability: probability.clamp(0.0, 1.0),
        }
    }

    /// A random action, if the player blunders. The coin is tossed first, so that it does not depend on how the agent uses
    /// the generator.
    fn blunder(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> Option<Choice<G::Action>> {
        let blunders = rng.random_bool(self.probability);
        blunders.then(|| self.random.choose(game, rng).into())
    }
}

impl<G: Game> Agent<G> for Blunder<G> {
    /// Expects nothing: a position with a player that may blunder next is worth something else than to the agent.
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let mut blunders: Vec<_> = decisions
            .iter_mut()
            .map(|decision| self.blunder(decision.game, decision.rng))
            .collect();
        let open = decisions
            .iter_mut()
            .zip(&blunders)
            .filter(|(_, blunder)| blunder.is_none());
        let mut open: Vec<_> = open.map(|(decision, _)| decision.again()).collect();
        let mut chosen = self.agent.choose_batch(&mut open)?.into_iter();
        for choice in blunders.iter_mut().filter(|choice| choice.is_none()) {
            *choice = chosen.next().map(|choice| Choice {
                expects: None,
                ..choice
            });
        }
        Ok(blunders.into_iter().flatten().collect())
    }

    fn search(
        &mut self,
        decision: Decision<'_, G>,
        task: &mut SearchTask<'_>,
    ) -> Result<Searched<G::Action>, AgentFailure>
    where
        G: Playable,
    {
        if decision.game.outcome().is_some() {
            return self.agent.search(decision, task);
        }
        match self.blunder(decision.game, decision.rng) {
            Some(choice) => Ok((Some(choice.action), AnalysisReport::of_choice(decision.game, &choice))),
            None => self.agent.search(decision, task),
        }
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.agent.stop_when(stop);
    }
}
