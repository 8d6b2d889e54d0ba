//! Reading a run directory, as far as a report needs it.
//!
//! A file that a run has not written (yet) is absent here and no error; one that it has written and that cannot be read
//! is an error that names the file and the line. Unknown figures are ignored, so that a report outlives additions.
//!
//! | file | data that a report takes from it |
//! |---|---|
//! | `meta.json` | provenance; the file that makes a directory a run |
//! | `config.toml` | family, network, search, game counts, and other directories that are learned from |
//! | `state.json` | generations, games, rows, and the time they took |
//! | `metrics.jsonl` | figures by part, step and generation |
//! | `openings/gen-NNNNNN-{selfplay,measurement}.json` | results, lengths and lines |
//!
//! Figures by name: `loss/{total,policy,value}` and `policy/target_entropy` by step of the part `learner`;
//! `selfplay/{games_per_s,positions_per_s,nodes_per_s}` and `inference/evals_per_s` by generation of the part
//! `selfplay`; and of the part `evaluation`, by generation, those of [`crate::NetworkReport::values`], and
//! `eval/{validation_loss,quantised_loss}` of alpha-beta.

use std::path::Path;

use anyhow::{Context as _, anyhow};
use chase_training::metrics::{MetricRecord, RunPart};
use chase_training::openings::OpeningStatistics;
use chase_training::store::files;
use chase_training::store::run_dir::{CONFIG_FILE, META_FILE, METRICS_FILE, Meta, OPENINGS, STATE_FILE};
use chase_training::store::run_state::RunState;
use serde::de::DeserializeOwned;

/// Content of a run directory.
#[derive(Clone, Debug)]
pub struct Run {
    /// Name of the directory.
    pub name: String,
    /// The provenance of the run.
    pub meta: Meta,
    /// The resolved configuration.
    pub config: toml::Table,
    /// The state of the run.
    pub state: Option<RunState>,
    /// Measurements, in the order of writing.
    pub records: Vec<MetricRecord>,
    /// Opening statistics by generation, those of self-play and of measurement games mixed.
    pub openings: Vec<OpeningStatistics>,
}

impl Run {
    /// Reads a run directory.
    ///
    /// # Errors
    /// If the directory is not a run, or a file in it cannot be read or is damaged.
    pub fn read(directory: &Path) -> anyhow::Result<Self> {
        let meta = directory.join(META_FILE);
        let not_a_run = || format!("{} is not a run: there is no {META_FILE} in it", directory.display());
        let text = text(&meta)?.with_context(not_a_run)?;
        let config = directory.join(CONFIG_FILE);
        let config = match self::text(&config)? {
            Some(text) => text.parse().map_err(|error: toml::de::Error| {
                let before = error.span().map(|span| &text.as_bytes()[..span.start.min(text.len())]);
                let line = before.map(|before| 1 + before.iter().filter(|&&byte| byte == b'\n').count());
                damaged(&config, line, error.message())
            })?,
            None => toml::Table::new(),
        };
        let state = directory.join(STATE_FILE);
        // Before what it says something about.
        let state: Option<RunState> = self::text(&state)?.map(|text| json(&state, &text)).transpose()?;
        let metrics = directory.join(METRICS_FILE);
        let metrics_text = text_at_most(&metrics, files::LARGEST_TABLE)?;
        let openings = directory.join(OPENINGS);
        let name = directory.canonicalize().ok();
        let name = name.as_deref().unwrap_or(directory).file_name();
        Ok(Self {
            name: name.unwrap_or(directory.as_os_str()).to_string_lossy().into_owned(),
            meta: json(&meta, &text)?,
            config,
            state,
            records: metrics_text.map_or(Ok(Vec::new()), |text| records(&metrics, &text))?,
            openings: self::openings(&openings)?,
        })
    }

    /// A value of the configuration by its path, such as `network.blocks`.
    pub fn setting(&self, path: &str) -> Option<&toml::Value> {
        let mut keys = path.split('.');
        let first = self.config.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.get(key))
    }

    /// A whole number of the configuration.
    pub fn number(&self, path: &str) -> Option<u64> {
        self.setting(path)?.as_integer()?.try_into().ok()
    }

    /// Records of a part, in the order of their steps.
    pub fn part(&self, part: RunPart) -> Vec<&MetricRecord> {
        let mut records: Vec<&MetricRecord> = self.records.iter().filter(|record| record.part == part).collect();
        records.sort_by_key(|record| record.step);
        records
    }

    /// Opening statistics for a purpose, by rising generation.
    pub fn openings_of(&self, purpose: &str) -> Vec<&OpeningStatistics> {
        let mut found: Vec<&OpeningStatistics> = self
            .openings
            .iter()
            .filter(|openings| openings.purpose == purpose)
            .collect();
        found.sort_by_key(|openings| openings.generation);
        found
    }
}

/// The error of a file that cannot be understood, at a line if that is known.
fn damaged(path: &Path, line: Option<usize>, reason: &str) -> anyhow::Error {
    let line = line.map_or(String::new(), |line| format!(", line {line},"));
    anyhow!("{}{line} is damaged: {reason}", path.display())
}

/// The content of a document; `None` if there is none.
fn text(path: &Path) -> anyhow::Result<Option<String>> {
    text_at_most(path, files::LARGEST_DOCUMENT)
}

/// The content of a file; `None` if there is none.
fn text_at_most(path: &Path, most: u64) -> anyhow::Result<Option<String>> {
    match files::read_at_most(path, most) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            damaged(path, Some(line), "expected text in UTF-8")
        }),
        Err(error) if error.is_absent() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> anyhow::Result<T> {
    serde_json::from_str(text).map_err(|error| damaged(path, Some(error.line()), &error.to_string()))
}

fn records(path: &Path, text: &str) -> anyhow::Result<Vec<MetricRecord>> {
    let mut records = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            // A run that is writing, or was killed while it was, leaves the last line without an end.
            Err(_) if !line.ends_with('\n') => break,
            Err(_) if line.trim().is_empty() => {}
            Err(error) => return Err(damaged(path, Some(index + 1), &error.to_string())),
        }
    }
    Ok(records)
}

fn openings(directory: &Path) -> anyhow::Result<Vec<OpeningStatistics>> {
    let names = match files::names(directory) {
        Err(error) if error.is_absent() => return Ok(Vec::new()),
        names => names?,
    };
    let mut all = Vec::new();
    for name in names.iter().filter(|name| name.ends_with(".json")) {
        let path = directory.join(name);
        if let Some(text) = text(&path)? {
            all.push(json(&path, &text)?);
        }
    }
    Ok(all)
}
