//! Work that is measured in turns, so that a slow moment of the machine affects all of it.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use anyhow::ensure;
use chase_models::device::Device;
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;

use super::console::Console;

/// The clock that seconds are measured with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// CPU time of the whole process: rates are per core, and other programs on the machine hardly affect them.
    Cpu,
    /// Wall-clock time, for work on a GPU.
    Wall,
}

impl Clock {
    pub const fn of(device: Device) -> Self {
        match device {
            Device::Cpu => Self::Cpu,
            _ => Self::Wall,
        }
    }

    /// Seconds since an arbitrary moment.
    pub fn now(self) -> f64 {
        let time = clock_gettime(match self {
            Self::Cpu => ClockId::ProcessCPUTime,
            Self::Wall => ClockId::Monotonic,
        });
        time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
    }
}

/// Shortest repetition of work that is too fast to measure once.
const SLICE: Duration = Duration::from_millis(20);

/// The least number of rounds.
const ROUNDS: usize = 3;

/// Work to measure; returns the amount done, and fails if its result is wrong.
pub type Work<'a> = Box<dyn FnMut() -> anyhow::Result<f64> + 'a>;

/// Work long enough to measure: repeated for a moment.
pub fn repeated<'a>(mut work: impl FnMut() -> anyhow::Result<f64> + 'a) -> Work<'a> {
    Box::new(move || {
        let begin = Instant::now();
        let mut done = 0.0;
        loop {
            done += work()?;
            if begin.elapsed() >= SLICE {
                return Ok(done);
            }
        }
    })
}

/// Runs all contestants in turns, round after round: once to warm up, then at least three times and until each has had
/// about the seconds of a figure. Returns the rates of each contestant by round.
pub fn in_turn(console: &Console, clock: Clock, mut contestants: Vec<Work<'_>>) -> anyhow::Result<Vec<Vec<f64>>> {
    for work in &mut contestants {
        work()?;
    }
    let mut rates = vec![Vec::new(); contestants.len()];
    let start = clock.now();
    let until = console.seconds * contestants.len() as f64;
    // Of the least number of measurements, and of the time, the later one ends it.
    let least = ROUNDS * contestants.len();
    let mut measured = 0;
    while rates[0].len() < ROUNDS || clock.now() - start < until {
        for (work, rates) in contestants.iter_mut().zip(&mut rates) {
            let begin = clock.now();
            let (mut done, mut seconds) = (0.0, 0.0);
            // The clock of a process moves in steps.
            while seconds <= 0.0 {
                done += work()?;
                seconds = clock.now() - begin;
            }
            rates.push(done / seconds);
            measured += 1;
            let share = (clock.now() - start) / until;
            console.progress(share.min(measured as f64 / least as f64));
        }
    }
    Ok(rates)
}

/// The rates of a single contestant.
pub fn alone<'a>(console: &Console, mut work: impl FnMut() -> anyhow::Result<u64> + 'a) -> anyhow::Result<Vec<f64>> {
    let work: Work<'a> = Box::new(move || Ok(work()? as f64));
    Ok(in_turn(console, Clock::Cpu, vec![work])?.remove(0))
}

/// Checks that work has the result that it had the first time.
pub fn repeats<T: Clone + PartialEq + Debug>(what: &str, first: &mut Option<T>, now: T) -> anyhow::Result<()> {
    let first = first.get_or_insert_with(|| now.clone());
    ensure!(now == *first, "{what}: {now:?}, but {first:?} before");
    Ok(())
}
