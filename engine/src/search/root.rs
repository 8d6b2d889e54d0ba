//! State of a search at its root beyond the tree: noise, and earlier visits.

use rand::rngs::Xoshiro256PlusPlus;

use super::gumbel;
use super::params::{SearchParams, Strategy};
use super::puct;
use super::tree::{Edges, LOST, Node};

/// Reason that there is an action to choose: a node whose actions all lose is proven lost, and then they are equal.
const CANDIDATE: &str = "an evaluated position has an action that is not proven worse than another";

/// State of the root that belongs to one search and not to the tree: a kept subtree must carry no noise.
///
/// One element for each legal action.
#[derive(Debug, Default)]
pub(super) struct Root {
    /// A sample of the strategy's noise, drawn for every search.
    noise: Vec<f32>,
    /// PUCT: priors with temperature and noise.
    priors: Vec<f32>,
    /// Visits from an earlier search, in a kept subtree.
    visits_before: Vec<u32>,
    /// Gumbel: the number of actions that sequential halving begins with.
    considered: u32,
}

impl Root {
    /// Draws the noise of a search over `actions` legal actions.
    pub fn draw(&mut self, strategy: &Strategy, actions: usize, rng: &mut Xoshiro256PlusPlus) {
        match strategy {
            Strategy::Puct(params) => match params.noise {
                Some(noise) => puct::sample_dirichlet(noise.total_concentration, actions, rng, &mut self.noise),
                None => self.noise.clear(),
            },
            Strategy::Gumbel(params) => gumbel::sample_gumbel(params.noise_scale, actions, rng, &mut self.noise),
        }
    }

    /// Drops the noise of the last search, for a new root with `actions` legal actions and no search yet.
    pub fn forget(&mut self, actions: usize) {
        self.noise.clear();
        self.noise.resize(actions, 0.0);
        self.visits_before.clear();
        self.visits_before.resize(actions, 0);
    }

    /// Prepares for selection, once the root has been evaluated.
    pub fn prepare(&mut self, params: &SearchParams, edges: Edges<'_>) {
        self.visits_before.clear();
        self.visits_before.extend_from_slice(edges.visits);
        match &params.strategy {
            Strategy::Puct(puct) => puct::root_priors(puct, edges.priors, &self.noise, &mut self.priors),
            Strategy::Gumbel(gumbel) => {
                // Losses proven in a kept tree get no visits, and must not be part of the plan.
                let open = edges.q.iter().filter(|&&q| q != LOST).count();
                self.considered = gumbel.considered_actions.min(u32::try_from(open).unwrap_or(u32::MAX));
            }
        }
    }

    /// Selects the root action of simulation number `simulation`, from 0.
    pub fn select(&self, params: &SearchParams, simulation: u32, node: &Node, edges: Edges<'_>) -> usize {
        match &params.strategy {
            Strategy::Puct(puct) => {
                let first_play = puct::first_play_urgency(puct::root_reduction(puct), node);
                puct::select(puct.c_puct, node.visits_begun(), first_play, &self.priors, edges)
            }
            Strategy::Gumbel(gumbel) => {
                let scheduled = gumbel::scheduled_visits(self.considered, params.simulations, simulation);
                let visits = |index: usize| edges.visits[index] - self.visits_before[index];
                let not_lost = |index: usize| edges.q[index] != LOST;
                let open = (0..edges.q.len()).filter(|&index| not_lost(index)).map(visits);
                // Losses proven meanwhile leave gaps in the schedule. The visit then goes to the next action ahead of
                // the schedule, not always to the leader, which would otherwise be alone at the most visits and thus be
                // chosen whatever the visits show. Actions behind the schedule have been eliminated.
                let ahead = open.clone().filter(|&count| count >= scheduled).min();
                let due = ahead.or_else(|| open.max());
                let due = due.expect("a root that is not proven has an action that is not lost");
                gumbel::best_of_root(gumbel, node.evaluation, &self.noise, edges, |index| {
                    not_lost(index) && visits(index) == due
                })
            }
        }
    }

    /// The strategy's choice among the actions for which `candidate` holds, given their index.
    pub fn best(&self, strategy: &Strategy, node: &Node, edges: Edges<'_>, candidate: impl Fn(usize) -> bool) -> usize {
        match strategy {
            Strategy::Puct(_) => most_visited(edges, candidate),
            Strategy::Gumbel(params) => {
                let visits = |index: usize| edges.visits[index] - self.visits_before[index];
                let open = (0..edges.q.len()).filter(|&index| candidate(index));
                let most = open.map(visits).max().expect(CANDIDATE);
                gumbel::best_of_root(params, node.evaluation, &self.noise, edges, |index| {
                    candidate(index) && visits(index) == most
                })
            }
        }
    }
}

/// The edge with most visits among those for which `candidate` holds; of equals the one with the greatest Q, then the
/// greatest prior, then the first.
pub(super) fn most_visited(edges: Edges<'_>, candidate: impl Fn(usize) -> bool) -> usize {
    let rank = |index: usize| (edges.visits[index], edges.q[index], edges.priors[index]);
    let better = |best: usize, index: usize| if rank(index) > rank(best) { index } else { best };
    (0..edges.visits.len())
        .filter(|&index| candidate(index))
        .reduce(better)
        .expect(CANDIDATE)
}
