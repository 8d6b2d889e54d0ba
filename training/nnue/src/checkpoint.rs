//! Checkpoints: a folder with the network as players read it, the moments of its optimizer, and a manifest with the
//! hashes of both.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use chase_models::manifest::{FileFacts, MANIFEST_FILE};
use chase_nnue::{NETWORK_FILE, Network, StoredNetwork, WeightsError};
use chase_training::files::{self, FileError};
use chase_training::run_state::RunState;
use chase_training::sources;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::learner::{LearnError, Learner};
use crate::rows::DataFacts;

/// Key of the SHA-256 of the configuration that a network was trained under.
const CONFIG: &str = "config_sha256";
/// Key of what a run began with.
const START: &str = "start";
/// Name of the moments in a checkpoint's folder.
const MOMENTS_FILE: &str = "optimizer.safetensors";
/// Key of the number of steps, after which a learner continues.
const STEPS: &str = "steps";

/// Content of [`MANIFEST_FILE`]: size and hash of every other file in the folder, by name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    files: BTreeMap<String, FileFacts>,
}

/// Error returned when a checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each variant is the failure of the module it names")]
pub enum CheckpointError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Network(#[from] chase_nnue::file::NetworkFileError),
    #[error(transparent)]
    Bytes(#[from] chase_nnue::file::BytesError),
    #[error(transparent)]
    Weights(#[from] WeightsError),
    #[error(transparent)]
    Learn(#[from] LearnError),
    #[error("{}: {reason}", path.display())]
    Damaged { path: PathBuf, reason: String },
}

/// The provenance of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NetworkProvenance(BTreeMap<String, String>);

impl NetworkProvenance {
    /// Provenance of a run's state, under a configuration with this SHA-256, with these games in `data`. `start` says what
    /// the run began with, if not with random weights.
    pub fn new(config: String, state: &RunState, data: &[DataFacts], start: Option<&str>) -> Self {
        let mut facts = BTreeMap::from([
            (CONFIG.to_owned(), config),
            ("generation".to_owned(), state.generation.to_string()),
            ("games".to_owned(), state.games.to_string()),
            ("samples".to_owned(), state.samples.to_string()),
        ]);
        if let Some(sources) = sources::stated() {
            facts.insert("git".to_owned(), sources.to_string());
        }
        if let Some(start) = start {
            facts.insert(START.to_owned(), start.to_owned());
        }
        for (place, facts_of) in data.iter().enumerate() {
            let DataFacts {
                sha256, games, rows, ..
            } = facts_of;
            let text = format!("{games} games, {rows} rows, SHA-256 of the names of their shards {sha256}");
            facts.insert(format!("data_{place}"), text);
        }
        Self(facts)
    }
}

/// Writes the checkpoint of a learner into a new folder, which appears when it is complete.
///
/// # Errors
/// If it cannot be written, or the weights are not finite.
pub fn save(folder: &Path, learner: &Learner, provenance: &NetworkProvenance) -> Result<(), CheckpointError> {
    let moments = learner.moments()?;
    let bytes: Vec<(&str, Vec<u8>, usize)> = moments
        .iter()
        .map(|(name, numbers)| {
            let bytes = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            (*name, bytes, numbers.len())
        })
        .collect();
    let damaged = |reason: String| CheckpointError::Damaged {
        path: folder.join(MOMENTS_FILE),
        reason,
    };
    let views: Result<Vec<_>, _> = bytes
        .iter()
        .map(|(name, bytes, count)| Ok((*name, TensorView::new(Dtype::F32, vec![*count], bytes)?)))
        .collect();
    let moments = views
        .and_then(|views| safetensors::serialize(views, None))
        .map_err(|error| damaged(error.to_string()))?;
    let mut facts = provenance.0.clone();
    facts.insert(STEPS.to_owned(), learner.steps().to_string());
    let network = StoredNetwork::bytes(&learner.weights()?, &facts)?;
    let contents = [(MOMENTS_FILE, moments), (NETWORK_FILE, network)];
    let facts = contents
        .iter()
        .map(|(name, content)| ((*name).to_owned(), FileFacts::of(content)));
    let manifest = Manifest { files: facts.collect() };
    let manifest = serde_json::to_vec_pretty(&manifest).map_err(|error| damaged(error.to_string()))?;
    let temporary = files::temporary_name(folder);
    if temporary.exists() {
        fs::remove_dir_all(&temporary).map_err(FileError::of("remove", &temporary))?;
    }
    let written = fs::create_dir_all(&temporary)
        .map_err(FileError::of("create", &temporary))
        .and_then(|()| {
            let manifest = (MANIFEST_FILE, manifest);
            let mut all = contents.into_iter().chain([manifest]);
            all.try_for_each(|(name, content)| files::write_whole(&temporary.join(name), &content))
        })
        .and_then(|()| fs::rename(&temporary, folder).map_err(FileError::of("create", folder)));
    if written.is_err() {
        // Best effort: on a full disk the space should be freed, and the first error is the one to report.
        let _ = fs::remove_dir_all(&temporary);
    }
    written?;
    Ok(files::sync_parent(folder)?)
}

/// Reads a file of a checkpoint whose hash is that in the manifest.
fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>, CheckpointError> {
    let damaged = |path: &Path, reason: String| CheckpointError::Damaged {
        path: path.to_owned(),
        reason,
    };
    let path = folder.join(MANIFEST_FILE);
    let manifest: Manifest =
        serde_json::from_slice(&files::read_document(&path)?).map_err(|error| damaged(&path, error.to_string()))?;
    let expected = manifest.files.get(name);
    let expected = expected.ok_or_else(|| damaged(&path, format!("`files` does not list `{name}`")))?;
    let path = folder.join(name);
    let content = files::read(&path)?;
    let found = FileFacts::of(&content);
    match found == *expected {
        true => Ok(content),
        false => Err(damaged(
            &path,
            format!("the SHA-256 is {}, expected {}", found.sha256, expected.sha256),
        )),
    }
}

/// The file of the network of a checkpoint.
fn stored(folder: &Path) -> Result<StoredNetwork, CheckpointError> {
    let content = read_file(folder, NETWORK_FILE)?;
    Ok(StoredNetwork::parse(&folder.join(NETWORK_FILE), &content)?)
}

/// The network of a checkpoint, as it plays.
///
/// # Errors
/// If it cannot be read or is damaged.
pub fn network(folder: &Path) -> Result<Network, CheckpointError> {
    Ok(Network::quantise(&stored(folder)?.weights)?)
}

/// The SHA-256 of the configuration that the network of a checkpoint was trained under, if it is known.
///
/// # Errors
/// If the network cannot be read or is damaged.
pub fn config_sha256(folder: &Path) -> Result<Option<String>, CheckpointError> {
    Ok(stored(folder)?.facts.remove(CONFIG))
}

/// A learner that begins with the network that a configuration names, or else with random weights; and for the
/// provenance, what it began with.
///
/// # Errors
/// If that network cannot be read, or is wider than the one to be trained.
pub fn first(config: &Config) -> Result<(Learner, Option<String>), CheckpointError> {
    let Some(path) = &config.network.start else {
        return Ok((Learner::new(config)?, None));
    };
    let StoredNetwork { weights, sha256, .. } = StoredNetwork::read(path)?;
    let learner = Learner::beginning_with(config, &weights)?;
    let name = path.display();
    Ok((
        learner,
        Some(format!("{name}, width {}, SHA-256 {sha256}", weights.width())),
    ))
}

/// Continues a learner from a checkpoint, and says what its run began with, if not with random weights.
///
/// # Errors
/// If it cannot be read, is damaged, or belongs to another network.
pub fn load(folder: &Path, learner: &mut Learner) -> Result<Option<String>, CheckpointError> {
    let mut stored = stored(folder)?;
    let path = folder.join(MOMENTS_FILE);
    let damaged = |reason: String| CheckpointError::Damaged {
        path: path.clone(),
        reason,
    };
    let content = read_file(folder, MOMENTS_FILE)?;
    let steps = stored.facts.get(STEPS).and_then(|steps| steps.parse().ok());
    let steps = steps.ok_or_else(|| damaged("the network does not say after how many steps".to_owned()))?;
    let tensors = SafeTensors::deserialize(&content).map_err(|error| damaged(error.to_string()))?;
    let moments: Vec<(&str, Vec<f32>)> = tensors
        .iter()
        .map(|(name, view)| {
            let numbers = view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
            (name, numbers.collect())
        })
        .collect();
    learner.restore(&stored.weights, &moments, steps)?;
    Ok(stored.facts.remove(START))
}
