//! Weaker versions of a baseline, as rungs between baselines that are too far apart to rate against each other.

use chase_baselines::Random;
use chase_engine::Game;
use rand::RngExt;

use crate::players::agent::{Agent, AgentFailure, Choice, Decision, actions};

/// Plays as another agent does, but with a fixed probability a uniformly random action instead.
pub struct Blunder<G: Game, A> {
    agent: A,
    random: Random<G>,
    /// Probability of a random action, 0 to 1.
    probability: f64,
}

impl<G: Game, A: Agent<G>> Blunder<G, A> {
    /// `agent`, which chooses at random with a probability from 0 to 1; what is outside counts as 0 or 1.
    pub fn new(agent: A, probability: f64) -> Self {
        Self {
            agent,
            random: Random::new(),
            probability: probability.clamp(0.0, 1.0),
        }
    }
}

impl<G: Game, A: Agent<G>> Agent<G> for Blunder<G, A> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        self.judge_batch(decisions).map(actions)
    }

    /// Expects nothing: a position with a player that may blunder next is worth something else than to the agent.
    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        // The coin is tossed first, so that it does not depend on how the agent uses the generator.
        let mut blunders: Vec<_> = decisions
            .iter_mut()
            .map(|decision| {
                let blunders = decision.rng.random_bool(self.probability);
                blunders.then(|| Choice::from(self.random.choose(decision.game, decision.rng)))
            })
            .collect();
        let open = decisions
            .iter_mut()
            .zip(&blunders)
            .filter(|(_, blunder)| blunder.is_none());
        let mut open: Vec<_> = open
            .map(|(decision, _)| Decision {
                rng: &mut *decision.rng,
                ..*decision
            })
            .collect();
        let mut chosen = self.agent.judge_batch(&mut open)?.into_iter();
        for choice in blunders.iter_mut().filter(|choice| choice.is_none()) {
            *choice = chosen.next().map(|choice| Choice {
                expects: None,
                ..choice
            });
        }
        Ok(blunders.into_iter().flatten().collect())
    }
}
