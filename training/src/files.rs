//! Files that appear whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was tried, as a verb.
    pub action: &'static str,
    /// The file or directory.
    pub path: PathBuf,
    /// The reason.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: names the action and the file.
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self { action, path, source }
    }
}

/// Writes a file under a temporary name beside `path`, forces it to disk and renames it: a reader, also after a crash,
/// sees the old content or the new one.
///
/// # Errors
/// If the file cannot be written; `path` is then as it was.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary)
        .and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()))
        .map_err(FileError::of("write", &temporary));
    let renamed = written.and_then(|()| fs::rename(&temporary, path).map_err(FileError::of("write", path)));
    if renamed.is_err() {
        // Best effort: on a full disk the space is wanted back, and the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    renamed?;
    sync_parent(path)
}

/// Removes a file for good.
///
/// # Errors
/// If it is not there or cannot be removed.
pub fn remove(path: &Path) -> Result<(), FileError> {
    fs::remove_file(path).map_err(FileError::of("remove", path))?;
    sync_parent(path)
}

/// Forces a rename or removal inside the directory of `path` to disk.
///
/// # Errors
/// If the directory cannot be opened or synchronised.
pub fn sync_parent(path: &Path) -> Result<(), FileError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_directory(parent.unwrap_or(Path::new(".")))
}

/// Forces to disk what was created, renamed or removed in a directory.
///
/// # Errors
/// If the directory cannot be opened or synchronised.
pub fn sync_directory(path: &Path) -> Result<(), FileError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(FileError::of("synchronise", path))
}

/// The name that [`write_whole`] writes under before it renames.
pub fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    path.with_file_name(name)
}

/// Puts a file that is never changed, only replaced, into another directory as well: as a second name where the file system can,
/// which costs no space, or else as a copy.
///
/// # Errors
/// If it cannot be read or written.
pub fn share(from: &Path, to: &Path) -> Result<(), FileError> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => write_whole(to, &read(from)?),
    }
}

/// Reads a file.
///
/// # Errors
/// If it is not there or cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    fs::read(path).map_err(FileError::of("read", path))
}

/// What is in a directory, sorted.
///
/// # Errors
/// If it is not there or cannot be read.
pub fn names(directory: &Path) -> Result<Vec<String>, FileError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory).map_err(FileError::of("read", directory))? {
        let name = entry.map_err(FileError::of("read", directory))?.file_name();
        names.push(name.to_string_lossy().into_owned());
    }
    names.sort_unstable();
    Ok(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_write_that_fails_leaves_the_old_content_and_no_litter() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        write_whole(&path, b"old").unwrap();
        // A directory in the place of the temporary file stands for every reason why writing can fail.
        fs::create_dir(temporary_name(&path)).unwrap();
        let error = write_whole(&path, b"new").unwrap_err();
        assert!(error.to_string().contains("state.json.tmp"), "{error}");
        assert_eq!(read(&path).unwrap(), b"old");
        fs::remove_dir(temporary_name(&path)).unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        // Written, but not to be renamed: what was written goes away again.
        let taken = directory.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write_whole(&taken, b"new").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
