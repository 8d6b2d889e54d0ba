//! Tree search over any [`Game`]: one loop, with PUCT or Gumbel AlphaZero as strategies.
//!
//! A [`Search`] is driven step by step, so that many games can share one batch of a network:
//!
//! 1. [`Search::start`] sets the root;
//! 2. [`Search::select`] descends the tree to a leaf that needs an evaluation, or reports that the search is over;
//! 3. [`Search::expand`] stores the evaluation and backs it up; then again from 2;
//! 4. [`Search::result`] returns the results, [`Search::advance`] keeps the subtree of the action played, and
//!    [`Search::stay`] the whole tree, for a search that continues.
//!
//! One leaf per tree waits at a time, or several with [`PuctParams::leaves`], see [`Search::leaves`]. Every search owns
//! and reuses its memory, so searches of different games can select and expand on different threads without locks.
//! [`Search::run`] drives a single search.
//!
//! ```
//! use chase_engine::search::{Search, SearchParams, UniformEvaluator};
//! use chase_engine::{Chase, Game, chase::Rules};
//! use rand::{SeedableRng, rngs::Xoshiro256PlusPlus};
//!
//! let game = Chase::new(&Rules::default());
//! let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
//! let mut search = Search::new();
//! search.start(&game, &SearchParams::default(), &mut rng)?;
//! search.run(&mut UniformEvaluator)?;
//! let action = search.result().best_action().expect("a game that is not over");
//! assert!(game.is_legal(action));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Points of view
//! Inside the tree everything is absolute: sums of the probability that *White* wins and that *Black* wins. A value or
//! Q that leaves the tree is for the player to move in that node. So the order in which players act does not matter.
//!
//! # Proofs
//! Results of finished games are proofs, and are backed up exactly: a node is won for its player if one action is
//! proven to win, and its result is known once all actions are. A search does not select proven losses, and stops when
//! the root is proven. Draw conventions such as repetition belong to the game's state and are proven along the searched
//! path. A [truncated](crate::Outcome::Truncated) game proves nothing, and a visit to it counts as the current mean of
//! its parent.

mod baseline;
mod evaluator;
mod gumbel;
mod params;
mod pending;
mod puct;
mod result;
mod root;
mod together;
mod tree;
mod view;

use rand::rngs::Xoshiro256PlusPlus;

pub use baseline::{RolloutEvaluator, UniformEvaluator};
pub use evaluator::{Evaluation, EvaluationError, Evaluations, Evaluator, Leaf};
pub use params::{DirichletNoise, Fault, GumbelParams, InvalidParams, PuctParams, SearchParams, Strategy};
pub use result::SearchResult;
pub use together::step;
pub use view::{EdgeView, NodeView};

use crate::Game;
use pending::{PendingLeaf, PendingLeaves};
use root::Root;
use tree::{NodeId, Step, Tree};

/// Reason that there is a root: [`Search::start`] sets it before there are legal actions or anything to select.
const STARTED: &str = "a search that was started has a root";

/// The reason for the end of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All simulations are done.
    Simulations,
    /// The result of perfect play is proven.
    Proven,
    /// There is only one legal action, and [`SearchParams::skip_forced`] is set.
    Forced,
    /// The tree has reached its limit of memory.
    MemoryFull,
    /// The game is over: there is nothing to search.
    GameOver,
}

/// A search tree, its root, and the state of the search over it.
#[derive(Debug)]
pub struct Search<G: Game> {
    params: SearchParams,
    memory_limit: usize,
    tree: Tree<G::Action>,
    /// Receives the subtree to keep, and is then swapped with `tree`.
    spare: Tree<G::Action>,
    /// `None` before the first search.
    root_game: Option<G>,
    root_actions: Vec<G::Action>,
    root: Root,
    /// True if `tree` was kept by [`Search::advance`] or [`Search::stay`] for the next search.
    advanced: bool,
    simulations: u32,
    stop: Option<Stop>,
    /// The path of the current simulation.
    path: Vec<Step>,
    pending: PendingLeaves<G>,
    /// Scratch memory, one number per action.
    scores: Vec<f32>,
}

impl<G: Game> Default for Search<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Game> Search<G> {
    /// Default limit of a tree's memory: 256 MiB, about 300,000 simulations of Chase.
    pub const DEFAULT_MEMORY_LIMIT: usize = 256 << 20;

    /// Creates a search without a root, with the default memory limit.
    pub fn new() -> Self {
        Self::with_memory_limit(Self::DEFAULT_MEMORY_LIMIT)
    }

    /// Creates a search without a root whose tree takes at most `bytes`.
    ///
    /// A search that would need more ends, see [`Stop::MemoryFull`], with a valid result. The limit applies to nodes
    /// and edges in use; growing arrays may reserve up to twice as much, and [`Search::advance`] needs memory for the
    /// subtree it copies. The root is stored whatever the limit.
    pub fn with_memory_limit(bytes: usize) -> Self {
        Self {
            params: SearchParams::default(),
            memory_limit: bytes,
            tree: Tree::new(),
            spare: Tree::new(),
            root_game: None,
            root_actions: Vec::new(),
            root: Root::default(),
            advanced: false,
            simulations: 0,
            stop: Some(Stop::GameOver),
            path: Vec::new(),
            pending: PendingLeaves::new(),
            scores: Vec::new(),
        }
    }

    /// Begins the search of a position.
    ///
    /// All randomness of the search is drawn here. The tree is empty, unless [`Search::advance`] or [`Search::stay`]
    /// has just been called and led to exactly this position: then the search begins with the tree that they kept,
    /// whose visits are added to those of this search, and draws new noise. A tree whose priors have another
    /// [temperature](PuctParams::policy_temperature) than these parameters is not kept. After a change of the
    /// evaluator, call [`Search::clear`] first.
    ///
    /// # Errors
    /// If a parameter is out of its range; the search is then unchanged.
    pub fn start(
        &mut self,
        game: &G,
        params: &SearchParams,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<(), InvalidParams> {
        params.validate()?;
        self.drop_pending();
        let same_priors = self.params.strategy.policy_temperature() == params.strategy.policy_temperature();
        self.params = *params;
        let is_root = |root: &G| root.plies() == game.plies() && root.key() == game.key();
        let same = same_priors && self.root_game.as_ref().is_some_and(is_root);
        if !(std::mem::take(&mut self.advanced) && same) {
            self.tree.clear();
        }
        match &mut self.root_game {
            Some(root) => root.clone_from(game),
            none => *none = Some(game.clone()),
        }
        game.legal_actions(&mut self.root_actions);
        self.root.draw(&params.strategy, self.root_actions.len(), rng);
        self.simulations = 0;
        self.stop = match self.root_actions.len() {
            0 => Some(Stop::GameOver),
            1 if params.skip_forced => Some(Stop::Forced),
            _ => None,
        };
        if !self.tree.is_empty() {
            self.prepare_root();
        }
        Ok(())
    }

    /// Discards the tree, for example because the evaluator has changed. The memory is kept.
    pub fn clear(&mut self) {
        self.drop_pending();
        self.tree.clear();
        self.root_actions.clear();
        self.stop = Some(Stop::GameOver);
    }

    /// Advances to the next leaves that need an evaluation, and returns the first; `None` once the search is over.
    ///
    /// Simulations that end in a finished game or a proven position need no evaluation and are completed at once. While
    /// leaves are waiting, no others are selected.
    pub fn select(&mut self) -> Option<Leaf<'_, G>> {
        if self.pending.is_empty() {
            let most = self
                .params
                .strategy
                .leaves_at_once(self.root().map_or(0, |root| root.visits()));
            while self.stop.is_none() && self.pending.len() < most && self.simulate() {}
            if self.stop.is_some() {
                // Proven meanwhile: the evaluations of the leaves no longer matter.
                self.drop_pending();
            }
        }
        self.leaf()
    }

    /// The first leaf that is waiting for its evaluation, if there is one.
    pub fn leaf(&self) -> Option<Leaf<'_, G>> {
        self.leaves().next()
    }

    /// All leaves that are waiting for their evaluations, in the order in which [`Search::expand`] takes these.
    ///
    /// There are as many as [`PuctParams::leaves`] allows, or fewer if selection returns to a waiting leaf, or
    /// simulations or memory run out. Until all are expanded, visits already include them.
    pub fn leaves(&self) -> impl ExactSizeIterator<Item = Leaf<'_, G>> {
        self.pending.waiting().iter().map(PendingLeaf::view)
    }

    /// Stores the evaluation of the first waiting leaf, and backs it up.
    ///
    /// # Errors
    /// If there is no such leaf, or the evaluation is invalid or does not match it; the leaf is then still waiting.
    pub fn expand(&mut self, evaluation: Evaluation<'_>) -> Result<(), EvaluationError> {
        let first = self.pending.waiting().first().ok_or(EvaluationError::NoLeaf)?;
        evaluation.check(first.actions.len())?;
        let leaf = self.pending.pop().expect("the first leaf is waiting");
        if self.params.strategy.most_leaves() > 1 {
            self.tree.release(&leaf.path);
        }
        let to_move = leaf.game.to_move();
        let temperature = self.params.strategy.policy_temperature();
        let node = self
            .tree
            .add_evaluated(to_move, &leaf.actions, &evaluation, temperature);
        match leaf.path.last() {
            Some(&last) => {
                self.tree.link(last, node);
                self.tree.back_up(&leaf.path, node, evaluation.wins(to_move));
                self.simulations += 1;
                self.stop_if_proven();
            }
            None => {
                // The root itself does not count as a simulation.
                self.tree.back_up(&[], node, evaluation.wins(to_move));
                self.prepare_root();
            }
        }
        Ok(())
    }

    /// Runs the search to its end, one batch of leaves at a time.
    ///
    /// # Errors
    /// If the evaluator fails or returns an invalid evaluation.
    pub fn run(&mut self, evaluator: &mut impl Evaluator<G>) -> Result<(), EvaluationError> {
        let mut evaluations = Evaluations::new();
        while step(&mut [&mut *self], evaluator, &mut evaluations)? > 0 {}
        Ok(())
    }

    /// Adds `simulations` to a search that has done its simulations. Has no effect on Gumbel, which plans its
    /// simulations from the start.
    pub fn extend(&mut self, simulations: u32) {
        if self.stop == Some(Stop::Simulations) && matches!(self.params.strategy, Strategy::Puct(_)) {
            self.params.simulations = self.params.simulations.saturating_add(simulations);
            self.stop = None;
        }
    }

    /// Makes the position after `action` the root of the next search, and keeps its subtree.
    ///
    /// Waiting leaves are dropped. If the action is not legal at the root, or the position after it has not been
    /// visited, the next search begins with an empty tree.
    pub fn advance(&mut self, action: G::Action) {
        self.drop_pending();
        self.stop = Some(Stop::GameOver);
        let index = self.root_actions.iter().position(|&legal| legal == action);
        self.advanced = index.is_some();
        let child = index.filter(|_| !self.tree.is_empty()).and_then(|index| {
            let edges = self.tree.node(NodeId::ROOT).edges();
            self.tree.child(edges.start + index)
        });
        // A finished game is a node without edges, which cannot be a root.
        match child.filter(|&child| !self.tree.node(child).edges().is_empty()) {
            Some(child) => {
                self.tree.copy_subtree(child, &mut self.spare);
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
            None => self.tree.clear(),
        }
        if self.advanced {
            let root = self.root_game.as_mut().expect(STARTED);
            root.apply(action);
            root.legal_actions(&mut self.root_actions);
        }
        self.root.forget(self.root_actions.len());
    }

    /// Makes the current root the root of the next search too, and keeps the whole tree.
    ///
    /// Waiting leaves are dropped. The next [`Search::start`] must be for the same position; its simulations are added
    /// to those done so far. With PUCT, one leaf at a time and without noise, searches of n and then m simulations have
    /// the same result as one of n + m.
    pub fn stay(&mut self) {
        self.drop_pending();
        self.stop = Some(Stop::GameOver);
        self.advanced = true;
    }

    /// The reason for the end of the search; `None` while it runs.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Simulations done since the start.
    pub fn simulations(&self) -> u32 {
        self.simulations
    }

    /// Bytes of the nodes and edges in the tree.
    pub fn memory(&self) -> usize {
        self.tree.bytes()
    }

    /// The root of the tree, for inspection; `None` before the root is evaluated.
    pub fn root(&self) -> Option<NodeView<'_, G>> {
        (!self.tree.is_empty()).then(|| NodeView::new(&self.tree, NodeId::ROOT))
    }

    /// The current result for the root.
    pub fn result(&self) -> SearchResult<'_, G> {
        SearchResult::new(self)
    }

    /// Applies the search's noise to an evaluated root.
    fn prepare_root(&mut self) {
        let node = self.tree.node(NodeId::ROOT);
        self.root.prepare(&self.params, self.tree.edges(node));
        self.stop_if_proven();
    }

    fn stop_if_proven(&mut self) {
        if self.stop.is_none() && self.tree.node(NodeId::ROOT).proven.is_some() {
            self.stop = Some(Stop::Proven);
        }
    }

    /// Drops the waiting leaves, as if they had not been selected.
    fn drop_pending(&mut self) {
        let reserved = self.params.strategy.most_leaves() > 1;
        while let Some(leaf) = self.pending.pop() {
            if reserved {
                self.tree.release(&leaf.path);
            }
        }
    }

    /// Takes one step: to another leaf that needs an evaluation, through a whole simulation that needs none, or to the
    /// end. Returns true if there may be more to select before the waiting leaves are evaluated.
    fn simulate(&mut self) -> bool {
        if self.tree.is_empty() {
            self.await_root();
            return false;
        }
        let waiting = self.pending.len();
        if self.simulations as usize + waiting == self.params.simulations as usize {
            return self.stop_unless_waiting(Stop::Simulations);
        }
        self.path.clear();
        let mut node = NodeId::ROOT;
        let last = loop {
            let edge = self.select_edge(node);
            let step = Step { node, edge };
            self.path.push(step);
            match self.tree.child(edge) {
                None => break step,
                Some(child) if self.tree.node(child).is_settled() => {
                    self.visit_settled(node, child);
                    return true;
                }
                Some(child) => node = child,
            }
        };
        if self.tree.is_awaited(last.edge) {
            // Selection has returned to a leaf that is already waiting.
            return false;
        }
        let awaited_edges = self.pending.actions();
        let root = self.root_game.as_ref().expect(STARTED);
        let leaf = self.pending.next(root);
        leaf.game.clone_from(root);
        for step in &self.path {
            leaf.game.apply(self.tree.action(step.edge));
        }
        let outcome = leaf.game.outcome();
        match outcome {
            Some(_) => leaf.actions.clear(),
            None => leaf.game.legal_actions(&mut leaf.actions),
        }
        let edges = awaited_edges + leaf.actions.len();
        if !self.tree.has_room(waiting + 1, edges, self.memory_limit) {
            return self.stop_unless_waiting(Stop::MemoryFull);
        }
        if let Some(outcome) = outcome {
            let leaf = self.tree.add_terminal(outcome);
            self.tree.link(last, leaf);
            self.visit_settled(node, leaf);
        } else {
            leaf.path.clone_from(&self.path);
            self.pending.push();
            self.reserve(node);
        }
        true
    }

    /// Makes the root wait for its evaluation. No leaf is waiting yet: all others are selected below an evaluated root.
    fn await_root(&mut self) {
        let root = self.root_game.as_ref().expect(STARTED);
        let leaf = self.pending.next(root);
        leaf.game.clone_from(root);
        leaf.actions.clone_from(&self.root_actions);
        leaf.path.clear();
        self.pending.push();
    }

    /// Ends the search, unless leaves are waiting that must come first. Returns false: there is nothing more to select.
    fn stop_unless_waiting(&mut self, stop: Stop) -> bool {
        if self.pending.is_empty() {
            self.stop = Some(stop);
        }
        false
    }

    /// Makes the path to a leaf below `parent`, which begins to wait, less attractive.
    fn reserve(&mut self, parent: NodeId) {
        if let Strategy::Puct(params) = &self.params.strategy
            && params.leaves > 1
        {
            let reduction = match parent {
                NodeId::ROOT => puct::root_reduction(params),
                _ => params.fpu_reduction,
            };
            let first_play = puct::first_play_urgency(reduction, self.tree.node(parent));
            self.tree.reserve(&self.path, first_play);
        }
    }

    /// Counts a simulation that ended in a proven node, or at the end of the game.
    fn visit_settled(&mut self, parent: NodeId, settled: NodeId) {
        let wins = self.tree.settled_value(parent, settled);
        self.tree.back_up(&self.path, settled, wins);
        self.simulations += 1;
        self.stop_if_proven();
    }

    /// The edge to follow from a node.
    fn select_edge(&mut self, id: NodeId) -> usize {
        let node = self.tree.node(id);
        let edges = self.tree.edges(node);
        let index = if id == NodeId::ROOT {
            self.root.select(&self.params, self.simulations, node, edges)
        } else {
            match &self.params.strategy {
                Strategy::Puct(params) => {
                    let first_play = puct::first_play_urgency(params.fpu_reduction, node);
                    puct::select(params.c_puct, node.visits_begun(), first_play, edges.priors, edges)
                }
                Strategy::Gumbel(params) => gumbel::select_interior(params, node.evaluation, edges, &mut self.scores),
            }
        };
        node.edges().start + index
    }
}
