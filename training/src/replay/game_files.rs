//! Where the files of a run's games are: a folder for each generation, and in it files of groups.

use std::path::Path;

use crate::game_record::Purpose;
use crate::store::files::{self, FileError};

/// Position of a shard in the order of its purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShardPlace {
    /// The generation of its games.
    pub generation: u64,
    /// Number of the group within the generation.
    pub group: u32,
}

/// Reads the place from a shard's path below the folder of games; `None` if the path is not a shard's.
pub fn place(name: &str) -> Option<ShardPlace> {
    let (folder, file) = name.split_once('/')?;
    Some(ShardPlace {
        generation: folder_generation(folder)?,
        group: file.split('-').nth(1)?.parse().ok()?,
    })
}

/// The folder of a generation's shards below the folder of games; everything else of a generation has the same name.
pub fn generation_folder(generation: u64) -> String {
    format!("gen-{generation:06}")
}

/// The generation of a folder named by [`generation_folder`]; `None` for any other name.
pub fn folder_generation(name: &str) -> Option<u64> {
    name.strip_prefix("gen-")?.parse().ok()
}

/// The extension of shards.
pub(super) const EXTENSION: &str = "parquet";

fn in_folder(games: &Path, folder: &str, purpose: Purpose, extension: &str) -> Result<Vec<String>, FileError> {
    let (begin, end) = (format!("{}-", purpose.name()), format!(".{extension}"));
    let ours = |name: &String| name.starts_with(&begin) && name.ends_with(&end);
    let found = files::names(&games.join(folder))?.into_iter().filter(ours);
    Ok(found.map(|name| format!("{folder}/{name}")).collect())
}

/// All shards of one purpose in a folder of games, in the order of generations and groups, as paths below it.
///
/// # Errors
/// If a folder cannot be read.
pub fn list(games: &Path, purpose: Purpose) -> Result<Vec<String>, FileError> {
    let mut shards = Vec::new();
    for folder in files::names(games)? {
        shards.extend(in_folder(games, &folder, purpose, EXTENSION)?);
    }
    Ok(shards)
}

/// Like [`list`], for one generation, which may have none.
///
/// # Errors
/// If the folder cannot be read.
pub fn of_generation(games: &Path, generation: u64, purpose: Purpose) -> Result<Vec<String>, FileError> {
    with_extension(games, generation, purpose, EXTENSION)
}

/// [`of_generation`], for files with this extension.
pub(super) fn with_extension(
    games: &Path,
    generation: u64,
    purpose: Purpose,
    extension: &str,
) -> Result<Vec<String>, FileError> {
    let folder = generation_folder(generation);
    if games.join(&folder).exists() {
        in_folder(games, &folder, purpose, extension)
    } else {
        Ok(Vec::new())
    }
}

/// The beginning of the names of a group's files.
pub(super) fn prefix(purpose: Purpose, group: u32) -> String {
    format!("{}-{group:04}-", purpose.name())
}

/// The shards of a group, whatever their hashes. There are several if games were replayed on a GPU, with different
/// results.
///
/// # Errors
/// If the folder cannot be read.
pub fn find(games: &Path, generation: u64, purpose: Purpose, group: u32) -> Result<Vec<String>, FileError> {
    let mut shards = of_generation(games, generation, purpose)?;
    shards.retain(|name| is_of(name, group));
    Ok(shards)
}

/// True if a file, by its path below the folder of games, is of this group.
pub(super) fn is_of(name: &str, group: u32) -> bool {
    place(name).is_some_and(|place| place.group == group)
}
