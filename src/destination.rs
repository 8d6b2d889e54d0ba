//! A file that a person names for the output of a command, written as a shell's `>` would write it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// An output that a person named: pipes and devices are written to, links are followed, and modes stay. It is opened
/// before the work, so that a path that cannot be written is refused at once. A file keeps its content until there is
/// something to write.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
    file: File,
    /// True until the first byte is written.
    untouched: bool,
    /// True if the file was not there before: if nothing is written, it is removed again.
    created: bool,
}

impl Destination {
    /// Opens the file at `path`, which is created if it is not there.
    ///
    /// # Errors
    /// If it cannot be opened for writing.
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let created = !path.exists();
        let opened = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        Ok(Self {
            file: opened.with_context(|| format!("cannot write {}", path.display()))?,
            path: path.to_owned(),
            untouched: true,
            created,
        })
    }

    /// Opens the file of an option, if it was given.
    ///
    /// # Errors
    /// As [`Destination::open`].
    pub fn of(path: Option<&Path>) -> anyhow::Result<Option<Self>> {
        path.map(Self::open).transpose()
    }

    /// Writes all that there is to write.
    ///
    /// # Errors
    /// If it cannot be written, as on a full disk.
    pub fn write_whole(mut self, content: &[u8]) -> anyhow::Result<()> {
        let written = self.write_all(content);
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Write for Destination {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.untouched && self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.untouched = false;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Destination {
    fn drop(&mut self) {
        if self.untouched && self.created {
            // The command has failed, and says why.
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::io::Read;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    fn write(path: &Path, content: &str) -> Result<(), String> {
        let destination = Destination::open(path).map_err(|error| format!("{error:#}"))?;
        destination
            .write_whole(content.as_bytes())
            .map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_file_keeps_its_mode_and_its_neighbours_and_a_link_its_target() {
        let home = tempfile::tempdir().unwrap();
        let (file, link) = (home.path().join("picture.svg"), home.path().join("link"));
        fs::write(&file, "a longer text from before").unwrap();
        fs::write(home.path().join("picture.svg.tmp"), "not ours").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        let before = fs::metadata(&file).unwrap().ino();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        let after = fs::metadata(&file).unwrap();
        assert_eq!((after.ino(), after.mode() & 0o777), (before, 0o640));
        assert!(link.is_symlink());
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 3);
        // A link to nothing leads to a new file.
        let dangling = home.path().join("dangling");
        symlink(home.path().join("made"), &dangling).unwrap();
        write(&dangling, "here").unwrap();
        assert_eq!(fs::read_to_string(home.path().join("made")).unwrap(), "here");
        // As long a name as there may be: there is no room for an ending.
        write(&home.path().join("n".repeat(255)), "long").unwrap();
    }

    #[test]
    fn a_pipe_is_written_to_and_a_device_stays() {
        let home = tempfile::tempdir().unwrap();
        let pipe = home.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                File::open(pipe)
                    .unwrap()
                    .read_to_string(&mut text)
                    .map(|_| text)
                    .unwrap()
            }
        });
        write(&pipe, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        write(Path::new("/dev/null"), "nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        let full = write(Path::new("/dev/full"), "text").unwrap_err();
        assert!(full.starts_with("cannot write /dev/full: No space left"), "{full}");
    }

    #[test]
    fn what_cannot_be_written_is_refused_at_once_and_nothing_is_lost_or_left() {
        let home = tempfile::tempdir().unwrap();
        for (path, reason) in [
            (home.path().join("none/file"), "No such file"),
            (home.path().into(), "Is a directory"),
        ] {
            let error = write(&path, "text").unwrap_err();
            assert!(error.starts_with("cannot write ") && error.contains(reason), "{error}");
        }
        let file = home.path().join("file");
        drop(Destination::open(&file).unwrap());
        assert!(!file.exists());
        fs::write(&file, "old").unwrap();
        drop(Destination::open(&file).unwrap());
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
    }
}
