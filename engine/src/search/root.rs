//! What a search knows about its root beyond the tree: chance, and where the search began.

use rand::rngs::Xoshiro256PlusPlus;

use super::gumbel;
use super::params::{SearchParams, Strategy};
use super::puct;
use super::tree::{Edges, LOST, Node};

/// State of the root that belongs to one search and not to the tree: a subtree that is kept must carry no noise.
///
/// One element for each legal action.
#[derive(Debug, Default)]
pub(super) struct Root {
    /// A sample of the strategy's noise, drawn anew for every search.
    noise: Vec<f32>,
    /// PUCT: priors with temperature and noise.
    priors: Vec<f32>,
    /// Visits from an earlier search, in a subtree that was kept.
    visits_before: Vec<u32>,
    /// Gumbel: the actions that sequential halving begins with.
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

    /// Drops the noise of the last search, when a new root has `actions` legal actions and no search yet.
    pub fn forget(&mut self, actions: usize) {
        self.noise.clear();
        self.noise.resize(actions, 0.0);
        self.visits_before.clear();
        self.visits_before.resize(actions, 0);
    }

    /// Prepares for selection, once the evaluator's opinion about the root is there.
    pub fn prepare(&mut self, params: &SearchParams, edges: Edges<'_>) {
        self.visits_before.clear();
        self.visits_before.extend_from_slice(edges.visits);
        match &params.strategy {
            Strategy::Puct(puct) => puct::root_priors(puct, edges.priors, &self.noise, &mut self.priors),
            Strategy::Gumbel(gumbel) => {
                // Losses that a kept tree has proven get no visits, and must have no part in the plan.
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
                // Losses proven on the way leave gaps in the schedule. Then the next action ahead of it gets the visit,
                // not the leader alone, who would be the only one at the most visits, and so the choice, whatever the
                // visits say. Behind the schedule are those who were given up.
                let ahead = open.clone().filter(|&count| count >= scheduled).min();
                let due = ahead.or_else(|| open.max()).unwrap_or(scheduled);
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
                let most = open.map(visits).max().unwrap_or(0);
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
        .unwrap_or(0)
}
