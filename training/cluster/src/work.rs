//! Work that is done in parts by other machines.

use std::borrow::Cow;
use std::path::Path;

use chase_models::checkpoint::WEIGHTS_FILE;
use chase_models::manifest::{CheckpointError, Manifest};

use crate::arithmetic::Arithmetic;
use crate::error::ClusterError;
use crate::unit::{Part, UnitResult};

/// The content that all parts of some work share.
#[derive(Debug)]
pub struct Common<'a> {
    /// Directory of the run, with its `meta.json`.
    pub directory: &'a Path,
    /// Contents that parts name by their hashes.
    pub files: Vec<Vec<u8>>,
    /// The arithmetic of this machine at each precision that is needed.
    pub arithmetic: Vec<Arithmetic>,
}

/// The decision on a part's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It counts.
    Counted,
    /// It counts, and no other part is needed any more.
    Enough,
    /// It cannot be the result of this part, for this reason: the part is offered again.
    Refused(String),
}

/// Work that is done in parts by other machines: its parts, and their results.
///
/// [`Cluster::finish`](crate::Cluster::finish) offers the parts and delivers their results.
pub trait Work {
    /// The reason that it cannot be done.
    type Error: From<ClusterError>;

    /// The next part; `None` if there is no other.
    fn next(&mut self) -> Option<Part>;

    /// Most parts that are offered at a time.
    fn ahead(&self) -> usize {
        1024
    }

    /// True if results are needed in the order of the parts. Until then they wait on the server.
    fn in_order(&self) -> bool {
        false
    }

    /// Receives the result of a part, which comes from a machine that may be wrong.
    ///
    /// # Errors
    /// If the work cannot be done at all.
    fn take(&mut self, part: &Part, played: UnitResult) -> Result<Taken, Self::Error>;

    /// Makes what was taken final, so that the server may forget it. False if it may not: what was taken becomes final
    /// later, by other means.
    ///
    /// # Errors
    /// If that fails.
    fn settle(&mut self) -> Result<bool, Self::Error> {
        Ok(false)
    }
}

/// The manifest and the weights of a checkpoint: what a worker needs of it.
///
/// # Errors
/// If it is damaged, or cannot be read.
pub fn checkpoint_files(folder: &Path) -> Result<[Vec<u8>; 2], String> {
    let read = || {
        let manifest = Manifest::read_text(folder)?;
        let weights = Manifest::read(folder)?.read_file(folder, WEIGHTS_FILE)?;
        Ok::<_, CheckpointError>([manifest, weights])
    };
    let files = read().map_err(|error| error.to_string())?;
    Ok(files.map(Cow::into_owned))
}
