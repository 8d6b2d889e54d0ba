//! A folder whose files each keep their content once written, with their SHA-256 in one file among them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use chase_models::manifest::FileFacts;

use crate::files::{self, FileError};

/// The file with the sums, which `sha256sum --check` reads as well.
pub const SUMS_FILE: &str = "SHA256SUMS";

/// The sums of a folder's files.
#[derive(Clone, Debug)]
pub struct Sums {
    folder: PathBuf,
    /// By name, 64 hexadecimal digits.
    sums: BTreeMap<String, String>,
}

impl Sums {
    /// The sums of a folder, which may have none. A line that is not a sum, or is about a file elsewhere, is left out:
    /// its file counts as never written.
    ///
    /// # Errors
    /// If the file with the sums is there and cannot be read.
    pub fn of(folder: &Path) -> Result<Self, FileError> {
        let path = folder.join(SUMS_FILE);
        let text = match path.exists() {
            true => files::read_document(&path)?,
            false => Vec::new(),
        };
        let text = String::from_utf8_lossy(&text);
        let line = |line: &str| {
            let (sum, name) = line.split_once("  ")?;
            let here = Path::new(name).file_name().is_some_and(|file| file == name);
            here.then(|| (name.to_owned(), sum.to_owned()))
        };
        Ok(Self {
            folder: folder.into(),
            sums: text.lines().filter_map(line).collect(),
        })
    }

    /// Writes a file of the folder whole, and then its sum.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn write(&mut self, name: &str, content: &[u8]) -> Result<(), FileError> {
        files::write_whole(&self.folder.join(name), content)?;
        self.sums.insert(name.to_owned(), FileFacts::of(content).sha256);
        let lines: String = self.sums.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
        files::write_whole(&self.folder.join(SUMS_FILE), lines.as_bytes())
    }

    /// The names of files that are not as they were written, or not there any more.
    pub fn changed(&self) -> Vec<String> {
        let same = |name: &str, sum: &str| {
            files::read(&self.folder.join(name)).is_ok_and(|content| FileFacts::of(&content).sha256 == sum)
        };
        let changed = self.sums.iter().filter(|(name, sum)| !same(name, sum));
        changed.map(|(name, _)| name.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::fs;

    use super::*;

    #[test]
    fn files_that_change_or_vanish_are_named() {
        let directory = tempfile::tempdir().unwrap();
        let folder = directory.path();
        let mut sums = Sums::of(folder).unwrap();
        assert!(sums.changed().is_empty());
        for name in ["a.json", "b.csv", "c.json"] {
            sums.write(name, name.as_bytes()).unwrap();
        }
        sums.write("c.json", b"again").unwrap();
        let again = Sums::of(folder).unwrap();
        assert_eq!(again.sums, sums.sums);
        assert!(again.changed().is_empty());
        fs::write(folder.join("a.json"), "b.json").unwrap();
        fs::remove_file(folder.join("c.json")).unwrap();
        assert_eq!(again.changed(), ["a.json", "c.json"]);
        // A change of the sums is one of the file.
        fs::write(folder.join("a.json"), "a.json").unwrap();
        fs::write(folder.join("c.json"), "again").unwrap();
        let lines = fs::read_to_string(folder.join(SUMS_FILE)).unwrap();
        assert_eq!(lines.lines().count(), 3);
        let digit = if lines.starts_with('0') { "1" } else { "0" };
        fs::write(folder.join(SUMS_FILE), digit.to_owned() + &lines[1..]).unwrap();
        assert_eq!(Sums::of(folder).unwrap().changed(), ["a.json"]);
    }

    #[test]
    fn files_elsewhere_are_not_read() {
        let directory = tempfile::tempdir().unwrap();
        let lines = "00  /dev/zero\n00  ../other\n00  .\n00  ..\n00  a/b\n00  here\n";
        fs::write(directory.path().join(SUMS_FILE), lines).unwrap();
        assert_eq!(Sums::of(directory.path()).unwrap().changed(), ["here"]);
    }
}
