//! Figures of a run, and the places that they are written to.

mod jsonl;
mod record;
mod tensorboard;

use std::fmt;

pub use jsonl::JsonLines;
pub use record::{MetricRecord, RunPart};
pub use tensorboard::TensorBoard;

use crate::store::files::FileError;
use crate::store::run_dir::{RunDir, unix_seconds};

/// The step from which a part continues after a resume: every record from this step on, written before, is void.
pub type ResumeSteps = [(RunPart, u64); 3];

/// Error returned by a sink that cannot write.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum MetricsError {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Lines cannot be written yet.
    #[error("{source}; {waiting} lines wait to be written{}", lost_lines(*.lost))]
    Delayed {
        source: FileError,
        /// Lines that are written as soon as it is possible.
        waiting: usize,
        /// Lines that there was no more room for.
        lost: u64,
    },
}

fn lost_lines(lost: u64) -> String {
    match lost {
        0 => String::new(),
        1 => ", 1 is lost".into(),
        lost => format!(", {lost} are lost"),
    }
}

/// A place that figures go to.
pub trait MetricSink: Send {
    /// Writes a record.
    ///
    /// # Errors
    /// If it cannot be written. The sink is not used again after that, unless it [continues](MetricSink::goes_on).
    fn write(&mut self, record: &MetricRecord) -> Result<(), MetricsError>;

    /// Brings everything written to the file system.
    ///
    /// # Errors
    /// As [`MetricSink::write`].
    fn flush(&mut self) -> Result<(), MetricsError>;

    /// True if it is used again after an error: it then has kept the records that it could not write.
    fn goes_on(&self) -> bool {
        false
    }
}

/// All sinks of a run. A sink that fails is reported, and closed unless it can make up for it; training continues
/// without it.
#[derive(Default)]
pub struct Metrics {
    sinks: Vec<Box<dyn MetricSink>>,
}

impl Metrics {
    /// Opens `metrics.jsonl` and the event files of a run, continuing them from `resume` on, or else from the beginning. Returns
    /// the sinks, and why files could not be opened. Each record tries to open `metrics.jsonl` again; event files are given up.
    pub(crate) fn open(run: &RunDir, resume: Option<ResumeSteps>) -> (Self, Vec<MetricsError>) {
        let resume = &resume.unwrap_or(RunPart::ALL.map(|part| (part, 0)));
        let mut metrics = Self::default();
        let mut failures = Vec::new();
        let mut lines = JsonLines::new(&run.metrics(), resume);
        failures.extend(lines.open().err().map(MetricsError::from));
        metrics.add(Box::new(lines));
        match TensorBoard::open(&run.tensorboard(), resume) {
            Ok(sink) => metrics.add(Box::new(sink)),
            Err(error) => failures.push(error),
        }
        (metrics, failures)
    }

    /// Adds a sink.
    pub fn add(&mut self, sink: Box<dyn MetricSink>) {
        self.sinks.push(sink);
    }

    /// Gives figures of now to every sink. Returns the failures.
    pub fn record(
        &mut self,
        part: RunPart,
        generation: u64,
        step: u64,
        values: impl IntoIterator<Item = (impl Into<String>, f64)>,
    ) -> Vec<MetricsError> {
        let values = values.into_iter().map(|(name, value)| (name.into(), value));
        self.write(&MetricRecord {
            part,
            generation,
            step,
            time: unix_seconds(),
            values: values.collect(),
        })
    }

    /// Gives a record to every sink. Returns the failures.
    pub fn write(&mut self, record: &MetricRecord) -> Vec<MetricsError> {
        self.each(|sink| sink.write(record))
    }

    /// Flushes every sink. Returns the failures.
    pub fn flush(&mut self) -> Vec<MetricsError> {
        self.each(|sink| sink.flush())
    }

    fn each(&mut self, mut act: impl FnMut(&mut dyn MetricSink) -> Result<(), MetricsError>) -> Vec<MetricsError> {
        let mut failures = Vec::new();
        self.sinks.retain_mut(|sink| match act(&mut **sink) {
            Ok(()) => true,
            Err(error) => {
                failures.push(error);
                sink.goes_on()
            }
        });
        failures
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Metrics({} sinks)", self.sinks.len())
    }
}

/// The step before which records stay valid for a part.
fn resume_step(resume: &ResumeSteps, part: &str) -> Option<u64> {
    let found = resume.iter().find(|(candidate, _)| candidate.name() == part);
    found.map(|&(_, step)| step)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full {
        left: usize,
    }

    impl MetricSink for Full {
        fn write(&mut self, _: &MetricRecord) -> Result<(), MetricsError> {
            self.left = self
                .left
                .checked_sub(1)
                .ok_or_else(|| FileError::of("write", std::path::Path::new("tb"))(std::io::Error::other("full")))?;
            Ok(())
        }

        fn flush(&mut self) -> Result<(), MetricsError> {
            Ok(())
        }
    }

    #[test]
    fn a_sink_that_fails_is_reported_once_and_the_others_go_on() {
        let mut metrics = Metrics::default();
        metrics.add(Box::new(Full { left: 1 }));
        metrics.add(Box::new(Full { left: 9 }));
        let record = MetricRecord {
            part: RunPart::Learner,
            generation: 1,
            step: 1,
            time: 0.0,
            values: Vec::new(),
        };
        let failures: Vec<usize> = (0..4).map(|_| metrics.write(&record).len()).collect();
        assert_eq!(failures, [0, 1, 0, 0]);
        assert_eq!(metrics.sinks.len(), 1);
    }
}
