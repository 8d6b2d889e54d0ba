//! Time that an engine is given.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use chase_engine::Moment;

/// Longest wait between two looks at the clock.
const SLICE: Duration = Duration::from_millis(50);

/// Time that an engine is given to answer, in which this program runs: where that is suspended, the engine often is too. What it
/// has sent until then is read before it is blamed.
#[derive(Debug)]
pub(super) struct Allowance {
    all: Duration,
    left: Duration,
}

impl Allowance {
    pub(super) const fn new(all: Duration) -> Self {
        Self { all, left: all }
    }

    /// Gives it more time.
    pub(super) fn add(&mut self, more: Duration) {
        self.all += more;
        self.left += more;
    }

    /// The whole time.
    pub(super) const fn all(&self) -> Duration {
        self.all
    }

    /// The next line that was received, or, when the time is over, [`RecvTimeoutError::Timeout`]. Also ends an engine that
    /// never stops sending.
    pub(super) fn receive<T>(&mut self, lines: &Receiver<T>) -> Result<T, RecvTimeoutError> {
        while !self.left.is_zero() {
            let (slice, begin) = (SLICE.min(self.left), Moment::now());
            let received = lines.recv_timeout(slice);
            self.left = self.left.saturating_sub(begin.elapsed());
            if !matches!(received, Err(RecvTimeoutError::Timeout)) {
                return received;
            }
        }
        Err(RecvTimeoutError::Timeout)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Instant;

    use super::*;

    #[test]
    fn what_has_come_is_read_and_then_the_time_is_over() {
        let (send, lines) = channel();
        send.send(7).expect("it is open");
        let (begin, time) = (Instant::now(), Duration::from_millis(120));
        let mut allowance = Allowance::new(time);
        assert_eq!(allowance.receive(&lines), Ok(7));
        assert_eq!(allowance.receive(&lines), Err(RecvTimeoutError::Timeout));
        // On a busy machine both take their part of it.
        assert!(begin.elapsed() >= time, "{:?}", begin.elapsed());
        // Nothing more is taken, however much comes.
        send.send(8).expect("it is open");
        assert_eq!(allowance.receive(&lines), Err(RecvTimeoutError::Timeout));
        drop(send);
        let mut allowance = Allowance::new(Duration::from_secs(600));
        assert_eq!(allowance.receive(&lines), Ok(8));
        assert_eq!(allowance.receive(&lines), Err(RecvTimeoutError::Disconnected));
    }
}
