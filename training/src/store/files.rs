//! Files that appear whole or not at all, and bounded reads.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::serialised::json;

/// Error returned when a file or directory cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each message says what its fields are")]
pub enum FileError {
    /// The operating system refuses.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// The action that failed, as a verb.
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    /// The content is not what the program writes.
    #[error("{} is damaged: {reason}", path.display())]
    Damaged {
        path: PathBuf,
        /// The damage, with what was expected.
        reason: String,
    },
}

impl FileError {
    /// For `map_err`: names the action and the file.
    pub fn of(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { action, path, source }
    }

    /// The content of a file is not what the program writes, for this reason.
    pub fn damaged(path: impl Into<PathBuf>, reason: impl Display) -> Self {
        Self::Damaged {
            path: path.into(),
            reason: reason.to_string(),
        }
    }

    /// The reason, without the file.
    pub fn reason(&self) -> String {
        match self {
            Self::Io { source, .. } => source.to_string(),
            Self::Damaged { reason, .. } => reason.clone(),
        }
    }

    /// True if there is no such file.
    pub fn is_absent(&self) -> bool {
        let absent = [ErrorKind::NotFound, ErrorKind::NotADirectory];
        matches!(self, Self::Io { source, .. } if absent.contains(&source.kind()))
    }
}

/// Writes a file under a temporary name next to `path`, syncs it and renames it: a reader, even after a crash, sees the
/// old content or the new one.
///
/// # Errors
/// If the file cannot be written; `path` is then unchanged.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let temporary = temporary_name(path);
    let written = File::create(&temporary).and_then(|mut file| file.write_all(content).and_then(|()| file.sync_all()));
    // The temporary name means something only where it is taken; elsewhere the fault is that of the name that was
    // given.
    let at_fault = if temporary.is_dir() { &temporary } else { path };
    let written = written.map_err(FileError::of("write", at_fault));
    let renamed = written.and_then(|()| fs::rename(&temporary, path).map_err(FileError::of("write", path)));
    if renamed.is_err() {
        // Best effort: on a full disk the space should be freed, and the first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    renamed?;
    sync_parent(path)
}

/// Opens a file for appending, or creates it.
///
/// # Errors
/// If it can be neither opened nor created.
pub fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

/// Removes a file durably.
///
/// # Errors
/// If it does not exist or cannot be removed.
pub fn remove(path: &Path) -> Result<(), FileError> {
    fs::remove_file(path).map_err(FileError::of("remove", path))?;
    sync_parent(path)
}

/// Syncs a rename or removal in the parent directory of `path`.
///
/// # Errors
/// If the directory cannot be opened or synchronised.
pub fn sync_parent(path: &Path) -> Result<(), FileError> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    sync_directory(parent.unwrap_or(Path::new(".")))
}

/// Syncs everything that was created, renamed or removed in a directory.
///
/// # Errors
/// If the directory cannot be opened or synchronised.
pub fn sync_directory(path: &Path) -> Result<(), FileError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(FileError::of("synchronise", path))
}

/// The temporary name that [`write_whole`] uses before it renames.
pub fn temporary_name(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".tmp");
    path.with_file_name(name)
}

/// Puts a file that is never changed, only replaced, into another directory as well: as a hard link, which costs no
/// space, or as a copy if the file system has none.
///
/// # Errors
/// If it cannot be read or written.
pub fn share(from: &Path, to: &Path) -> Result<(), FileError> {
    match fs::hard_link(from, to) {
        Ok(()) => Ok(()),
        Err(_) => write_whole(to, &read(from)?),
    }
}

/// Most bytes of a configuration, state or report that is read; those of long runs have a hundredth of it.
pub const LARGEST_DOCUMENT: u64 = 64 << 20;
/// Most bytes of a file of games or figures that is read.
pub const LARGEST_TABLE: u64 = 1 << 30;

/// Reads a file of games or figures.
///
/// # Errors
/// As [`read_at_most`] with [`LARGEST_TABLE`].
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    read_at_most(path, LARGEST_TABLE)
}

/// Reads a configuration, state or report.
///
/// # Errors
/// As [`read_at_most`] with [`LARGEST_DOCUMENT`].
pub fn read_document(path: &Path) -> Result<Vec<u8>, FileError> {
    read_at_most(path, LARGEST_DOCUMENT)
}

/// Reads a configuration, state or report as text.
///
/// # Errors
/// As [`read_document`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, FileError> {
    String::from_utf8(read_document(path)?).map_err(|error| FileError::damaged(path, error))
}

/// A text from outside without the byte order mark that editors of Windows begin it with. Everything that people or other
/// programs wrote is read through this.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}

/// Reads a value from a file of JSON.
///
/// # Errors
/// As [`read_document`], and if it is not such a value.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, FileError> {
    serde_json::from_slice(&read_document(path)?).map_err(|error| FileError::damaged(path, error))
}

/// Reads values from a file of JSON, one per line; `None` if there is no such file.
///
/// # Errors
/// As [`read`], and with the number of the line if one is not such a value.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Option<Vec<T>>, FileError> {
    match read(path) {
        Ok(content) => {
            let items = parse_lines(&content).map_err(|reason| FileError::damaged(path, reason))?;
            Ok(Some(items))
        }
        Err(error) if error.is_absent() => Ok(None),
        Err(error) => Err(error),
    }
}

/// Values from JSON, one a line.
///
/// # Errors
/// The number of the line that is not such a value, and the reason.
pub fn parse_lines<T: DeserializeOwned>(content: &[u8]) -> Result<Vec<T>, String> {
    let lines = (1..).zip(content.split(|&byte| byte == b'\n'));
    let items = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| serde_json::from_slice(line).map_err(|error| format!("line {number}: {error}")));
    items.collect()
}

/// Values as JSON, one a line.
pub fn lines(items: &[impl Serialize]) -> String {
    items.iter().map(|item| json(item) + "\n").collect()
}

/// Reads a whole file.
///
/// # Errors
/// If it does not exist, is not a regular file, has more than `most` bytes, or cannot be read.
pub fn read_at_most(path: &Path, most: u64) -> Result<Vec<u8>, FileError> {
    let read = || {
        let mut file = open(path)?;
        let size = file.metadata()?.len();
        if size > most {
            return Err(io::Error::other(format!("expected at most {most} bytes, found {size}")));
        }
        let mut content = Vec::new();
        file.read_to_end(&mut content)?;
        Ok(content)
    };
    read().map_err(FileError::of("read", path))
}

/// Opens a regular file for reading. Anything else is refused: a pipe would block its reader, a device may be endless.
///
/// # Errors
/// If it cannot be opened, or is not a regular file.
pub fn open(path: &Path) -> io::Result<File> {
    match fs::metadata(path)?.is_file() {
        true => File::open(path),
        false => Err(io::Error::new(ErrorKind::InvalidInput, "expected a regular file")),
    }
}

/// Names of the entries of a directory, sorted.
///
/// # Errors
/// If it does not exist or cannot be read.
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

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_or_too_large_is_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let read = |name: &str| read_at_most(&path(name), 4).map_err(|error| error.to_string());
        fs::write(path("four"), "four").unwrap();
        fs::write(path("large"), "large").unwrap();
        std::os::unix::fs::symlink(path("four"), path("link")).unwrap();
        std::os::unix::fs::symlink("/dev/zero", path("zero")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(path("pipe")).status();
        assert!(made.unwrap().success());
        assert_eq!(read("four").unwrap(), b"four");
        assert_eq!(read("link").unwrap(), b"four");
        for (name, reason) in [
            ("large", "large: expected at most 4 bytes, found 5"),
            ("zero", "zero: expected a regular file"),
            // It has no writer.
            ("pipe", "pipe: expected a regular file"),
            ("", "expected a regular file"),
        ] {
            let error = read(name).unwrap_err();
            assert!(error.contains(reason), "{name}: {error}");
        }
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_content_and_no_litter() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("state.json");
        write_whole(&path, b"old").unwrap();
        // A directory in place of the temporary file makes writing fail; it stands for any other reason.
        fs::create_dir(temporary_name(&path)).unwrap();
        let error = write_whole(&path, b"new").unwrap_err();
        assert!(error.to_string().contains("state.json.tmp"), "{error}");
        assert_eq!(read(&path).unwrap(), b"old");
        fs::remove_dir(temporary_name(&path)).unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(read(&path).unwrap(), b"new");
        let nowhere = directory.path().join("none/state.json");
        let error = write_whole(&nowhere, b"new").unwrap_err().to_string();
        assert!(error.contains("none/state.json: "), "{error}");
        // The file is written but cannot be renamed: it is removed again.
        let taken = directory.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(write_whole(&taken, b"new").is_err());
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
