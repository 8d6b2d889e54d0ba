//! Files that are written once, each with its SHA-256 in a file next to it: a change is noticed when the file is read
//! again.

use std::io;
use std::path::{Path, PathBuf};

use chase_models::manifest::FileFacts;

use crate::files::{self, FileError};

/// Writes a file that will never change, whole, after its `NAME.sha256`, which `sha256sum --check` can read.
///
/// # Errors
/// If one of them cannot be written.
pub fn write(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let sum = format!("{}  {name}\n", FileFacts::of(content).sha256);
    files::write_whole(&seal(path), sum.as_bytes())?;
    files::write_whole(path, content)
}

/// Reads a file that [`write()`] has written. A file without a sum, as earlier versions wrote, is read unchecked.
///
/// # Errors
/// If it cannot be read, or differs from what was written.
pub fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let content = files::read(path)?;
    let seal = seal(path);
    if !seal.exists() {
        return Ok(content);
    }
    let (sum, expected) = (FileFacts::of(&content).sha256, files::read_document(&seal)?);
    if expected.split(u8::is_ascii_whitespace).next() == Some(sum.as_bytes()) {
        return Ok(content);
    }
    let reason = format!(
        "its SHA-256 is {sum}, not that in {}: one of the two files was changed; put it back, or remove both to have their \
         work done again",
        seal.file_name().unwrap_or_default().to_string_lossy()
    );
    Err(FileError::of("use", path)(io::Error::new(
        io::ErrorKind::InvalidData,
        reason,
    )))
}

/// Checks that a file has not changed since it was written, for readers that read it piece by piece.
///
/// # Errors
/// As [`read()`].
pub fn check(path: &Path) -> Result<(), FileError> {
    read(path).map(drop)
}

/// Path of the file with the sum.
fn seal(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".sha256");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    #[test]
    fn every_change_of_a_file_or_its_sum_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("start-32.json");
        write(&path, b"{\"visits\": 31}\n").unwrap();
        assert_eq!(read(&path).unwrap(), b"{\"visits\": 31}\n");
        for file in [path.clone(), seal(&path)] {
            let whole = fs::read(&file).unwrap();
            // A change in the file name that follows the sum does no harm.
            for place in 0..whole.len().min(64) {
                let mut changed = whole.clone();
                changed[place] ^= 1;
                fs::write(&file, changed).unwrap();
                let error = read(&path).unwrap_err().to_string();
                assert!(error.contains("start-32.json: its SHA-256 is "), "{error}");
            }
            fs::write(&file, &whole).unwrap();
        }
        assert_eq!(read(&path).unwrap().len(), 15);
    }

    #[test]
    fn the_sum_is_as_sha256sum_writes_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("empty");
        write(&path, b"").unwrap();
        let expected = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty\n";
        assert_eq!(fs::read_to_string(seal(&path)).unwrap(), expected);
        // Like files of earlier versions.
        fs::remove_file(seal(&path)).unwrap();
        assert_eq!(read(&path).unwrap(), b"");
    }
}
