//! How long a proof may be sought.

/// Nodes between two questions whether to stop.
const INTERVAL: u64 = 256;

/// How long a proof may be sought: a number of nodes, and a question whether to stop before.
///
/// A node is a position whose legal actions are generated and played, each time that this happens. One budget may serve
/// several questions, one after the other.
pub struct Budget<'a> {
    nodes: u64,
    spent: u64,
    stop: Option<&'a dyn Fn() -> bool>,
    stopped: bool,
}

impl Budget<'static> {
    /// So many nodes.
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
    /// So many nodes, unless `stop` says true before: it is asked every 256 nodes.
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

    /// Whether no node is left, or the search was asked to stop.
    pub const fn is_over(&self) -> bool {
        self.stopped || self.spent >= self.nodes
    }

    /// Takes one node. Returns whether there was one.
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
