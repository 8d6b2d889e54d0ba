//! Budgets of proof searches.

/// Nodes between two calls of the stop function.
// A call per node could cost more than the node. Not measured.
const INTERVAL: u64 = 256;

/// The budget of a proof search: a number of nodes, and optionally a function that stops it earlier.
///
/// A position counts as a node each time that its legal actions are generated and played. One budget may serve several
/// searches in succession.
pub struct Budget<'a> {
    nodes: u64,
    spent: u64,
    stop: Option<&'a dyn Fn() -> bool>,
    stopped: bool,
}

impl Budget<'static> {
    /// A budget of this many nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes,
            spent: 0,
            stop: None,
            stopped: false,
        }
    }
}

impl<'a> Budget<'a> {
    /// A budget of this many nodes, with a function that is called every 256 nodes and stops the search by returning
    /// true.
    pub fn with_stop(nodes: u64, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            stop: Some(stop),
            ..Budget::nodes(nodes)
        }
    }

    /// Nodes spent so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// True if no node is left, or the search was stopped.
    pub const fn is_over(&self) -> bool {
        self.stopped || self.spent >= self.nodes
    }

    /// Spends one node. Returns false if none is left.
    pub(super) fn spend(&mut self) -> bool {
        if self.spent.is_multiple_of(INTERVAL) && self.stop.is_some_and(|stop| stop()) {
            self.stopped = true;
        }
        if self.is_over() {
            return false;
        }
        self.spent += 1;
        true
    }
}

impl std::fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut text = f.debug_struct("Budget");
        text.field("nodes", &self.nodes).field("spent", &self.spent);
        text.field("stopped", &self.stopped).finish_non_exhaustive()
    }
}
