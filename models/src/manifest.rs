//! The description of a checkpoint.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{Architecture, shipped};
use chase_engine::{Encode, Shape};

/// Name of the manifest in a checkpoint's folder.
pub const MANIFEST_FILE: &str = "manifest.json";
/// Most bytes of a manifest that is read; real ones have a thousandth of it.
const LARGEST: u64 = 1 << 20;
/// Layout of checkpoints: changes whenever older programs could not read them.
const FORMAT: u32 = 1;

/// Description of a checkpoint: its network, its provenance, and the hashes of its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Layout of the checkpoint.
    pub format: u32,
    /// [`chase_engine::Game::NAME`].
    pub game: String,
    /// [`chase_engine::Game::RULES_VERSION`].
    pub rules_version: u32,
    /// [`Encode::ENCODING_VERSION`].
    pub encoding_version: u32,
    /// The options of the encoding, [`Encode::Encoding`].
    pub encoding: serde_json::Value,
    /// Input and policy sizes.
    pub shape: Shape,
    /// The architecture of the network.
    pub architecture: Architecture,
    /// The amount of training.
    pub progress: TrainingProgress,
    /// The origin of the network.
    pub origin: NetworkOrigin,
    /// The software that wrote it.
    pub software: Software,
    /// Every other file in the folder.
    pub files: Files,
}

/// Sizes and hashes of files of a folder, by name.
pub type Files = BTreeMap<String, FileFacts>;

/// Amount of training of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainingProgress {
    /// Steps of the optimizer.
    pub steps: u64,
    /// Samples (positions) used in these steps, with repetition.
    pub samples: u64,
    /// Finished self-play games.
    pub games: u64,
}

/// Provenance of a network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NetworkOrigin {
    /// SHA-256 of the resolved configuration of its run.
    pub config: Option<String>,
    /// Commit of the program, with the suffix `-dirty` if files differed from it.
    pub git: Option<String>,
    /// The checkpoint that training continued from.
    pub parent: Option<String>,
}

/// The software that wrote a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Software {
    /// Version of this crate.
    pub chase_models: String,
    /// Version of libtorch.
    pub libtorch: String,
}

/// Size and hash of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileFacts {
    /// Size in bytes.
    pub size: u64,
    /// Hash in hexadecimal digits.
    pub sha256: String,
}

/// Error returned when a checkpoint cannot be written, read or used. It always names the file.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum CheckpointError {
    /// The file system failed.
    #[error("{}: cannot {action}: {source}", file.display())]
    Io {
        file: PathBuf,
        action: &'static str,
        source: io::Error,
    },
    /// The folder is not a checkpoint.
    #[error("{}: {}: expected the folder of a checkpoint or of a run{}", folder.display(), missing(folder), built_in(folder))]
    Absent { folder: PathBuf },
    /// The file is not of the format that its name says.
    #[error("{}: {reason}", file.display())]
    Malformed { file: PathBuf, reason: String },
    /// The file is well formed, but one of its properties is not as required.
    #[error("{}: {what} is {found}, expected {expected}", file.display())]
    Mismatch {
        file: PathBuf,
        what: String,
        found: String,
        expected: String,
    },
}

/// The part of a checkpoint that is not there.
fn missing(folder: &Path) -> String {
    if folder.is_dir() {
        format!("there is no {MANIFEST_FILE} in it")
    } else if folder.exists() {
        "it is a file".to_owned()
    } else {
        "there is no such folder".to_owned()
    }
}

/// The built-in agents, for a path that looks like the name of another.
fn built_in(folder: &Path) -> String {
    match folder.to_str() {
        Some(name) if name.starts_with("agent-") && !folder.exists() => {
            let names: Vec<_> = shipped::names().collect();
            format!("; {} are built in", names.join(" and "))
        }
        _ => String::new(),
    }
}

impl CheckpointError {
    pub(crate) fn io<'a>(file: &'a Path, action: &'static str) -> impl FnOnce(io::Error) -> Self + 'a {
        move |source| Self::Io {
            file: file.to_owned(),
            action,
            source,
        }
    }

    pub(crate) fn malformed(file: &Path, reason: impl Display) -> Self {
        Self::Malformed {
            file: file.to_owned(),
            reason: reason.to_string(),
        }
    }
}

/// Returns an error unless `found` equals `expected`.
pub(crate) fn check<T: PartialEq + Display>(
    file: &Path,
    what: &str,
    found: &T,
    expected: &T,
) -> Result<(), CheckpointError> {
    if found == expected {
        return Ok(());
    }
    Err(CheckpointError::Mismatch {
        file: file.to_owned(),
        what: what.to_owned(),
        found: found.to_string(),
        expected: expected.to_string(),
    })
}

impl Manifest {
    /// A manifest for a network of `architecture` that plays `G`; the files are added when the checkpoint is saved.
    ///
    /// # Errors
    /// If the options of the encoding cannot be written as JSON.
    pub fn new<G: Encode>(
        encoding: &G::Encoding,
        architecture: &Architecture,
        progress: TrainingProgress,
        origin: NetworkOrigin,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            format: FORMAT,
            game: G::encoded_game(encoding).to_owned(),
            rules_version: G::RULES_VERSION,
            encoding_version: G::ENCODING_VERSION,
            encoding: serde_json::to_value(encoding)?,
            shape: G::shape(encoding),
            architecture: architecture.clone(),
            progress,
            origin,
            software: Software {
                chase_models: env!("CARGO_PKG_VERSION").to_owned(),
                libtorch: crate::LIBTORCH_VERSION.to_owned(),
            },
            files: BTreeMap::new(),
        })
    }

    /// Reads the manifest of the checkpoint in `folder`, or of the [`shipped`] one. [`Manifest::encoding_for`] checks
    /// if its network can play a game.
    ///
    /// # Errors
    /// If it cannot be read, or has another format.
    pub fn read(folder: &Path) -> Result<Self, CheckpointError> {
        let file = &folder.join(MANIFEST_FILE);
        let text = shipped::read(folder, MANIFEST_FILE, LARGEST).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => CheckpointError::Absent {
                folder: folder.to_owned(),
            },
            _ => CheckpointError::io(file, "read")(error),
        })?;
        let value: serde_json::Value = serde_json::from_slice(&text)
            .map_err(|error| CheckpointError::malformed(file, format!("not JSON, or incomplete: {error}")))?;
        // Checked first, since another format may have other fields.
        let format = value.get("format").unwrap_or(&serde_json::Value::Null);
        check(file, "`format`", format, &FORMAT.into())?;
        let manifest: Self = serde_json::from_value(value)
            .map_err(|error| CheckpointError::malformed(file, format!("manifest: {error}")))?;
        manifest
            .architecture
            .validate()
            .map_err(|error| CheckpointError::malformed(file, error))?;
        Ok(manifest)
    }

    /// The encoding's options for playing `G` with the network. `folder` is for the error message.
    ///
    /// # Errors
    /// If the network was trained for another game, other rules, or planes that this program cannot make.
    pub fn encoding_for<G: Encode>(&self, folder: &Path) -> Result<G::Encoding, CheckpointError> {
        let file = &folder.join(MANIFEST_FILE);
        if G::standard_rules(&self.game).is_none() {
            check(file, "`game`", &self.game.as_str(), &G::NAME)?;
        }
        check(file, "`rules_version`", &self.rules_version, &G::RULES_VERSION)?;
        check(file, "`encoding_version`", &self.encoding_version, &G::ENCODING_VERSION)?;
        let encoding: G::Encoding = serde_json::from_value(self.encoding.clone())
            .map_err(|error| CheckpointError::malformed(file, format!("`encoding`: {error}")))?;
        check(
            file,
            "the game of `encoding`",
            &G::encoded_game(&encoding),
            &self.game.as_str(),
        )?;
        let describe = |shape: Shape| format!("{shape:?}");
        check(file, "`shape`", &describe(self.shape), &describe(G::shape(&encoding)))?;
        Ok(encoding)
    }

    /// Size and hash of the manifest in `folder`. It vouches for all other files: two checkpoints with the same
    /// manifest are equal.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn facts(folder: &Path) -> Result<FileFacts, CheckpointError> {
        Ok(FileFacts::of(&Self::read_text(folder)?))
    }

    /// The manifest in `folder` as it is stored.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_text(folder: &Path) -> Result<Cow<'static, [u8]>, CheckpointError> {
        let text = shipped::read(folder, MANIFEST_FILE, LARGEST);
        text.map_err(CheckpointError::io(&folder.join(MANIFEST_FILE), "read"))
    }

    /// Reads a file of the checkpoint and checks its size and hash.
    ///
    /// # Errors
    /// If it cannot be read, is not in the manifest, or has another size or hash.
    pub fn read_file(&self, folder: &Path, name: &str) -> Result<Cow<'static, [u8]>, CheckpointError> {
        read_file(&self.files, folder, name)
    }
}

/// Reads a file of a folder and checks its size and hash. The [`shipped`] agents are folders too.
///
/// # Errors
/// If it cannot be read, is not one of the `files`, or has another size or hash.
pub fn read_file(files: &Files, folder: &Path, name: &str) -> Result<Cow<'static, [u8]>, CheckpointError> {
    let facts = files.get(name).ok_or_else(|| {
        CheckpointError::malformed(&folder.join(MANIFEST_FILE), format!("`files` does not list `{name}`"))
    })?;
    let file = &folder.join(name);
    let bytes = shipped::read(folder, name, facts.size).map_err(CheckpointError::io(file, "read"))?;
    let found = FileFacts::of(&bytes);
    check(file, "the size in bytes", &found.size, &facts.size)?;
    check(file, "the SHA-256", &found.sha256, &facts.sha256)?;
    Ok(bytes)
}

/// The files of these names and contents.
pub fn files_of(contents: &[(&str, &[u8])]) -> Files {
    let facts = contents
        .iter()
        .map(|&(name, content)| (name.to_owned(), FileFacts::of(content)));
    facts.collect()
}

/// Writes files into a new folder, which appears when it is complete and on disk, or not at all; leftovers of an
/// interrupted call have a name that ends in `.tmp`.
///
/// # Errors
/// If the folder exists or cannot be written.
pub fn write_folder(folder: &Path, contents: &[(&str, &[u8])]) -> Result<(), CheckpointError> {
    if folder.exists() {
        return Err(CheckpointError::io(folder, "create")(ErrorKind::AlreadyExists.into()));
    }
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let Some(name) = folder.file_name() else {
        return Err(CheckpointError::malformed(folder, "not the path of a checkpoint"));
    };
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".tmp");
    let temporary = &parent.join(hidden);
    if temporary.exists() {
        fs::remove_dir_all(temporary).map_err(CheckpointError::io(temporary, "remove"))?;
    }
    fs::create_dir_all(parent).map_err(CheckpointError::io(parent, "create"))?;
    fs::create_dir(temporary).map_err(CheckpointError::io(temporary, "create"))?;
    let fill = || {
        for (name, bytes) in contents {
            let file = &temporary.join(name);
            let write = || {
                let mut opened = File::create(file)?;
                opened.write_all(bytes)?;
                opened.sync_all()
            };
            write().map_err(CheckpointError::io(file, "write"))?;
        }
        sync(temporary)?;
        fs::rename(temporary, folder).map_err(CheckpointError::io(folder, "create"))
    };
    if let Err(error) = fill() {
        // Best effort: on a full disk the space should be freed, and the first error is the one to report.
        let _ = fs::remove_dir_all(temporary);
        return Err(error);
    }
    sync(parent)
}

/// Makes a rename, or the files in a folder, survive a power loss.
fn sync(folder: &Path) -> Result<(), CheckpointError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(CheckpointError::io(folder, "write"))
}

impl FileFacts {
    /// Size and hash of this content.
    pub fn of(bytes: &[u8]) -> Self {
        let digest = Sha256::digest(bytes);
        Self {
            size: bytes.len() as u64,
            sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}
