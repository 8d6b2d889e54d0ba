//! Event files for TensorBoard.
//!
//! The records are tensorboard-rs's [`RecordWriter`] over a file of ours. Its own `FileWriter` writes from a thread
//! that panics when the disk is full; a constructor that meets such a thread panics twice, which ends the process.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use protobuf::Message;
use tensorboard_proto::event::{Event, SessionLog, SessionLog_SessionStatus};
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::scalar;

use super::{MetricRecord, MetricSink, MetricsError, ResumeSteps, RunPart};
use crate::store::files::{self, FileError};
use crate::store::run_dir::unix_seconds;

/// One folder of event files for each [`RunPart`].
pub struct TensorBoard {
    writers: Vec<(RunPart, Writer)>,
}

impl TensorBoard {
    /// Starts an event file for each part below `directory`. If records of an earlier part of the run lie behind the
    /// step that it is resumed from, the file makes TensorBoard drop them.
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
                writer.add(event, step)?;
                writer.flush()?;
            }
            writers.push((part, writer));
        }
        Ok(Self { writers })
    }
}

impl MetricSink for TensorBoard {
    fn write(&mut self, record: &MetricRecord) -> Result<(), MetricsError> {
        let writers = self.writers.iter_mut().filter(|(part, _)| *part == record.part);
        for (_, writer) in writers {
            for (name, value) in record.values.iter().filter(|(_, value)| value.is_finite()) {
                let mut event = Event::new();
                event.set_summary(scalar(name, *value as f32));
                writer.add(event, record.step)?;
            }
            writer.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), MetricsError> {
        self.writers.iter_mut().try_for_each(|(_, writer)| writer.flush())
    }
}

/// Beginning of the names of event files.
const PREFIX: &str = "events.out.tfevents.";

/// An event file.
struct Writer {
    path: PathBuf,
    records: RecordWriter<BufWriter<File>>,
}

impl Writer {
    fn open(directory: &Path) -> Result<Self, MetricsError> {
        std::fs::create_dir_all(directory).map_err(FileError::of("create", directory))?;
        let name = format!("{PREFIX}{:010}.chase.{}.0", next_number(directory)?, std::process::id());
        let path = directory.join(name);
        let file = File::create_new(&path).map_err(FileError::of("create", &path))?;
        Self::start(path, file)
    }

    fn start(path: PathBuf, file: File) -> Result<Self, MetricsError> {
        let records = RecordWriter::new(BufWriter::new(file));
        let mut writer = Self { path, records };
        let mut event = Event::new();
        event.set_file_version("brain.Event:2".to_owned());
        writer.add(event, 0)?;
        writer.flush()?;
        Ok(writer)
    }

    fn add(&mut self, mut event: Event, step: u64) -> Result<(), MetricsError> {
        event.set_wall_time(unix_seconds());
        event.set_step(step as i64);
        let written = event.write_to_bytes().map_err(std::io::Error::from);
        let written = written.and_then(|bytes| self.records.write(&bytes));
        Ok(written.map_err(FileError::of("write", &self.path))?)
    }

    fn flush(&mut self) -> Result<(), MetricsError> {
        Ok(self.records.flush().map_err(FileError::of("write", &self.path))?)
    }
}

/// The number in the name of the next event file of a folder. TensorBoard reads files in the order of these numbers, which are
/// seconds since 1970: a clock that was put back must not bring a file before those that are there.
fn next_number(directory: &Path) -> Result<u64, FileError> {
    let newest = files::names(directory)?.iter().filter_map(|name| number(name)).max();
    let after = newest.map_or(0, |newest| newest + 1);
    Ok(after.max(unix_seconds() as u64))
}

/// The number in the name of an event file.
fn number(name: &str) -> Option<u64> {
    name.strip_prefix(PREFIX)?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use protobuf::Message;
    use tensorboard_rs::masked_crc32c::masked_crc32c;

    use super::*;

    const START: ResumeSteps = [(RunPart::Selfplay, 0), (RunPart::Learner, 0), (RunPart::Evaluation, 0)];

    fn record(step: u64) -> MetricRecord {
        let values = vec![("loss/total".into(), 0.5), ("loss/policy".into(), f64::NAN)];
        MetricRecord {
            part: RunPart::Learner,
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
        let resume = [(RunPart::Selfplay, 0), (RunPart::Learner, 2), (RunPart::Evaluation, 0)];
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

    #[test]
    fn files_are_in_their_order_though_the_clock_was_put_back() {
        let directory = tempfile::tempdir().unwrap();
        // Of a clock that was ten years ahead.
        let ahead = unix_seconds() as u64 + 315_360_000;
        let folder = directory.path().join("learner");
        std::fs::create_dir(&folder).unwrap();
        let before = format!("{PREFIX}{ahead}.chase.1.0");
        for name in [before.as_str(), "notes.txt"] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        for _ in 0..2 {
            TensorBoard::open(directory.path(), &START).unwrap();
        }
        let names = files::names(&folder).unwrap();
        let numbers: Vec<_> = names.iter().filter_map(|name| number(name)).collect();
        assert_eq!(numbers, [ahead, ahead + 1, ahead + 2]);
        assert_eq!(names[0], before);
    }

    #[test]
    fn a_full_disk_is_an_error_that_names_the_file() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let file = std::fs::OpenOptions::new().write(true).open(full).unwrap();
        let error = Writer::start(full.to_owned(), file)
            .map(|_| ())
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("cannot write /dev/full: No space left on device"),
            "{error}"
        );
    }
}
