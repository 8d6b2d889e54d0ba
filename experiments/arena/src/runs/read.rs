//! Reading a run directory, as far as a report needs it.
//!
//! Data that a run has not written (yet) is absent here and no error; data that it has written and cannot be read is an
//! error that names the file and the line. Unknown fields and figures are ignored, so that a report outlives additions.
//!
//! | file | data that a report takes from it |
//! |---|---|
//! | `meta.json` | provenance; the file that makes a directory a run |
//! | `config.toml` | network, search and game counts |
//! | `state.json` | generations, games, rows, and the time they took |
//! | `metrics.jsonl` | figures by part, step and generation |
//! | `openings/gen-NNNNNN-{selfplay,measurement}.json` | results, lengths and lines |
//!
//! Figures by name: `loss/{total,policy,value}` and `policy/target_entropy` by step of the part `learner`;
//! `selfplay/{games_per_s,positions_per_s}` and `inference/evals_per_s` by generation of the part `selfplay`; and of the
//! part `evaluation`, by generation, those of [`crate::NetworkReport::values`].

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use chase_models::manifest::FileFacts;
use chase_training::files::{self, FileError, Links};
use chase_training::openings::Openings;
use chase_training::run_dir::{BranchPoint, CONFIG_FILE};
use chase_training::sums::Sums;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::error::ReportError;

const METRICS: &str = "metrics.jsonl";
const OPENINGS: &str = "openings";

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
    pub state: Option<State>,
    /// Measurements, in the order of writing.
    pub records: Vec<Record>,
    /// Opening statistics by generation, those of self-play and of measurement games mixed.
    pub openings: Vec<Openings>,
    /// Files, within the directory, that are not as the run wrote them, or not there any more.
    pub changed: Vec<String>,
}

/// Provenance.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub struct Meta {
    /// The commit that the program was built from.
    pub git_hash: Option<String>,
    /// True if the sources differed from that commit.
    pub git_dirty: Option<bool>,
    /// Version of the program.
    pub program_version: Option<String>,
    /// [`chase_engine::Game::NAME`].
    pub game: String,
    /// Seed of the run.
    pub seed: Option<u64>,
    /// Cores of the machine.
    pub host_cores: Option<u64>,
    /// Time of its start, in seconds since 1970.
    pub started: Option<u64>,
    /// The run that it left, and the point.
    pub branched_from: Option<BranchPoint>,
}

impl Default for Meta {
    fn default() -> Self {
        Self {
            git_hash: None,
            git_dirty: None,
            program_version: None,
            game: "unknown".to_owned(),
            seed: None,
            host_cores: None,
            started: None,
            branched_from: None,
        }
    }
}

/// Counters.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct State {
    /// Finished generations.
    pub generation: u64,
    /// Self-play games.
    pub games: u64,
    /// Rows that can be trained on.
    pub rows: u64,
    /// Milliseconds of work, interruptions not counted.
    pub milliseconds: u64,
    /// The beginning of `metrics.jsonl` then.
    metrics: Option<FileFacts>,
    /// True if it was found to be changed before.
    metrics_changed: bool,
}

impl State {
    /// True if a run that has this state wrote other metrics.
    fn has_other_metrics(&self, metrics: &str) -> bool {
        let begins = |facts: &FileFacts| facts.is_beginning_of(metrics.as_bytes());
        self.metrics_changed || self.metrics.as_ref().is_some_and(|facts| !begins(facts))
    }
}

/// A line of `metrics.jsonl`.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    /// `selfplay`, `learner` or `evaluation`.
    pub part: String,
    /// The generation.
    #[serde(default)]
    pub generation: u64,
    /// The step on the part's axis.
    #[serde(default)]
    pub step: u64,
    #[serde(flatten)]
    figures: Map<String, Value>,
}

impl Record {
    /// The figure of this name; `None` if it was not measured or is no number.
    pub fn figure(&self, name: &str) -> Option<f64> {
        self.figures.get(name)?.as_f64()
    }

    /// All figures by name.
    pub fn figures(&self) -> impl Iterator<Item = (&str, f64)> {
        self.figures
            .iter()
            .filter_map(|(name, value)| Some((name.as_str(), value.as_f64()?)))
    }
}

impl Run {
    /// Reads a run directory.
    ///
    /// # Errors
    /// If the directory is not a run, or a file in it cannot be read or is damaged.
    pub fn read(directory: &Path) -> Result<Self, ReportError> {
        let meta = directory.join("meta.json");
        let text = text(&meta)?.ok_or_else(|| ReportError::NotARun {
            path: directory.into(),
            missing: "meta.json",
        })?;
        let config = directory.join(CONFIG_FILE);
        let config = match self::text(&config)? {
            Some(text) => text.parse().map_err(|error: toml::de::Error| {
                let before = error.span().map(|span| &text.as_bytes()[..span.start.min(text.len())]);
                let line = before.map(|before| 1 + before.iter().filter(|&&byte| byte == b'\n').count());
                ReportError::damaged(&config, line, error.message())
            })?,
            None => toml::Table::new(),
        };
        let state = directory.join("state.json");
        // Before what it says something about.
        let state: Option<State> = self::text(&state)?.map(|text| json(&state, &text)).transpose()?;
        let metrics = directory.join(METRICS);
        let metrics_text = text_at_most(&metrics, files::LARGEST_TABLE)?;
        let openings = directory.join(OPENINGS);
        let changed = Sums::of(&openings)?.changed();
        let mut changed: Vec<String> = changed.iter().map(|name| format!("{OPENINGS}/{name}")).collect();
        if state
            .as_ref()
            .is_some_and(|state| state.has_other_metrics(metrics_text.as_deref().unwrap_or_default()))
        {
            changed.push(METRICS.to_owned());
        }
        let name = directory.canonicalize().ok();
        let name = name.as_deref().unwrap_or(directory).file_name();
        Ok(Self {
            name: name.unwrap_or(directory.as_os_str()).to_string_lossy().into_owned(),
            meta: json(&meta, &text)?,
            config,
            state,
            records: metrics_text.map_or(Ok(Vec::new()), |text| records(&metrics, &text))?,
            openings: self::openings(&openings)?,
            changed,
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
    pub fn part(&self, part: &str) -> Vec<&Record> {
        let mut records: Vec<&Record> = self.records.iter().filter(|record| record.part == part).collect();
        records.sort_by_key(|record| record.step);
        records
    }

    /// Opening statistics for a purpose, by rising generation.
    pub fn openings_of(&self, purpose: &str) -> Vec<&Openings> {
        let mut found: Vec<&Openings> = self
            .openings
            .iter()
            .filter(|openings| openings.purpose == purpose)
            .collect();
        found.sort_by_key(|openings| openings.generation);
        found
    }
}

/// The content of a document; `None` if there is none.
fn text(path: &Path) -> Result<Option<String>, ReportError> {
    text_at_most(path, files::LARGEST_DOCUMENT)
}

/// The content of a file; `None` if there is none.
fn text_at_most(path: &Path, most: u64) -> Result<Option<String>, ReportError> {
    match files::read_at_most(path, most, Links::Followed) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            ReportError::damaged(path, Some(line), "expected text in UTF-8")
        }),
        Err(error) if error.source.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn json<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, ReportError> {
    serde_json::from_str(text).map_err(|error| ReportError::damaged(path, Some(error.line()), &error.to_string()))
}

fn records(path: &Path, text: &str) -> Result<Vec<Record>, ReportError> {
    let mut records = Vec::new();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            // A run that is writing, or was killed while it was, leaves the last line without an end.
            Err(_) if !line.ends_with('\n') => break,
            Err(_) if line.trim().is_empty() => {}
            Err(error) => return Err(ReportError::damaged(path, Some(index + 1), &error.to_string())),
        }
    }
    Ok(records)
}

fn openings(directory: &Path) -> Result<Vec<Openings>, ReportError> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FileError::of("read", directory)(error).into()),
    };
    let mut all = Vec::new();
    for entry in entries {
        let path = entry.map_err(FileError::of("read", directory))?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        if let Some(text) = text(&path)? {
            all.push(json(&path, &text)?);
        }
    }
    Ok(all)
}
