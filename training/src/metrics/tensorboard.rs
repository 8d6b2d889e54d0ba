//! Event files for TensorBoard.
//!
//! tensorboard-rs writes from a background thread that panics when it cannot write; the next call then panics in the
//! caller, and dropping the writer panics once more, which would end the process. So every call is caught, a writer that
//! has failed is forgotten instead of dropped, and its panics are kept for the message instead of printed. Besides, it names files by the second: two writers in one
//! directory within one second would overwrite each other.

use std::mem::ManuallyDrop;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_rs::summary::scalar;
use tensorboard_rs::summary_writer::FileWriter;

use super::{MetricSink, MetricsError, Part, Record, ResumeSteps};
use crate::files::FileError;
use crate::run_dir::unix_seconds;

/// One folder of event files for each [`Part`].
#[derive(Debug)]
pub struct TensorBoard {
    writers: Vec<(Part, Writer)>,
}

impl TensorBoard {
    /// Starts an event file for each part below `directory`. Where records of an earlier part of the run lie behind the
    /// step it is resumed from, TensorBoard is told to drop them.
    ///
    /// # Errors
    /// If a folder or file cannot be made.
    pub fn open(directory: &Path, resume: &ResumeSteps) -> Result<Self, MetricsError> {
        let mut writers = Vec::new();
        for &(part, step) in resume {
            let mut writer = Writer::open(&directory.join(part.name()))?;
            if step > 0 {
                let mut log = SessionLog::new();
                log.set_status(SessionLog_SessionStatus::START);
                let mut event = Event::new();
                event.set_session_log(log);
                writer.call(|writer| writer.add_event(&event, step as usize))?;
            }
            writers.push((part, writer));
        }
        Ok(Self { writers })
    }
}

impl MetricSink for TensorBoard {
    fn write(&mut self, record: &Record) -> Result<(), MetricsError> {
        let writers = self.writers.iter_mut().filter(|(part, _)| *part == record.part);
        for (_, writer) in writers {
            for (name, value) in record.values.iter().filter(|(_, value)| value.is_finite()) {
                writer.call(|writer| writer.add_summary(scalar(name, *value as f32), record.step as usize))?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), MetricsError> {
        self.writers
            .iter_mut()
            .try_for_each(|(_, writer)| writer.call(FileWriter::flush))
    }
}

/// A [`FileWriter`] that cannot take the process with it.
struct Writer {
    directory: PathBuf,
    /// Never dropped without `catch_unwind`.
    inner: ManuallyDrop<FileWriter>,
    failed: bool,
}

impl Writer {
    fn open(directory: &Path) -> Result<Self, MetricsError> {
        std::fs::create_dir_all(directory).map_err(FileError::of("create", directory))?;
        wait_for_a_free_name(directory)?;
        Self::start(directory)
    }

    fn start(directory: &Path) -> Result<Self, MetricsError> {
        keep_panics();
        let inner = catch_unwind(|| FileWriter::new(directory)).map_err(|_| failure(directory))?;
        Ok(Self {
            directory: directory.into(),
            inner: ManuallyDrop::new(inner),
            failed: false,
        })
    }

    fn call(&mut self, act: impl FnOnce(&mut FileWriter)) -> Result<(), MetricsError> {
        let inner = &mut self.inner;
        catch_unwind(AssertUnwindSafe(|| act(inner))).map_err(|_| {
            self.failed = true;
            failure(&self.directory)
        })
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if self.failed {
            return;
        }
        // The background thread may have failed without anyone noticing yet: a call tells. It panics here, in a call,
        // and not in the drop, where it could not be caught for good.
        let alive = self.call(FileWriter::flush).is_ok();
        if alive {
            let inner = &mut self.inner;
            // SAFETY: `inner` is not used after this, the value is going away.
            let _ = catch_unwind(AssertUnwindSafe(|| unsafe { ManuallyDrop::drop(inner) }));
        }
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Writer({})", self.directory.display())
    }
}

/// What tensorboard-rs said when it panicked. Of its two panics the one in the background has the reason.
static REASON: Mutex<Option<String>> = Mutex::new(None);

/// Takes the panics of tensorboard-rs from the hook that prints them.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !info
                .location()
                .is_some_and(|place| place.file().contains("tensorboard-rs"))
            {
                return print(info);
            }
            let text = info.payload().downcast_ref::<String>().cloned().unwrap_or_default();
            if !text.contains("SendError") {
                *REASON.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
            }
        }));
    });
}

/// The reason why a writer has panicked.
fn failure(directory: &Path) -> MetricsError {
    let text = REASON.lock().unwrap_or_else(PoisonError::into_inner).take();
    let text = text.unwrap_or_default();
    // Of an error that was unwrapped: `: Os { code: 28, kind: StorageFull, message: "No space left on device" }`.
    let message = text
        .split_once("message: \"")
        .and_then(|(_, rest)| rest.split_once('"'));
    let reason = message.map_or_else(|| text.trim_start_matches([':', ' ']), |(message, _)| message);
    MetricsError::TensorBoard {
        directory: directory.display().to_string(),
        reason: if reason.is_empty() {
            "unknown".into()
        } else {
            reason.into()
        },
    }
}

/// Event files are named by the second: waits while the name of this second is taken.
fn wait_for_a_free_name(directory: &Path) -> Result<(), MetricsError> {
    let taken = || -> std::io::Result<bool> {
        let prefix = format!("events.out.tfevents.{:010}.", unix_seconds() as u64);
        for entry in std::fs::read_dir(directory)? {
            if entry?.file_name().to_string_lossy().starts_with(&prefix) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    while taken().map_err(FileError::of("read", directory))? {
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use protobuf::Message;
    use tensorboard_rs::masked_crc32c::masked_crc32c;

    use super::*;

    const START: ResumeSteps = [(Part::Selfplay, 0), (Part::Learner, 0), (Part::Evaluation, 0)];

    fn record(step: u64) -> Record {
        let values = vec![("loss/total".into(), 0.5), ("loss/policy".into(), f64::NAN)];
        Record {
            part: Part::Learner,
            generation: 0,
            step,
            time: 0.0,
            values,
        }
    }

    /// All events of a folder in the order of the files' names: length, its checksum, content, its checksum.
    fn events(directory: &Path) -> Vec<Event> {
        let mut paths: Vec<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        let mut events = Vec::new();
        for path in paths {
            let bytes = std::fs::read(path).unwrap();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
                let checksum = |bytes: &[u8]| (masked_crc32c(bytes) as u32).to_le_bytes();
                assert_eq!(rest[8..12], checksum(&rest[..8]));
                let content = &rest[12..12 + length];
                assert_eq!(rest[12 + length..16 + length], checksum(content));
                events.push(Event::parse_from_bytes(content).unwrap());
                rest = &rest[16 + length..];
            }
        }
        events
    }

    #[test]
    fn scalars_and_the_start_of_a_resumed_session_can_be_read_back() {
        let directory = tempfile::tempdir().unwrap();
        let mut sink = TensorBoard::open(directory.path(), &START).unwrap();
        for step in 0..3 {
            sink.write(&record(step)).unwrap();
        }
        drop(sink);
        let resume = [(Part::Selfplay, 0), (Part::Learner, 2), (Part::Evaluation, 0)];
        let mut sink = TensorBoard::open(directory.path(), &resume).unwrap();
        sink.write(&record(2)).unwrap();
        drop(sink);

        let mut found = Vec::new();
        for event in events(&directory.path().join("learner")) {
            for value in event.get_summary().get_value() {
                assert_eq!((value.get_tag(), value.get_simple_value()), ("loss/total", 0.5));
                found.push(("scalar", event.get_step()));
            }
            if event.has_session_log() {
                assert_eq!(event.get_session_log().get_status(), SessionLog_SessionStatus::START);
                found.push(("start", event.get_step()));
            }
        }
        assert_eq!(
            found,
            [("scalar", 0), ("scalar", 1), ("scalar", 2), ("start", 2), ("scalar", 2)]
        );
        assert!(
            events(&directory.path().join("selfplay"))
                .iter()
                .all(|event| !event.has_session_log())
        );
    }

    /// A writer of which every write fails with "no space left": its file is a link to `/dev/full`.
    fn on_a_full_disk(directory: &Path) -> Writer {
        let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap();
        let now = unix_seconds() as u64;
        for second in now..now + 600 {
            let name = format!(
                "events.out.tfevents.{second:010}.{}.{}.0",
                host.trim(),
                std::process::id()
            );
            std::os::unix::fs::symlink("/dev/full", directory.join(name)).unwrap();
        }
        Writer::start(directory).unwrap()
    }

    #[test]
    fn a_full_disk_is_an_error_and_not_the_end() {
        if !Path::new("/dev/full").exists() {
            return;
        }
        let directory = tempfile::tempdir().unwrap();
        let mut writer = on_a_full_disk(directory.path());
        let deadline = std::time::Instant::now() + Duration::from_secs(600);
        let error = loop {
            match writer.call(|writer| writer.add_summary(scalar("loss/total", 0.5), 1)) {
                Err(error) => break error.to_string(),
                Ok(()) => assert!(std::time::Instant::now() < deadline, "the failure was never noticed"),
            }
        };
        assert!(
            error.ends_with(" cannot be written: No space left on device"),
            "{error}"
        );
        drop(writer);

        let unnoticed = tempfile::tempdir().unwrap();
        drop(on_a_full_disk(unnoticed.path()));
    }
}
