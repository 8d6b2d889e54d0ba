//! A read-only view of the search tree.

use super::root::most_visited;
use super::tree::{LOST, NodeId, Tree};
use crate::{Game, Outcome, Player, Value, Wdl};

/// A node of a search tree: a position that was reached, and evaluated or found to be the end of the game.
#[derive(Debug)]
pub struct NodeView<'a, G: Game> {
    tree: &'a Tree<G::Action>,
    id: NodeId,
}

impl<G: Game> Clone for NodeView<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for NodeView<'_, G> {}

/// The search's data for one action.
#[derive(Clone, Copy, Debug)]
pub struct EdgeView<'a, G: Game> {
    /// The action that leads along the edge.
    pub action: G::Action,
    /// Its probability in the evaluator's policy, without noise, at the temperature of the search's parameters.
    pub prior: f32,
    /// Completed visits and those in progress.
    pub visits: u32,
    /// Mean value Q for the player to act, exact if proven; `None` without visits.
    pub q: Option<Value>,
    /// The result of perfect play after the action, if proven.
    pub proven: Option<Outcome>,
    /// The position after the action; `None` without visits.
    pub child: Option<NodeView<'a, G>>,
}

impl<'a, G: Game> NodeView<'a, G> {
    pub(super) const fn new(tree: &'a Tree<G::Action>, id: NodeId) -> Self {
        Self { tree, id }
    }

    /// Visits, including the one that evaluated the node.
    pub fn visits(self) -> u32 {
        self.tree.node(self.id).visits
    }

    /// The player to move; `None` if the game is over.
    pub fn to_move(self) -> Option<Player> {
        let node = self.tree.node(self.id);
        (!node.edges().is_empty()).then_some(node.to_move)
    }

    /// Mean over the visits of the probabilities of the result, for `player`; exact if proven.
    pub fn wdl(self, player: Player) -> Wdl {
        self.tree.node(self.id).wdl(player)
    }

    /// The evaluator's own value of the position for the player to move, without a search.
    pub fn evaluation(self) -> Value {
        self.tree.node(self.id).evaluation
    }

    /// The result of perfect play, if proven.
    pub fn proven(self) -> Option<Outcome> {
        self.tree.node(self.id).proven
    }

    /// The expected line from here: the most visited actions not proven worse, as far as they were searched.
    pub fn principal_variation(self) -> Vec<G::Action> {
        let mut line = Vec::new();
        let mut node = self.tree.node(self.id);
        while self.tree.edges(node).visits.iter().any(|&visits| visits > 0) {
            let edges = self.tree.edges(node);
            let index = most_visited(edges, |index| self.tree.is_candidate(node, index));
            line.push(self.tree.actions(node)[index]);
            let Some(child) = self.tree.child(node.edges().start + index) else {
                break;
            };
            node = self.tree.node(child);
        }
        line
    }

    /// All legal actions in the order of [`Game::legal_actions`]; empty if the game is over.
    pub fn edges(self) -> impl ExactSizeIterator<Item = EdgeView<'a, G>> {
        let node = self.tree.node(self.id);
        let edges = self.tree.edges(node);
        node.edges().enumerate().map(move |(index, edge)| {
            let child = self.tree.child(edge).map(|id| Self { tree: self.tree, id });
            EdgeView {
                action: self.tree.action(edge),
                prior: edges.priors[index],
                visits: edges.visits[index],
                q: child.map(|_| match edges.q[index] {
                    LOST => Value::LOSS,
                    q => Value(q),
                }),
                proven: child.and_then(Self::proven),
                child,
            }
        })
    }
}
