//! What self-play counts while it runs.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::phase::Phase;

/// What self-play has done so far; shared by its threads.
#[derive(Debug, Default)]
pub struct Counters {
    /// Finished games.
    pub games: AtomicU64,
    /// Plies, those of random openings not counted.
    pub plies: AtomicU64,
    /// Evaluated leaves.
    pub evaluations: AtomicU64,
    /// Batches that groups asked for.
    pub batches: AtomicU64,
    /// Batches of a network that threads share, each made of those of several groups; 0 if each has its own.
    pub shared_batches: AtomicU64,
    /// Simulations of searches.
    pub simulations: AtomicU64,
    /// Time by [`Phase`], all threads together.
    pub(super) phases: [AtomicU64; Phase::ALL.len()],
    /// Time that threads had groups to play, all together.
    pub(super) busy: AtomicU64,
}

impl Counters {
    /// Time that all threads together spent on a phase, in wall-clock time.
    pub fn time(&self, phase: Phase) -> Duration {
        Duration::from_nanos(self.phases[phase as usize].load(Ordering::Relaxed))
    }

    /// Time that all threads together had groups to play: the phases, and what little lies between them.
    pub fn busy(&self) -> Duration {
        Duration::from_nanos(self.busy.load(Ordering::Relaxed))
    }

    /// Positions in a batch as the network sees it, on average.
    pub fn mean_batch(&self) -> f64 {
        let [evaluations, own, shared] =
            [&self.evaluations, &self.batches, &self.shared_batches].map(|counter| counter.load(Ordering::Relaxed));
        evaluations as f64 / (if shared == 0 { own } else { shared }).max(1) as f64
    }

    /// Counts a batch of a network that threads share.
    pub fn add_shared_batch(&self) {
        Self::add(&self.shared_batches, 1);
    }

    pub(super) fn add(counter: &AtomicU64, number: u64) {
        counter.fetch_add(number, Ordering::Relaxed);
    }

    pub(super) fn add_time(counter: &AtomicU64, time: Duration) {
        Self::add(counter, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
}

/// Gives all time since it was started to phases.
///
/// A look at the clock takes some 30 ns: three of them a batch and two a ply are not seen beside milliseconds of
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

    /// The time since the last lap belongs to `phase`.
    pub(super) fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        Counters::add_time(&self.counters.phases[phase as usize], now - self.last);
        self.last = now;
    }
}
