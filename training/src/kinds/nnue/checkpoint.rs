//! Checkpoints: a folder with the network as players read it, the moments of its optimizer, and a manifest with the
//! hashes of both.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use chase_engine::{GameName, Playable};
use chase_models::manifest::{self, Files, MANIFEST_FILE, NetworkOrigin};
use chase_nnue::{NETWORK_FILE, Network, StoredNetwork};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use super::Nnue;
use super::config::Config;
use super::learner::Learner;
use super::rows::DataFacts;
use crate::store::files::{self, FileError};
use crate::store::run_state::RunState;
use crate::store::serialised::pretty_json;
use crate::training_loop::TrainingError;

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

/// A network from a checkpoint.
#[derive(Clone, Debug)]
pub struct SavedNetwork {
    stored: StoredNetwork,
    /// As it plays.
    network: Network,
}

/// Facts about a network for its file: the run's state, its configuration, and where its weights and games come from.
fn facts<G: Playable>(nnue: &Nnue<G>, state: &RunState, origin: NetworkOrigin) -> BTreeMap<String, String> {
    let numbers = [
        ("generation", state.generation),
        ("games", state.games),
        ("samples", state.samples),
        (STEPS, nnue.learner.steps()),
    ];
    let numbers = numbers.map(|(key, number)| (key, Some(number.to_string())));
    let texts = [
        (CONFIG, origin.config),
        ("git", origin.git),
        (START, nnue.start.clone()),
    ];
    let known = numbers.into_iter().chain(texts);
    let mut facts: BTreeMap<String, String> = known.filter_map(|(key, text)| Some((key.to_owned(), text?))).collect();
    for (place, facts_of) in nnue.data.iter().enumerate() {
        let DataFacts {
            sha256, games, rows, ..
        } = facts_of;
        let text = format!("{games} games, {rows} rows, SHA-256 of the names of their shards {sha256}");
        facts.insert(format!("data_{place}"), text);
    }
    facts
}

/// Writes a checkpoint into a new folder, which appears when it is complete.
pub(super) fn save<G: Playable>(
    folder: &Path,
    nnue: &Nnue<G>,
    state: &RunState,
    origin: NetworkOrigin,
) -> Result<(), TrainingError> {
    let learner = &nnue.learner;
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
    let network = StoredNetwork::bytes(nnue.game, &learner.weights()?, &facts(nnue, state, origin))?;
    let [moments, network] = [(MOMENTS_FILE, &moments[..]), (NETWORK_FILE, &network)];
    let files = manifest::files_of(&[moments, network]);
    let text = pretty_json(&Manifest { files });
    Ok(manifest::write_folder(
        folder,
        &[moments, network, (MANIFEST_FILE, text.as_bytes())],
    )?)
}

/// Reads a file of a checkpoint whose hash is that in the manifest.
fn read_file(folder: &Path, name: &str) -> Result<Vec<u8>, TrainingError> {
    let Manifest { files } = files::read_json(&folder.join(MANIFEST_FILE))?;
    Ok(manifest::read_file(&files, folder, name)?.into_owned())
}

impl SavedNetwork {
    /// Reads the network of a checkpoint of a game.
    pub(super) fn read(folder: &Path, game: GameName) -> Result<Self, TrainingError> {
        let content = read_file(folder, NETWORK_FILE)?;
        let path = folder.join(NETWORK_FILE);
        let stored = StoredNetwork::parse(&path, &content)?.of(game.name(), &path)?;
        let network = Network::quantise(&stored.weights)?;
        Ok(Self { stored, network })
    }

    /// The network as it plays.
    pub const fn network(&self) -> &Network {
        &self.network
    }

    /// The SHA-256 of the configuration that it was trained under, if it is known.
    pub(super) fn trained_under(&self) -> Option<&str> {
        self.stored.facts.get(CONFIG).map(String::as_str)
    }

    /// The learner that has come to the checkpoint in this folder, and what its run began with, if not with random
    /// weights.
    pub(super) fn learner(
        mut self,
        config: &Config,
        folder: &Path,
    ) -> Result<(Learner, Option<String>), TrainingError> {
        let path = folder.join(MOMENTS_FILE);
        let damaged = |reason: &dyn Display| FileError::damaged(&path, reason);
        let content = read_file(folder, MOMENTS_FILE)?;
        let steps = self.stored.facts.get(STEPS).and_then(|steps| steps.parse().ok());
        let steps = steps.ok_or_else(|| damaged(&"the network does not say after how many steps"))?;
        let tensors = SafeTensors::deserialize(&content).map_err(|error| damaged(&error))?;
        let moments: Vec<(&str, Vec<f32>)> = tensors
            .iter()
            .map(|(name, view)| {
                let numbers = view.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes));
                (name, numbers.collect())
            })
            .collect();
        let mut learner = Learner::new(config)?;
        learner.restore(&self.stored.weights, &moments, steps)?;
        Ok((learner, self.stored.facts.remove(START)))
    }
}
