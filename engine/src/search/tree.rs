//! The search tree: nodes and edges in two arenas, backup, proofs, and moving to a subtree.

use std::ops::Range;

use super::evaluator::Evaluation;
use crate::{ByPlayer, Outcome, Player, Value, Wdl};

/// A node of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub const ROOT: Self = Self(0);
    /// In an edge: the action has not been visited.
    const NONE: Self = Self(u32::MAX);
}

/// A position reached in the search by one sequence of actions.
///
/// There are no transpositions, since the value of a position may depend on how it was reached. For the same reason
/// cycles need no special treatment: a position that recurs is another node. In self-play only 1.8 % of evaluations
/// repeat one of the same game (study 0005).
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Sums over visits of the probability that each player wins. They are absolute, so that nothing here depends on
    /// the order in which players act. Double precision, since these sums grow over the plies through which a subtree
    /// is kept, and a small term must not be lost; only means, which are rounded once, are stored in single precision.
    wins: ByPlayer<f64>,
    /// Visits, including the one that evaluated the node.
    pub visits: u32,
    /// Visits in progress through the node, whose leaves are waiting for their evaluations: see [`Tree::reserve`].
    pub under_way: u32,
    first_edge: u32,
    edges: u32,
    /// Edges that do not lead to a proven node.
    open: u32,
    /// Prior mass of the visited edges.
    pub visited_prior: f32,
    /// The evaluator's value, for the player to move.
    pub evaluation: Value,
    pub to_move: Player,
    /// The result of perfect play, once known; never [`Outcome::Truncated`].
    pub proven: Option<Outcome>,
}

impl Node {
    /// True if further visits are useless: the node is proven, or the game is over here.
    pub fn is_settled(&self) -> bool {
        self.proven.is_some() || self.edges == 0
    }

    /// Visits for selection: completed ones and those in progress.
    pub const fn visits_begun(&self) -> u32 {
        self.visits + self.under_way
    }

    pub fn edges(&self) -> Range<usize> {
        self.first_edge as usize..(self.first_edge + self.edges) as usize
    }

    /// Mean over the visits of the probability that each player wins; exact if proven.
    fn mean_wins(&self) -> ByPlayer<f64> {
        match self.proven {
            Some(outcome) => wins_of(outcome),
            None => ByPlayer(self.wins.0.map(|sum| sum / f64::from(self.visits))),
        }
    }

    /// The expected result for `player`: the mean over the visits, exact if proven.
    pub fn value(&self, player: Player) -> Value {
        let mean = self.mean_wins();
        Value((mean[player] - mean[!player]) as f32)
    }

    /// Mean over the visits of the probabilities of the result for `player`; exact if proven.
    pub fn wdl(&self, player: Player) -> Wdl {
        let mean = self.mean_wins();
        let (win, loss) = (mean[player], mean[!player]);
        Wdl::new(win as f32, (1.0 - win - loss).max(0.0) as f32, loss as f32)
    }
}

/// The probability that each player wins, given a known result.
fn wins_of(outcome: Outcome) -> ByPlayer<f64> {
    let mut wins = ByPlayer::default();
    if let Some(winner) = outcome.winner() {
        wins[winner] = 1.0;
    }
    wins
}

/// An edge on the path from the root to a leaf.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub node: NodeId,
    /// Index into the tree's edges.
    pub edge: usize,
}

/// Nodes, and edges as one array for each field, with those of a node adjacent: selection reads only priors, visits and
/// means of all actions of a node.
#[derive(Debug)]
pub(super) struct Tree<A> {
    nodes: Vec<Node>,
    actions: Vec<A>,
    /// Probabilities from the evaluator, without noise.
    priors: Vec<f32>,
    /// Visits, including those in progress.
    visits: Vec<u32>,
    /// Mean value for the player to move, 0 before the first visit, and [`LOST`] once proven a loss.
    q: Vec<f32>,
    children: Vec<NodeId>,
}

/// The Q of an action that is proven to lose. It ranks below every other one without a test in the selection loop.
pub(super) const LOST: f32 = f32::NEG_INFINITY;

/// The data of a node for selection: one element for each legal action, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edges<'a> {
    /// Probabilities, without noise.
    pub priors: &'a [f32],
    pub visits: &'a [u32],
    /// Means for the player to move; meaningless without visits; [`LOST`] if proven a loss.
    pub q: &'a [f32],
}

impl<A: Copy> Tree<A> {
    pub const fn new() -> Self {
        Self {
            nodes: Vec::new(),
            actions: Vec::new(),
            priors: Vec::new(),
            visits: Vec::new(),
            q: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Removes everything, keeping the memory.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.actions.clear();
        self.priors.clear();
        self.visits.clear();
        self.q.clear();
        self.children.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Bytes of the nodes and edges in use.
    pub fn bytes(&self) -> usize {
        self.bytes_with(0, 0)
    }

    fn bytes_with(&self, nodes: usize, edges: usize) -> usize {
        let edge = size_of::<A>() + 2 * size_of::<f32>() + size_of::<u32>() + size_of::<NodeId>();
        (self.nodes.len() + nodes) * size_of::<Node>() + (self.actions.len() + edges) * edge
    }

    /// True if this many nodes with this many edges in total can be added within `limit` bytes (and within the range of
    /// a [`NodeId`]).
    pub fn has_room(&self, nodes: usize, edges: usize, limit: usize) -> bool {
        self.bytes_with(nodes, edges) <= limit && self.actions.len() + edges < u32::MAX as usize
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn edges(&self, node: &Node) -> Edges<'_> {
        let range = node.edges();
        Edges {
            priors: &self.priors[range.clone()],
            visits: &self.visits[range.clone()],
            q: &self.q[range],
        }
    }

    pub fn actions(&self, node: &Node) -> &[A] {
        &self.actions[node.edges()]
    }

    pub fn action(&self, edge: usize) -> A {
        self.actions[edge]
    }

    /// True if the edge leads to a leaf that is waiting for its evaluation.
    pub fn is_awaited(&self, edge: usize) -> bool {
        self.children[edge] == NodeId::NONE && self.visits[edge] > 0
    }

    pub fn child(&self, edge: usize) -> Option<NodeId> {
        Some(self.children[edge]).filter(|&child| child != NodeId::NONE)
    }

    /// True if no other action of the node is proven better than that of edge number `index`.
    pub fn is_candidate(&self, node: &Node, index: usize) -> bool {
        match node.proven {
            Some(_) => {
                let child = self.child(node.edges().start + index);
                child.is_some_and(|child| self.node(child).proven == node.proven)
            }
            None => self.edges(node).q[index] != LOST,
        }
    }

    /// Adds a node without visits for an evaluated position, and one edge for each action.
    pub fn add_evaluated(
        &mut self,
        to_move: Player,
        actions: &[A],
        evaluation: &Evaluation<'_>,
        temperature: f32,
    ) -> NodeId {
        let first_edge = self.actions.len();
        let end = first_edge + actions.len();
        self.actions.extend_from_slice(actions);
        self.priors.extend_from_slice(evaluation.logits);
        softmax(&mut self.priors[first_edge..], temperature);
        self.visits.resize(end, 0);
        self.q.resize(end, 0.0);
        self.children.resize(end, NodeId::NONE);
        self.push(Node {
            wins: ByPlayer::default(),
            visits: 0,
            under_way: 0,
            first_edge: first_edge as u32,
            edges: actions.len() as u32,
            open: actions.len() as u32,
            visited_prior: 0.0,
            evaluation: evaluation.wdl.value(),
            to_move,
            proven: None,
        })
    }

    /// Adds a node without visits for a position in which the game is over.
    ///
    /// A result is a proof. A truncated game has none, and its node stays unproven.
    pub fn add_terminal(&mut self, outcome: Outcome) -> NodeId {
        self.push(Node {
            wins: ByPlayer::default(),
            visits: 0,
            under_way: 0,
            first_edge: 0,
            edges: 0,
            open: 0,
            visited_prior: 0.0,
            evaluation: Value::DRAW,
            // There is no player to move here; values are read for the parent's player.
            to_move: Player::White,
            proven: Some(outcome).filter(|&outcome| outcome != Outcome::Truncated),
        })
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    /// Attaches a new node to an edge without one.
    pub fn link(&mut self, step: Step, child: NodeId) {
        self.children[step.edge] = child;
        self.nodes[step.node.0 as usize].visited_prior += self.priors[step.edge];
    }

    /// The value of a visit to a settled node: its proven result, or for a truncated game, which has no value of its
    /// own, the current mean of the parent. So reaching the length limit neither attracts nor deters.
    pub fn settled_value(&self, parent: NodeId, settled: NodeId) -> ByPlayer<f64> {
        match self.node(settled).proven {
            Some(outcome) => wins_of(outcome),
            None => self.node(parent).mean_wins(),
        }
    }

    /// Counts a visit in progress along `path` to a leaf without a node, so that the next selection looks elsewhere.
    /// `q` is the assumed value of the leaf, for the player who moves to it, until it is evaluated.
    ///
    /// Means of visited actions stay the same: a visit in progress says nothing about their worth, it only makes them
    /// less urgent (Liu et al., *Watch the unobserved*, ICLR 2020; Leela does the same).
    pub fn reserve(&mut self, path: &[Step], q: f32) {
        for step in path {
            self.visits[step.edge] += 1;
            self.nodes[step.node.0 as usize].under_way += 1;
        }
        if let Some(last) = path.last() {
            self.q[last.edge] = q;
        }
    }

    /// Reverts [`Tree::reserve`] along `path`.
    pub fn release(&mut self, path: &[Step]) {
        for step in path {
            self.visits[step.edge] -= 1;
            self.nodes[step.node.0 as usize].under_way -= 1;
        }
        if let Some(last) = path.last() {
            self.q[last.edge] = 0.0;
        }
    }

    /// Counts one visit with the given probabilities of winning, from `leaf` up along `path` to the root.
    ///
    /// A node is proven once an action of its player is proven to win, or all actions are proven. *Its player* may be
    /// the same as a ply before. From a proven node the exact result is passed upwards, even if it was proven while
    /// this visit was in progress.
    pub fn back_up(&mut self, path: &[Step], leaf: NodeId, mut wins: ByPlayer<f64>) {
        let first_visit = self.node(leaf).visits == 0;
        let mut newly_proven = first_visit && self.node(leaf).proven.is_some();
        self.count(leaf, wins);
        let mut child = leaf;
        for &step in path.iter().rev() {
            let player = self.node(step.node).to_move;
            let proven = self.node(child).proven;
            self.visits[step.edge] += 1;
            self.q[step.edge] = match proven {
                Some(Outcome::Win(winner)) if winner != player => LOST,
                _ => self.node(child).value(player).0,
            };
            if newly_proven {
                newly_proven = self.prove(step.node, proven == Some(Outcome::Win(player)));
            }
            if let Some(outcome) = self.node(step.node).proven {
                wins = wins_of(outcome);
            }
            self.count(step.node, wins);
            child = step.node;
        }
    }

    fn count(&mut self, id: NodeId, wins: ByPlayer<f64>) {
        let node = &mut self.nodes[id.0 as usize];
        node.visits += 1;
        for player in Player::BOTH {
            node.wins[player] += wins[player];
        }
    }

    /// Records that one more child of a node is proven, as a win for the node's player or not. Returns true if that
    /// proves the node.
    fn prove(&mut self, id: NodeId, wins: bool) -> bool {
        let node = &mut self.nodes[id.0 as usize];
        node.open -= 1;
        let player = node.to_move;
        let proven = if wins {
            Some(Outcome::Win(player))
        } else if node.open == 0 {
            // No action wins; any that does not lose is a draw.
            let range = node.edges();
            let draws = self.q[range].iter().any(|&q| q != LOST);
            Some(if draws { Outcome::Draw } else { Outcome::Win(!player) })
        } else {
            None
        };
        self.nodes[id.0 as usize].proven = proven;
        proven.is_some()
    }

    /// Copies the subtree under `root` into `target`, replacing its content.
    pub fn copy_subtree(&self, root: NodeId, target: &mut Self) {
        target.clear();
        target.nodes.push(self.node(root).clone());
        let mut next = 0;
        // A queue in place: nodes from `next` on have been copied, but still refer to their edges in `self`.
        while next < target.nodes.len() {
            let source = target.nodes[next].edges();
            target.nodes[next].first_edge = target.actions.len() as u32;
            target.actions.extend_from_slice(&self.actions[source.clone()]);
            target.priors.extend_from_slice(&self.priors[source.clone()]);
            target.visits.extend_from_slice(&self.visits[source.clone()]);
            target.q.extend_from_slice(&self.q[source.clone()]);
            for edge in source {
                let child = self.child(edge).map(|child| target.push(self.node(child).clone()));
                target.children.push(child.unwrap_or(NodeId::NONE));
            }
            next += 1;
        }
    }
}

/// Turns finite logits into probabilities, at a temperature above 0.
fn softmax(values: &mut [f32], temperature: f32) {
    let greatest = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for value in values.iter_mut() {
        // In this order the only infinite terms are those that become 0.
        *value = ((*value - greatest) / temperature).exp();
        sum += *value;
    }
    let scale = 1.0 / sum;
    for value in values {
        *value *= scale;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_finite_logits_at_any_temperature_are_probabilities() {
        for temperature in [f32::MIN_POSITIVE, 0.5, 1.0, 2.0, f32::MAX] {
            for logits in [[3e38, 3e38, -3e38], [f32::MIN; 3], [0.0, f32::MAX, f32::MIN]] {
                let evaluation = Evaluation {
                    wdl: Wdl::DRAW,
                    logits: &logits,
                };
                let mut tree = Tree::new();
                let root = tree.add_evaluated(Player::White, &[0, 1, 2], &evaluation, temperature);
                let priors = tree.edges(tree.node(root)).priors;
                assert!(
                    (priors.iter().sum::<f32>() - 1.0).abs() < 1e-6,
                    "{logits:?} at {temperature}: {priors:?}"
                );
            }
        }
    }
}
