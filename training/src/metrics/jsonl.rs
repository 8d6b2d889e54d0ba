//! `metrics.jsonl`: the source of truth about what a run measured.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{MetricSink, MetricsError, Record, ResumeSteps, resume_step};
use crate::files::{self, FileError};

/// Appends one JSON object a line: `part`, `generation`, `step`, `time`, then the figures by name.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    file: File,
}

impl JsonLines {
    /// Opens the file for the continuation of a run: records from the resumed steps on, and a last line that was cut
    /// off, belong to work that is done again and are dropped.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(path: &Path, resume: &ResumeSteps) -> Result<Self, MetricsError> {
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let mut kept = String::with_capacity(text.len());
                for line in text.lines().filter(|line| is_valid(line, resume)) {
                    kept.push_str(line);
                    kept.push('\n');
                }
                if kept != text {
                    files::write_whole(path, kept.as_bytes())?;
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(FileError::of("read", path)(error).into()),
        }
        Ok(Self {
            path: path.into(),
            file: files::append(path).map_err(FileError::of("open", path))?,
        })
    }
}

fn is_valid(line: &str, resume: &ResumeSteps) -> bool {
    let Ok(record) = serde_json::from_str::<Value>(line) else {
        return false;
    };
    let limit = record["part"].as_str().and_then(|part| resume_step(resume, part));
    matches!((limit, record["step"].as_u64()), (Some(limit), Some(step)) if step < limit)
}

impl MetricSink for JsonLines {
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
        // One write a line: what a crash can cut off is the last line only.
        let written = self.file.write_all(line.as_bytes());
        Ok(written.map_err(FileError::of("append to", &self.path))?)
    }

    fn flush(&mut self) -> Result<(), MetricsError> {
        Ok(self
            .file
            .sync_data()
            .map_err(FileError::of("synchronise", &self.path))?)
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
    fn a_full_disk_is_an_error_that_names_the_file() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return;
        }
        let file = OpenOptions::new().write(true).open(full).unwrap();
        let mut sink = JsonLines {
            path: full.into(),
            file,
        };
        let error = sink.write(&record(Part::Learner, 0)).unwrap_err().to_string();
        assert!(error.contains("cannot append to /dev/full: No space left"), "{error}");
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
