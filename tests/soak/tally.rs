//! What was done, and what was found.

use std::fmt;

/// Counts of a soak.
#[derive(Default)]
pub(crate) struct Tally {
    /// Processes that were ended by a signal.
    pub(crate) kills: u64,
    /// Processes that ended because a file could not grow.
    pub(crate) full: u64,
    /// Files that were changed, cut off or removed.
    pub(crate) flips: u64,
    /// Requests and beginnings of requests to a server.
    pub(crate) requests: u64,
    /// Engines that do what none should.
    pub(crate) engines: u64,
    /// Lines of nonsense to what reads lines.
    pub(crate) inputs: u64,
    /// Results compared with those of work that nobody has interrupted.
    pub(crate) compared: u64,
    /// What went wrong, with the round in which it did.
    pub(crate) failures: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "{} kills, {} full disks, {} flips, {} requests, {} engines, {} inputs; {} results compared: ",
            self.kills, self.full, self.flips, self.requests, self.engines, self.inputs, self.compared
        )?;
        match self.failures.len() {
            0 => write!(out, "nothing lost"),
            count => write!(out, "{count} FAILURES"),
        }
    }
}
