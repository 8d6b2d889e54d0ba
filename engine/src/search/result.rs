//! Results of a search at its root: an action to play, a value, and targets for training.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::gumbel;
use super::params::{GumbelParams, Strategy};
use super::tree::{Node, NodeId};
use super::{NodeView, Search};
use crate::{Game, Outcome, Value, Wdl};

/// The result of a search, intermediate or final. See [`Search::root`] for every action's visits and values.
///
/// Policies have one probability for each action of [`SearchResult::actions`]. They are computed from raw visits and
/// values, regardless of the temperature for sampling actions. No policy contains an action that is proven worse than
/// another: once the root is proven only the actions that reach its result count, and before that those not proven to
/// lose.
#[derive(Clone, Copy, Debug)]
pub struct SearchResult<'a, G: Game> {
    search: &'a Search<G>,
}

impl<'a, G: Game> SearchResult<'a, G> {
    pub(super) const fn new(search: &'a Search<G>) -> Self {
        Self { search }
    }

    /// The legal actions of the root, in the order of [`Game::legal_actions`].
    pub fn actions(&self) -> &'a [G::Action] {
        &self.search.root_actions
    }

    /// Mean probabilities of the result for the player to move at the root, exact if proven; `None` without an
    /// evaluation: the game is over, the move was forced, or the root is still waiting.
    pub fn wdl(&self) -> Option<Wdl> {
        self.root().map(|root| root.wdl(root.to_move))
    }

    /// The scalar of [`SearchResult::wdl`].
    pub fn value(&self) -> Option<Value> {
        self.root().map(|root| root.value(root.to_move))
    }

    /// The result of perfect play, if proven.
    pub fn proven(&self) -> Option<Outcome> {
        self.root().and_then(|root| root.proven)
    }

    /// The action that the strategy would play: with PUCT the one with most visits, with Gumbel the winner of the
    /// sequential halving, among those not proven worse. Ties are broken by Q, prior and order.
    ///
    /// `None` if the game is over, or if there is a choice and the root is still waiting for its evaluation.
    pub fn best_action(&self) -> Option<G::Action> {
        self.best_index().map(|index| self.actions()[index])
    }

    /// An action sampled from [`SearchResult::policy_target`] to the power of `1 / temperature`.
    ///
    /// At temperature 0 (or anything else that is not above 0) this is [`SearchResult::best_action`]. `None` as there.
    pub fn sample_action(&self, temperature: f32, rng: &mut Xoshiro256PlusPlus) -> Option<G::Action> {
        let best = self.best_index()?;
        if temperature.is_nan() || temperature <= 0.0 {
            return Some(self.actions()[best]);
        }
        let mut policy = Vec::new();
        self.policy_target(&mut policy);
        let greatest = policy.iter().copied().fold(0.0, f32::max);
        let weight = |probability: f32| match probability {
            // Actions outside the target are not played, even at an infinite temperature, where any power would be 1.
            0.0 => 0.0,
            // Relative to the greatest probability, which keeps weight 1, however low the temperature.
            _ => f64::from(probability / greatest).powf(1.0 / f64::from(temperature)),
        };
        let total: f64 = policy.iter().copied().map(weight).sum();
        let mut rest = rng.random::<f64>() * total;
        for (&action, &probability) in self.actions().iter().zip(&policy) {
            rest -= weight(probability);
            if rest < 0.0 {
                return Some(action);
            }
        }
        // Rounding left a remainder after the last action.
        Some(self.actions()[best])
    }

    /// The strategy's training target: visits with PUCT, the improved policy with Gumbel.
    pub fn policy_target(&self, policy: &mut Vec<f32>) {
        match &self.search.params.strategy {
            Strategy::Puct(_) => self.visit_policy(policy),
            Strategy::Gumbel(params) => self.improved_policy(params, policy),
        }
    }

    /// Shares of the visits. Without visits, the priors.
    pub fn visit_policy(&self, policy: &mut Vec<f32>) {
        self.policy(policy, |root, policy| {
            policy.extend(self.search.tree.edges(root).visits.iter().map(|&visits| visits as f32));
        });
    }

    /// softmax(logits + σ(completed Q)): section 4 of the Gumbel paper, computed from any search tree.
    pub fn improved_policy(&self, params: &GumbelParams, policy: &mut Vec<f32>) {
        self.policy(policy, |root, policy| {
            gumbel::improved_policy(params, root.evaluation, self.search.tree.edges(root), policy);
        });
    }

    /// The Kullback–Leibler divergence of the training target from the evaluator's policy at the search's temperature,
    /// in nats: a measure of how much the search changed the policy. 0 without a search.
    pub fn policy_surprise(&self) -> f32 {
        let Some(root) = self.root() else { return 0.0 };
        let mut policy = Vec::new();
        self.policy_target(&mut policy);
        let priors = self.search.tree.edges(root).priors;
        let terms = policy.iter().zip(priors).filter(|&(&target, _)| target > 0.0);
        terms
            .map(|(&target, &prior)| target * (target / prior.max(f32::MIN_POSITIVE)).ln())
            .sum()
    }

    /// The expected line: the search's choice at the root, then the most visited actions not proven worse.
    pub fn principal_variation(&self) -> Vec<G::Action> {
        let Some(index) = self.best_index() else {
            return Vec::new();
        };
        let mut line = vec![self.actions()[index]];
        let child = self.search.root().and_then(|root| root.edges().nth(index)?.child);
        line.extend(child.into_iter().flat_map(NodeView::principal_variation));
        line
    }

    fn root(&self) -> Option<&'a Node> {
        let tree = &self.search.tree;
        (!tree.is_empty()).then(|| tree.node(NodeId::ROOT))
    }

    fn best_index(&self) -> Option<usize> {
        let Some(root) = self.root() else {
            return (self.actions().len() == 1).then_some(0);
        };
        let tree = &self.search.tree;
        let strategy = &self.search.params.strategy;
        let candidate = |index| tree.is_candidate(root, index);
        Some(self.search.root.best(strategy, root, tree.edges(root), candidate))
    }

    /// Restricts the weights that `fill` computes for the root's actions to candidates, and normalises them.
    fn policy(&self, policy: &mut Vec<f32>, fill: impl Fn(&Node, &mut Vec<f32>)) {
        policy.clear();
        let Some(root) = self.root() else {
            let count = self.actions().len();
            policy.resize(count, 1.0 / count as f32);
            return;
        };
        let tree = &self.search.tree;
        fill(root, policy);
        let restrict = |policy: &mut [f32]| -> f32 {
            for (index, weight) in policy.iter_mut().enumerate() {
                if !tree.is_candidate(root, index) {
                    *weight = 0.0;
                }
            }
            policy.iter().sum()
        };
        let mut sum = restrict(policy);
        if sum <= 0.0 {
            policy.clear();
            policy.extend(
                self.search
                    .tree
                    .edges(root)
                    .priors
                    .iter()
                    .map(|prior| prior.max(f32::MIN_POSITIVE)),
            );
            sum = restrict(policy);
        }
        policy.iter_mut().for_each(|weight| *weight /= sum);
    }
}
