//! `metrics.jsonl`: the source of truth about what a run measured.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::mem;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{MetricRecord, MetricSink, MetricsError, ResumeSteps, resume_step};
use crate::store::files::{self, FileError};

/// Bytes that wait at most while they cannot be written: some fifty thousand lines.
const MOST_WAITING: usize = 16 << 20;

/// Appends one JSON object per line: `part`, `generation`, `step`, `time`, then the figures by name.
///
/// Lines that cannot be written wait, and are appended with the next line that can. So do all lines while the file
/// cannot be opened.
#[derive(Debug)]
pub struct JsonLines {
    path: PathBuf,
    resume: ResumeSteps,
    file: Option<File>,
    waiting: Vec<u8>,
    /// Lines that there was no room for.
    lost: u64,
}

impl JsonLines {
    /// The file of this path, for the continuation of a run: records from the resumed steps on, and a last line that
    /// was cut off, belong to work that is done again and are dropped when the file is opened.
    pub fn new(path: &Path, resume: &ResumeSteps) -> Self {
        Self {
            path: path.into(),
            resume: *resume,
            file: None,
            waiting: Vec::new(),
            lost: 0,
        }
    }

    /// Opens the file, unless it is open. If that fails, every write tries again.
    ///
    /// # Errors
    /// If the file cannot be read or written.
    pub fn open(&mut self) -> Result<(), FileError> {
        self.opened().map(drop)
    }

    fn opened(&mut self) -> Result<&mut File, FileError> {
        let file = match self.file.take() {
            Some(file) => file,
            None => open(&self.path, &self.resume)?,
        };
        Ok(self.file.insert(file))
    }

    /// Writes what waits, as far as it can be.
    fn write_waiting(&mut self) -> Result<(), FileError> {
        let mut waiting = mem::take(&mut self.waiting);
        let done = self.opened().map(|file| append(file, &mut waiting));
        self.waiting = waiting;
        done?.map_err(FileError::of("append to", &self.path))
    }

    fn delayed(&self, source: FileError) -> MetricsError {
        MetricsError::Delayed {
            source,
            waiting: self.waiting.iter().filter(|&&byte| byte == b'\n').count(),
            lost: self.lost,
        }
    }
}

/// Opens the file with the lines that stay valid.
fn open(path: &Path, resume: &ResumeSteps) -> Result<File, FileError> {
    match files::read(path) {
        Ok(content) => {
            let mut kept = Vec::new();
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
        Err(error) if error.is_absent() => {}
        Err(error) => return Err(error),
    }
    files::append(path).map_err(FileError::of("open", path))
}

/// Writes these bytes, and removes those that were written.
fn append(file: &mut File, bytes: &mut Vec<u8>) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(count) => _ = bytes.drain(..count),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
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
    fn write(&mut self, record: &MetricRecord) -> Result<(), MetricsError> {
        let object = serde_json::to_value(record).map_err(|error| FileError::of("write", &self.path)(error.into()))?;
        let mut line = object.to_string();
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
        let written = self.write_waiting().and_then(|()| {
            let synced = self.opened()?.sync_data();
            synced.map_err(FileError::of("synchronise", &self.path))
        });
        written.map_err(|error| self.delayed(error))
    }

    fn goes_on(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs::OpenOptions;

    use super::*;
    use crate::metrics::RunPart;

    const START: ResumeSteps = [(RunPart::Selfplay, 0), (RunPart::Learner, 0), (RunPart::Evaluation, 0)];

    fn record(part: RunPart, step: u64) -> MetricRecord {
        MetricRecord {
            part,
            generation: 1,
            step,
            time: 1.5,
            values: vec![("loss/total".into(), 0.25)],
        }
    }

    /// A new file with as many steps of the learner.
    fn begun(path: &Path, steps: u64) -> JsonLines {
        let mut sink = JsonLines::new(path, &START);
        for step in 0..steps {
            sink.write(&record(RunPart::Learner, step)).unwrap();
        }
        sink
    }

    #[test]
    fn a_resumed_file_continues_where_the_run_does() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let mut sink = begun(&path, 5);
        sink.write(&record(RunPart::Selfplay, 0)).unwrap();
        sink.opened()
            .unwrap()
            .write_all(b"{\"part\":\"selfplay\",\"st")
            .unwrap();
        drop(sink);
        let resume = [(RunPart::Selfplay, 1), (RunPart::Learner, 3), (RunPart::Evaluation, 0)];
        let mut sink = JsonLines::new(&path, &resume);
        sink.write(&record(RunPart::Learner, 3)).unwrap();
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
        let disk = || Some(OpenOptions::new().write(true).open(full).unwrap());
        let mut sink = JsonLines::new(full, &START);
        sink.file = disk();
        let error = sink.write(&record(RunPart::Learner, 0)).unwrap_err().to_string();
        assert!(error.contains("cannot append to /dev/full: No space left"), "{error}");
        sink.write(&record(RunPart::Learner, 1)).unwrap();
        let error = sink.flush().unwrap_err().to_string();
        assert!(error.ends_with("; 2 lines wait to be written"), "{error}");
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        sink.file = Some(File::create(&path).unwrap());
        sink.write(&record(RunPart::Learner, 2)).unwrap();
        sink.flush().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let steps = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["step"].clone());
        assert_eq!(steps.collect::<Vec<_>>(), [0, 1, 2]);
        // Memory is not for ever.
        sink.file = disk();
        sink.waiting = vec![b' '; MOST_WAITING];
        sink.write(&record(RunPart::Learner, 3)).unwrap();
        let error = sink.flush().unwrap_err().to_string();
        assert!(error.ends_with("; 0 lines wait to be written, 1 is lost"), "{error}");
    }

    #[test]
    fn what_waits_for_a_file_that_cannot_be_opened_is_written_later() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        drop(begun(&path, 2));
        // The step is done again, and the file cannot be rewritten without it.
        let obstacle = files::temporary_name(&path);
        std::fs::create_dir(&obstacle).unwrap();
        let mut sink = JsonLines::new(
            &path,
            &[(RunPart::Selfplay, 0), (RunPart::Learner, 1), (RunPart::Evaluation, 0)],
        );
        assert!(sink.open().is_err());
        let error = sink.write(&record(RunPart::Learner, 1)).unwrap_err().to_string();
        assert!(error.ends_with("; 1 lines wait to be written"), "{error}");
        std::fs::remove_dir(&obstacle).unwrap();
        sink.write(&record(RunPart::Learner, 2)).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let steps = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap()["step"].clone());
        assert_eq!(steps.collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn figures_that_are_no_numbers_are_null() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("metrics.jsonl");
        let mut sink = JsonLines::new(&path, &START);
        let mut bad = record(RunPart::Learner, 0);
        bad.values[0].1 = f64::NAN;
        sink.write(&bad).unwrap();
        let value: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(value["loss/total"].is_null());
    }
}
