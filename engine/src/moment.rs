//! Time in which this process ran: one that is suspended loses nothing of the time that it was given.

use std::ops::Add;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two looks of the thread that looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// A moment in the time in which this process ran. [`Instant`] runs on while it is suspended; time limits do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(Duration);

impl Moment {
    /// This moment. The first call begins a thread, which looks at the clock for as long as the process runs.
    pub fn now() -> Self {
        static CLOCK: LazyLock<Mutex<Clock>> = LazyLock::new(|| {
            // Without the thread only the looks of others count.
            let _ = thread::Builder::new().name("clock".into()).spawn(|| {
                loop {
                    thread::sleep(TICK);
                    Moment::now();
                }
            });
            Mutex::new(Clock::new(Instant::now()))
        });
        Self(
            CLOCK
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .look(Instant::now()),
        )
    }

    /// The time since then in which this process ran.
    pub fn elapsed(self) -> Duration {
        Self::now().0 - self.0
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }
}

#[derive(Debug)]
struct Clock {
    seen: Instant,
    ran: Duration,
}

impl Clock {
    const fn new(now: Instant) -> Self {
        Self {
            seen: now,
            ran: Duration::ZERO,
        }
    }

    /// The time since the beginning. If the clock was not read for two ticks, no thread of this process ran.
    fn look(&mut self, now: Instant) -> Duration {
        self.ran += now.saturating_duration_since(self.seen).min(2 * TICK);
        self.seen = now;
        self.ran
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_in_which_the_process_stood_still_does_not_count() {
        let begin = Instant::now();
        let mut clock = Clock::new(begin);
        let after = |milliseconds| begin + Duration::from_millis(milliseconds);
        let mut ran = |milliseconds| clock.look(after(milliseconds)).as_millis();
        assert_eq!([ran(20), ran(41), ran(3_600_041), ran(3_600_061)], [20, 41, 81, 101]);
        // A look that waited for the lock comes late.
        assert_eq!([ran(3_600_060), ran(3_600_070)], [101, 111]);
    }
}
