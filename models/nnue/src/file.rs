//! Networks as files: safetensors with the weights as 32-bit floats.
//!
//! The metadata have one key, `chase-nnue`, whose value has one fact per line, as `key: value`: those that tell whether
//! this program can use the network, then what the writer says about it. One key, since the order of several would
//! differ from file to file.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use chase_engine::{Game, GameName, with_game};
use ndarray::{ArrayD, IxDyn};
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use sha2::{Digest, Sha256};

use crate::shipped;
use crate::weights::{Weights, WeightsError, check_width};

/// Name of the file in the folder of a checkpoint.
pub const NETWORK_FILE: &str = "nnue.safetensors";
/// The key of the metadata.
const METADATA: &str = "chase-nnue";
/// Version of the tensors and their names.
const FORMAT_VERSION: u32 = 1;
/// Larger files are not networks of this program: the widest has 12.1 MB.
const LARGEST_FILE: u64 = 16 << 20;

/// A network read from a file.
#[derive(Clone, Debug)]
pub struct StoredNetwork {
    /// The game that it plays.
    pub game: GameName,
    /// The weights, with a floating point.
    pub weights: Weights,
    /// The writer's statements about them, by key: provenance.
    pub facts: BTreeMap<String, String>,
    /// SHA-256 of the file, in hexadecimal digits.
    pub sha256: String,
}

/// Error returned when a network cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum NetworkFileError {
    /// The file cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The action that failed, as a verb.
        action: &'static str,
        /// The file that it failed for.
        path: PathBuf,
        /// The reason, by the operating system.
        source: io::Error,
    },
    /// The file is not a network of this kind.
    #[error("{} is not a network of this kind: {reason}", path.display())]
    Foreign {
        /// The file that was read.
        path: PathBuf,
        /// The fault, with what was expected.
        reason: String,
    },
    /// The network is for another game.
    #[error("{} is a network for {found}, expected a network for {expected}", path.display())]
    Game {
        /// The file that was read.
        path: PathBuf,
        /// The game that the file names.
        found: GameName,
        /// The game that it should be for.
        expected: String,
    },
    /// The weights cannot be a network.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file that was read.
        path: PathBuf,
        /// The tensor at fault, with what was expected.
        source: WeightsError,
    },
}

/// The file of a network given by its path: the file itself, or the folder of a checkpoint. The name of the [built-in
/// one](shipped) stays as it is.
pub fn network_file(path: &Path) -> PathBuf {
    if path.is_dir() && !shipped::is_shipped(path) {
        path.join(NETWORK_FILE)
    } else {
        path.to_owned()
    }
}

impl StoredNetwork {
    /// Reads a network from its file or the folder of its checkpoint, or the [built-in one](shipped) by its name.
    ///
    /// # Errors
    /// If it cannot be read, is too large, belongs to no game with such networks, or is damaged.
    pub fn read(path: &Path) -> Result<Self, NetworkFileError> {
        let path = network_file(path);
        let bytes = match shipped::is_shipped(&path) {
            true => Cow::Borrowed(shipped::FILE),
            false => read_at_most(&path)?.into(),
        };
        Self::parse(&path, &bytes)
    }

    /// The network, if it is of the game of this name.
    ///
    /// # Errors
    /// If it is of another one; the error names `path`.
    pub fn of(self, game: &str, path: &Path) -> Result<Self, NetworkFileError> {
        match self.game.name() == game {
            true => Ok(self),
            false => Err(NetworkFileError::Game {
                path: path.to_owned(),
                found: self.game,
                expected: game.to_owned(),
            }),
        }
    }

    /// Reads a network from the content of its file at `path`.
    ///
    /// # Errors
    /// If it belongs to no game with such networks, or is damaged.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self, NetworkFileError> {
        let foreign = |reason: String| NetworkFileError::Foreign {
            path: path.to_owned(),
            reason,
        };
        let (_, header) = SafeTensors::read_metadata(bytes).map_err(|error| foreign(error.to_string()))?;
        let metadata = header.metadata().as_ref().and_then(|metadata| metadata.get(METADATA));
        let metadata = metadata.ok_or_else(|| foreign(format!("its metadata lack `{METADATA}`")))?;
        let lines = metadata.lines().filter_map(|line| line.split_once(": "));
        let mut facts: BTreeMap<String, String> = lines.map(|(key, value)| (key.into(), value.into())).collect();
        let game = facts.get(GAME).map_or("", String::as_str).parse::<GameName>();
        let game = game.map_err(|error| foreign(error.to_string()))?;
        let inputs = game.sparse_inputs();
        for (key, expected) in own_facts(game) {
            let found = facts.remove(key);
            if found.as_deref() != Some(&*expected) {
                let found = found.map_or_else(|| "missing".to_owned(), |found| format!("`{found}`"));
                return Err(foreign(format!("{key} is {found}, expected `{expected}`")));
            }
        }
        let tensors = SafeTensors::deserialize(bytes).map_err(|error| foreign(error.to_string()))?;
        let width = tensors
            .tensor("transformer.bias")
            .map_or(0, |tensor| tensor.shape().iter().product());
        let wrong = |source| NetworkFileError::Weights {
            path: path.to_owned(),
            source,
        };
        check_width(width).map_err(wrong)?;
        let mut read = Vec::new();
        for (name, shape, _) in Weights::shapes(inputs, width) {
            let tensor = tensors.tensor(name).map_err(|error| foreign(error.to_string()))?;
            if tensor.dtype() != Dtype::F32 || tensor.shape() != shape {
                let reason = format!(
                    "{name} is {:?} of {:?}, expected F32 of {shape:?}",
                    tensor.dtype(),
                    tensor.shape()
                );
                return Err(foreign(reason));
            }
            let numbers = tensor
                .data()
                .as_chunks()
                .0
                .iter()
                .map(|bytes| f32::from_le_bytes(*bytes));
            let array = ArrayD::from_shape_vec(IxDyn(&shape), numbers.collect());
            read.push(array.map_err(|error| foreign(error.to_string()))?);
        }
        let weights = Weights::from_tensors(inputs, read).ok_or_else(|| foreign("a tensor is missing".to_owned()))?;
        weights.check().map_err(wrong)?;
        Ok(Self {
            game,
            weights,
            facts,
            sha256: Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// The content of a file with these weights for a game, and facts. The same input gives the same bytes. Line breaks in facts
    /// become blanks.
    ///
    /// # Errors
    /// If the weights cannot be a network.
    pub fn bytes(game: GameName, weights: &Weights, facts: &BTreeMap<String, String>) -> Result<Vec<u8>, BytesError> {
        weights.check()?;
        let own = own_facts(game)
            .into_iter()
            .map(|(key, value)| format!("{key}: {value}"));
        let facts = facts
            .iter()
            .map(|(key, value)| format!("{key}: {}", value.replace('\n', " ")));
        let lines: Vec<String> = own.chain(facts).collect();
        let arrays = weights.tensors();
        let data: Vec<Vec<u8>> = arrays
            .iter()
            .map(|array| array.iter().flat_map(|value| value.to_le_bytes()).collect())
            .collect();
        let shapes = Weights::shapes(weights.inputs, weights.width());
        let views = shapes.iter().zip(&data).map(|((name, shape, _), data)| {
            let view = TensorView::new(Dtype::F32, shape.clone(), data)?;
            Ok((*name, view))
        });
        let views: Vec<(&str, TensorView<'_>)> = views.collect::<Result<_, safetensors::SafeTensorError>>()?;
        let metadata = HashMap::from([(METADATA.to_owned(), lines.join("\n"))]);
        Ok(safetensors::serialize(views, Some(metadata))?)
    }
}

/// Error returned when weights have no form as a file.
#[derive(Debug, thiserror::Error)]
pub enum BytesError {
    /// They cannot be a network.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// They cannot be written as safetensors.
    #[error(transparent)]
    Format(#[from] safetensors::SafeTensorError),
}

/// The key of the game's name.
const GAME: &str = "game";

/// The facts that every file of a network for a game has.
fn own_facts(game: GameName) -> [(&'static str, Cow<'static, str>); 4] {
    let rules = with_game!(game, G => <G as Game>::RULES_VERSION);
    [
        ("format", FORMAT_VERSION.to_string().into()),
        (GAME, game.name().into()),
        ("rules", rules.to_string().into()),
        ("features", game.sparse_inputs().version.to_string().into()),
    ]
}

fn read_at_most(path: &Path) -> Result<Vec<u8>, NetworkFileError> {
    let failed = |source| NetworkFileError::Io {
        action: "read",
        path: path.to_owned(),
        source,
    };
    // A pipe would block its reader.
    if !fs::metadata(path).map_err(failed)?.is_file() {
        return Err(failed(io::Error::other("expected a regular file")));
    }
    let file = File::open(path).map_err(failed)?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(NetworkFileError::Foreign {
            path: path.to_owned(),
            reason: format!("it has more than {LARGEST_FILE} bytes"),
        });
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::Xoshiro256PlusPlus;

    use super::*;

    fn written(facts: &[(&str, &str)]) -> (Weights, Vec<u8>) {
        let inputs = GameName::Chase.sparse_inputs();
        let weights = Weights::random(inputs, 32, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let facts = facts
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let bytes = StoredNetwork::bytes(GameName::Chase, &weights, &facts.collect()).expect("weights are in range");
        (weights, bytes)
    }

    #[test]
    fn networks_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let (weights, bytes) = written(&[("commit", "abc"), ("note", "two\nlines")]);
        assert_eq!(bytes, written(&[("note", "two lines"), ("commit", "abc")]).1);
        fs::write(folder.path().join(NETWORK_FILE), &bytes).expect("space");
        let read = StoredNetwork::read(folder.path()).expect("a network");
        assert_eq!(read.weights, weights);
        assert_eq!(read.facts["note"], "two lines");
        assert_eq!(read.sha256.len(), 64);
        assert_eq!(
            StoredNetwork::read(&folder.path().join(NETWORK_FILE))
                .expect("a network")
                .sha256,
            read.sha256
        );
    }

    #[test]
    fn foreign_and_damaged_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x");
        let refused = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("space");
            let error = StoredNetwork::read(&path).expect_err("is damaged").to_string();
            error.replace(&path.display().to_string(), "x")
        };
        let (_, bytes) = written(&[]);
        let text = String::from_utf8_lossy(&bytes[..400]).into_owned();
        let other = text.find("game: chase").expect("is there");
        let mut changed = bytes.clone();
        changed[other + 6] = b'p';
        let told = "x is not a network of this kind: unknown game `chpse`: expected chase, connect-four, chess, ";
        assert!(refused(&changed).starts_with(told), "{}", refused(&changed));
        assert!(refused(&bytes[..bytes.len() - 4]).starts_with("x is not a network of this kind: "));
        assert!(refused(b"{}").starts_with("x is not a network of this kind: "));
        let missing = StoredNetwork::read(&folder.path().join("none")).expect_err("is not there");
        assert!(missing.to_string().starts_with("cannot read "), "{missing}");
    }
}
