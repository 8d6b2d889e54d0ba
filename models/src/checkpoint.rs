//! Checkpoints: a folder with a manifest, the network's weights, and the state of its optimizer.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use tch::{Device, Kind, Tensor};

use crate::Network;
use crate::manifest::{CheckpointError, MANIFEST_FILE, Manifest, check, files_of, write_folder};
use chase_engine::Encode;

/// Name of the weights in a checkpoint's folder.
pub const WEIGHTS_FILE: &str = "model.safetensors";
/// Name of the optimizer's state in a checkpoint's folder.
pub const OPTIMIZER_FILE: &str = "optimizer.safetensors";

/// Named tensors of 32-bit floats, such as an optimizer's moments.
pub type NamedTensors = BTreeMap<String, Tensor>;

/// A saved network of a game.
#[derive(Debug)]
pub struct Checkpoint<G: Encode> {
    /// Provenance and architecture, as in its file.
    pub manifest: Manifest,
    /// The encoding of its input.
    pub encoding: G::Encoding,
    /// The network that plays, on the requested device.
    pub network: Network,
}

impl Manifest {
    /// SHA-256 of the weights, in hexadecimal digits; `None` if they are not listed.
    pub fn weights_sha256(&self) -> Option<String> {
        Some(self.files.get(WEIGHTS_FILE)?.sha256.clone())
    }
}

impl<G: Encode> Checkpoint<G> {
    /// Reads the checkpoint in `folder`, or the [`shipped`](crate::shipped) one, and checks everything about it: that
    /// game, rules and planes match, that its files are unchanged, and that every tensor has the expected name, type
    /// and shape.
    ///
    /// # Errors
    /// Names the file, the fault, and what was expected.
    pub fn load(folder: &Path, device: Device) -> Result<Self, CheckpointError> {
        Self::read(folder, Manifest::read(folder)?, device)
    }

    /// As [`Checkpoint::load`], for one game of those that share the type `G`, by its
    /// [`Game::name`](chase_engine::Game::name).
    ///
    /// # Errors
    /// Also if it is for another game.
    pub fn load_for(game: &str, folder: &Path, device: Device) -> Result<Self, CheckpointError> {
        let manifest = Manifest::read(folder)?;
        check(&folder.join(MANIFEST_FILE), "`game`", &manifest.game.as_str(), &game)?;
        Self::read(folder, manifest, device)
    }

    fn read(folder: &Path, manifest: Manifest, device: Device) -> Result<Self, CheckpointError> {
        let encoding = manifest.encoding_for::<G>(folder)?;
        let file = &folder.join(WEIGHTS_FILE);
        let bytes = manifest.read_file(folder, WEIGHTS_FILE)?;
        // Every number is overwritten.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let network = Network::new(&manifest.architecture, manifest.shape, device, &mut rng)
            .map_err(|error| CheckpointError::malformed(file, error))?;
        overwrite(file, &bytes, &network)?;
        Ok(Self {
            manifest,
            encoding,
            network,
        })
    }
}

/// Writes a checkpoint into the new folder `folder`. The folder appears when it is complete and on disk, or not at all;
/// leftovers of an interrupted call have a name that ends in `.tmp`.
///
/// Returns the manifest with the files filled in. `optimizer` may be empty.
///
/// # Errors
/// If the folder exists or cannot be written, the manifest describes another network, or a tensor is not finite or not
/// of 32-bit floats.
pub fn save(
    folder: &Path,
    mut manifest: Manifest,
    network: &Network,
    optimizer: &NamedTensors,
) -> Result<Manifest, CheckpointError> {
    let file = &folder.join(MANIFEST_FILE);
    let differs =
        |what: &str| CheckpointError::malformed(file, format!("the manifest and the network differ in {what}"));
    if &manifest.architecture != network.architecture() {
        return Err(differs("architecture"));
    }
    if manifest.shape != network.shape() {
        return Err(differs("shape"));
    }
    let weights = serialize(&folder.join(WEIGHTS_FILE), network.tensors())?;
    let state = optimizer.iter().map(|(name, tensor)| (name.as_str(), tensor));
    let state = serialize(&folder.join(OPTIMIZER_FILE), state)?;
    let contents = [(WEIGHTS_FILE, &weights[..]), (OPTIMIZER_FILE, &state)];
    manifest.files = files_of(&contents);
    let text = serde_json::to_string_pretty(&manifest).map_err(|error| CheckpointError::malformed(file, error))? + "\n";
    let [weights, state] = contents;
    write_folder(folder, &[weights, state, (MANIFEST_FILE, text.as_bytes())])?;
    Ok(manifest)
}

/// The optimizer state that was saved with the network, on the CPU.
///
/// # Errors
/// If the file cannot be read or has changed.
pub fn load_optimizer(folder: &Path, manifest: &Manifest) -> Result<NamedTensors, CheckpointError> {
    let file = &folder.join(OPTIMIZER_FILE);
    let bytes = manifest.read_file(folder, OPTIMIZER_FILE)?;
    let tensors = SafeTensors::deserialize(&bytes).map_err(|error| CheckpointError::malformed(file, error))?;
    tensors
        .iter()
        .map(|(name, view)| Ok((name.to_owned(), tensor(file, name, &view)?)))
        .collect()
}

/// Serializes these tensors to the content of a file.
fn serialize<'a>(
    file: &Path,
    tensors: impl Iterator<Item = (&'a str, &'a Tensor)>,
) -> Result<Vec<u8>, CheckpointError> {
    let mut data = Vec::new();
    for (name, tensor) in tensors {
        let fail = |reason: String| CheckpointError::malformed(file, format!("tensor `{name}`: {reason}"));
        if tensor.kind() != Kind::Float {
            return Err(fail(format!("is {:?}, expected 32-bit floats", tensor.kind())));
        }
        let mut numbers = vec![0f32; tensor.numel()];
        let copied = tensor.f_to_device(Device::Cpu).and_then(|tensor| tensor.f_contiguous());
        copied
            .and_then(|tensor| tensor.f_copy_data(&mut numbers, tensor.numel()))
            .map_err(|error| fail(error.to_string()))?;
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(fail(
                "contains numbers that are not finite: training has diverged".to_owned(),
            ));
        }
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        let shape: Vec<usize> = tensor.size().into_iter().map(|size| size as usize).collect();
        data.push((name, shape, bytes));
    }
    let views = data
        .iter()
        .map(|(name, shape, bytes)| Ok((*name, TensorView::new(Dtype::F32, shape.clone(), bytes)?)));
    let views = views.collect::<Result<Vec<_>, _>>();
    let bytes = views.and_then(|views| safetensors::serialize(views, None));
    bytes.map_err(|error| CheckpointError::malformed(file, error))
}

/// Copies a tensor of a file to the CPU.
fn tensor(file: &Path, name: &str, view: &TensorView) -> Result<Tensor, CheckpointError> {
    check(
        file,
        &format!("the type of tensor `{name}`"),
        &view.dtype(),
        &Dtype::F32,
    )?;
    let (numbers, _) = view.data().as_chunks();
    let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
    let shape: Vec<i64> = view.shape().iter().map(|&size| size as i64).collect();
    let tensor = Tensor::f_from_slice(&numbers).and_then(|tensor| tensor.f_reshape(shape));
    tensor.map_err(|error| CheckpointError::malformed(file, format!("tensor `{name}`: {error}")))
}

/// Replaces every number of the network by those of a file, which must have exactly the same tensors.
///
/// Every property is compared here, since libtorch would broadcast a tensor of one number to any shape.
fn overwrite(file: &Path, bytes: &[u8], network: &Network) -> Result<(), CheckpointError> {
    let tensors = SafeTensors::deserialize(bytes).map_err(|error| CheckpointError::malformed(file, error))?;
    let found: BTreeSet<&str> = tensors.names().into_iter().collect();
    let expected: BTreeSet<&str> = network.tensors().map(|(name, _)| name).collect();
    if let Some(name) = expected.difference(&found).next() {
        return Err(CheckpointError::malformed(
            file,
            format!("tensor `{name}` is missing: the architecture needs it"),
        ));
    }
    if let Some(name) = found.difference(&expected).next() {
        return Err(CheckpointError::malformed(
            file,
            format!("tensor `{name}` is unknown to the architecture"),
        ));
    }
    for (name, own) in network.tensors() {
        let fail =
            |error: &dyn std::fmt::Display| CheckpointError::malformed(file, format!("tensor `{name}`: {error}"));
        let view = tensors.tensor(name).map_err(|error| fail(&error))?;
        let saved = tensor(file, name, &view)?;
        let shape = |tensor: &Tensor| format!("{:?}", tensor.size());
        check(
            file,
            &format!("the shape of tensor `{name}`"),
            &shape(&saved),
            &shape(own),
        )?;
        tch::no_grad(|| own.shallow_clone().f_copy_(&saved)).map_err(|error| fail(&error))?;
    }
    Ok(())
}
