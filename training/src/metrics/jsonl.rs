//! `metrics.jsonl`: the source of truth about what a run measured.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use chase_models::manifest::FileFacts;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::{MetricSink, MetricsError, Record, ResumeSteps, resume_step};
use crate::files::{self, FileError, Links};

/// Bytes that wait at most while they cannot be written: some fifty thousand lines.
const MOST_WAITING: usize = 16 << 20;

/// Appends one JSON object per line: `part`, `generation`, `step`, `time`, then the figures by name.
///
/// Lines that cannot be written wait, and are appended with the next line that can.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    file: File,
    /// Hash of everything in the file.
    sum: Sha256,
    size: u64,
    waiting: Vec<u8>,
    /// Lines that there was no room for.
    lost: u64,
}

impl JsonLines {
    /// Opens the file for the continuation of a run: records from the resumed steps on, and a last line that was cut
    /// off, belong to work that is done again and are dropped.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path, resume: &ResumeSteps) -> Result<Self, MetricsError> {
        let mut kept = Vec::new();
        match files::read_at_most(path, files::LARGEST_TABLE, Links::Refused) {
            Ok(content) => {
                for line in content
                    .split(|&byte| byte == b'\n')
                    .filter(|line| is_valid(line, resume))
                {
                    kept.extend_from_slice(line);
                    kept.push(b'\n');
                }
                if kept != content {
                    files::write_whole(path, &kept)?;
                }
            }
            Err(error) if error.source.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Ok(Self {
            path: path.into(),
            file: files::append(path).map_err(FileError::of("open", path))?,
            sum: Sha256::new_with_prefix(&kept),
            size: kept.len() as u64,
            waiting: Vec::new(),
            lost: 0,
        })
    }

    /// Writes what waits, as far as it can be.
    fn write_waiting(&mut self) -> io::Result<()> {
        while !self.waiting.is_empty() {
            match self.file.write(&self.waiting) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => {
                    self.sum.update(&self.waiting[..written]);
                    self.size += written as u64;
                    self.waiting.drain(..written);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn delayed(&self, error: io::Error) -> MetricsError {
        MetricsError::Delayed {
            source: FileError::of("append to", &self.path)(error),
            waiting: self.waiting.iter().filter(|&&byte| byte == b'\n').count(),
            lost: self.lost,
        }
    }
}

fn is_valid(line: &[u8], resume: &ResumeSteps) -> bool {
    let Ok(record) = serde_json::from_slice::<Value>(line) else {
        return false;
    };
    let limit = record["part"].as_str().and_then(|part| resume_step(resume, part));
    matches!((limit, record["step"].as_u64()), (Some(limit), Some(step)) if step < limit)
}

impl MetricSink for JsonLines {
    /// An error is reported when lines begin to wait, not again for each that follows.
    fn write(&mut self, record: &Record) -> Result<(), MetricsError> {
        let mut object = Map::new();
        object.insert("part".into(), record.part.name().into());
        object.insert("generation".into(), record.generation.into());
        object.insert("step".into(), record.step.into());
        object.insert("time".into(), record.time.into());
        for (name, value) in &record.values {
            object.insert(name.clone(), (*value).into());
        }
        let mut line = Value::Object(object).to_string();
        line.push('\n');
        let told = !self.waiting.is_empty();
        if self.waiting.len() + line.len() > MOST_WAITING {
            self.lost += 1;
        } else {
            self.waiting.extend_from_slice(line.as_bytes());
        }
        // One write a line: what a crash can cut off is the last line only.
        match self.write_waiting() {
            Err(error) if !told => Err(self.delayed(error)),
            _ => Ok(()),
        }
    }

    fn flush(&mut self) -> Result<(), MetricsError> {
        let written = self.write_waiting().and_then(|()| self.file.sync_data());
        written.map_err(|error| self.delayed(error))
    }

    fn goes_on(&self) -> bool {
        true
    }

    fn written(&self) -> Option<FileFacts> {
        Some(FileFacts::of_sum(self.size, self.sum.clone()))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs::OpenOptions;

    use super::*;
    use crate::metrics::Part;

    fn record(part: Part, step: u64) -> Record {
        Record {
            part,
            generation: 1,
            step,
            time: 1.5,
            values: vec![("loss/total".into(), 0.25)],
        }
    }

    #[test]
    fn a_resumed_file_continues_where_the_run_does() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let start = [(Part::Selfplay, 0), (Part::Learner, 0), (Part::Evaluation, 0)];
        let mut sink = JsonLines::open(&path, &start).unwrap();
        for step in 0..5 {
            sink.write(&record(Part::Learner, step)).unwrap();
        }
        sink.write(&record(Part::Selfplay, 0)).unwrap();
        sink.file.write_all(b"{\"part\":\"selfplay\",\"st").unwrap();
        drop(sink);
        let resume = [(Part::Selfplay, 1), (Part::Learner, 3), (Part::Evaluation, 0)];
        let mut sink = JsonLines::open(&path, &resume).unwrap();
        sink.write(&record(Part::Learner, 3)).unwrap();
        sink.flush().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let steps: Vec<(String, u64)> = text
            .lines()
            .map(|line| {
                let value: Value = serde_json::from_str(line).unwrap();
                (
                    value["part"].as_str().unwrap().to_owned(),
                    value["step"].as_u64().unwrap(),
                )
            })
            .collect();
        let expected = [
            ("learner", 0),
            ("learner", 1),
            ("learner", 2),
            ("selfplay", 0),
            ("learner", 3),
        ];
        assert_eq!(steps, expected.map(|(part, step)| (part.to_owned(), step)));
    }

    #[test]
    fn what_a_full_disk_does_not_take_is_written_later() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let file = OpenOptions::new().write(true).open(full).unwrap();
        let mut sink = JsonLines {
            path: full.into(),
            file,
            sum: Sha256::new(),
            size: 0,
            waiting: Vec::new(),
            lost: 0,
        };
        let error = sink.write(&record(Part::Learner, 0)).unwrap_err().to_string();
        assert!(error.contains("cannot append to /dev/full: No space left"), "{error}");
        sink.write(&record(Part::Learner, 1)).unwrap();
        let error = sink.flush().unwrap_err().to_string();
        assert!(error.ends_with("; 2 lines wait to be written"), "{error}");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        sink.file = File::create(&path).unwrap();
        sink.write(&record(Part::Learner, 2)).unwrap();
        sink.flush().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let steps = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["step"].clone());
        assert_eq!(steps.collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(sink.written(), Some(FileFacts::of(text.as_bytes())));
        // Memory is not for ever.
        sink.file = OpenOptions::new().write(true).open(full).unwrap();
        sink.waiting = vec![b' '; MOST_WAITING];
        sink.write(&record(Part::Learner, 3)).unwrap();
        let error = sink.flush().unwrap_err().to_string();
        assert!(error.ends_with("; 0 lines wait to be written, 1 is lost"), "{error}");
    }

    #[test]
    fn figures_that_are_no_numbers_are_null() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let mut sink =
            JsonLines::open(&path, &[(Part::Selfplay, 0), (Part::Learner, 0), (Part::Evaluation, 0)]).unwrap();
        let mut bad = record(Part::Learner, 0);
        bad.values[0].1 = f64::NAN;
        sink.write(&bad).unwrap();
        let value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(value["loss/total"].is_null());
    }
}
