//! Checkpoints: a folder with the network as players read it, the moments of its optimizer, and a manifest with the
//! hashes of both.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use crate::sources;
use crate::store::files::{self, FileError};
use crate::store::run_state::RunState;
use crate::store::serialised::pretty_json;
use chase_models::manifest::{self, Files, MANIFEST_FILE};
use chase_nnue::{NETWORK_FILE, Network, StoredNetwork, WeightsError};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::config::Config;
use super::learner::{LearnError, Learner};
use super::rows::DataFacts;

/// Key of the SHA-256 of the configuration that a network was trained under.
const CONFIG: &str = "config_sha256";
/// Key of what a run began with.
const START: &str = "start";
/// Name of the moments in a checkpoint's folder.
const MOMENTS_FILE: &str = "optimizer.safetensors";
/// Key of the number of steps, after which a learner continues.
const STEPS: &str = "steps";

/// Content of [`MANIFEST_FILE`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// Every other file in the folder.
    files: Files,
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
    #[error(transparent)]
    Folder(#[from] manifest::CheckpointError),
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
    let views: Result<Vec<_>, _> = bytes
        .iter()
        .map(|(name, bytes, count)| Ok((*name, TensorView::new(Dtype::F32, vec![*count], bytes)?)))
        .collect();
    let moments = views
        .and_then(|views| safetensors::serialize(views, None))
        .map_err(|error| FileError::damaged(folder.join(MOMENTS_FILE), error))?;
    let mut facts = provenance.0.clone();
    facts.insert(STEPS.to_owned(), learner.steps().to_string());
    let network = StoredNetwork::bytes(&learner.weights()?, &facts)?;
    let [moments, network] = [(MOMENTS_FILE, &moments[..]), (NETWORK_FILE, &network)];
    let files = manifest::files_of(&[moments, network]);
    let text = pretty_json(&Manifest { files });
    Ok(manifest::write_folder(
        folder,
        &[moments, network, (MANIFEST_FILE, text.as_bytes())],
    )?)
}

/// Reads a file of a checkpoint whose hash is that in the manifest.
fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>, CheckpointError> {
    let Manifest { files } = files::read_json(&folder.join(MANIFEST_FILE))?;
    Ok(manifest::read_file(&files, folder, name)?.into_owned())
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
    let damaged = |reason: &dyn Display| FileError::damaged(&path, reason);
    let content = read_file(folder, MOMENTS_FILE)?;
    let steps = stored.facts.get(STEPS).and_then(|steps| steps.parse().ok());
    let steps = steps.ok_or_else(|| damaged(&"the network does not say after how many steps"))?;
    let tensors = SafeTensors::deserialize(&content).map_err(|error| damaged(&error))?;
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
