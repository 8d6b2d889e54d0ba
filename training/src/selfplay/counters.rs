//! Counters of self-play.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::phase::ThreadPhase;

/// Work done by self-play so far; shared by its threads.
#[derive(Debug, Default)]
pub struct Counters {
    /// Finished games.
    pub games: AtomicU64,
    /// Plies, without the plies of random openings.
    pub plies: AtomicU64,
    /// Evaluated leaves.
    pub evaluations: AtomicU64,
    /// Batches that groups requested.
    pub batches: AtomicU64,
    /// Batches of a network shared by threads, each merged from those of several groups; 0 if each thread has its own
    /// network.
    pub shared_batches: AtomicU64,
    /// Simulations of searches.
    pub simulations: AtomicU64,
    /// Time by [`ThreadPhase`], summed over all threads.
    pub(super) phases: [AtomicU64; ThreadPhase::ALL.len()],
    /// Time in which threads had groups to play, summed over all threads.
    pub(super) busy: AtomicU64,
}

impl Counters {
    /// Wall-clock time spent in a phase, summed over all threads.
    pub fn time(&self, phase: ThreadPhase) -> Duration {
        Duration::from_nanos(self.phases[phase as usize].load(Ordering::Relaxed))
    }

    /// Time in which threads had groups to play, summed over all threads: the phases, and the short gaps between them.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy.load(Ordering::Relaxed))
    }

    /// Mean number of positions in a batch of the network.
    pub fn mean_batch(&self) -> f64 {
        let [evaluations, own, shared] =
            [&self.evaluations, &self.batches, &self.shared_batches].map(|counter| counter.load(Ordering::Relaxed));
        evaluations as f64 / (if shared == 0 { own } else { shared }).max(1) as f64
    }

    /// Counts a batch of a network shared by threads.
    pub fn add_shared_batch(&self) {
        Self::add(&self.shared_batches, 1);
    }

    /// Counts a finished game of some plies, each of one search, whose nodes count as evaluations.
    pub fn add_game(&self, plies: u64, nodes: u64) {
        Self::add(&self.games, 1);
        Self::add(&self.plies, plies);
        Self::add(&self.evaluations, nodes);
    }

    pub(super) fn add(counter: &AtomicU64, number: u64) {
        counter.fetch_add(number, Ordering::Relaxed);
    }

    pub(super) fn add_time(counter: &AtomicU64, time: Duration) {
        Self::add(counter, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
}

/// Attributes the time since its start to phases.
///
/// Reading the clock takes about 30 ns: three times per batch and twice per ply are negligible next to milliseconds of
/// evaluation.
#[derive(Debug)]
pub(super) struct Stopwatch<'a> {
    counters: &'a Counters,
    last: Instant,
}

impl<'a> Stopwatch<'a> {
    pub(super) fn start(counters: &'a Counters) -> Self {
        Self {
            counters,
            last: Instant::now(),
        }
    }

    /// Attributes the time since the last lap to `phase`.
    pub(super) fn lap(&mut self, phase: ThreadPhase) {
        let now = Instant::now();
        Counters::add_time(&self.counters.phases[phase as usize], now - self.last);
        self.last = now;
    }
}
