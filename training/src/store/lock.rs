//! The lock that keeps a second process out of a run directory.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Seek, Write};
use std::path::Path;
use std::time::Duration;

use super::files::FileError;
use super::run_dir::RunDirError;

/// Name of the file that is locked, within the directory.
pub(super) const LOCK: &str = "LOCK";

/// A directory that is locked as long as the value lives.
///
/// The operating system locks the file `LOCK` and the directory, so that the lock ends with the process that holds it,
/// even after `kill -9`: no lock can be stale. The process id in the file is for messages.
#[derive(Debug)]
pub(super) struct Lock {
    /// Held, never read: closing the file releases its lock.
    _file: File,
    /// The directory, held in the same way where the system can.
    folder: Option<File>,
}

#[cfg(unix)]
fn is_same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// Locks a file, at the latest after a fifth of a second. A process that is being started holds the locks of the one that
/// starts it until its own program runs.
fn lock_soon(file: &File) -> Result<(), TryLockError> {
    for _ in 0..20 {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            done => return done,
        }
    }
    file.try_lock()
}

impl Lock {
    /// Locks a directory.
    ///
    /// # Errors
    /// If another process has locked it, or the file cannot be written.
    pub(super) fn of(directory: &Path) -> Result<Self, RunDirError> {
        let path = directory.join(LOCK);
        let in_use = || {
            let holder = fs::read_to_string(&path).unwrap_or_default().trim().to_owned();
            RunDirError::InUse {
                path: directory.into(),
                holder: if holder.is_empty() { "unknown".into() } else { holder },
            }
        };
        // Also lock the directory, where the system can: that lock holds even if someone removes the file.
        let folder = File::open(directory).ok();
        if let Some(Err(TryLockError::WouldBlock)) = folder.as_ref().map(lock_soon) {
            return Err(in_use());
        }
        let opened = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path);
        let mut file = opened.map_err(FileError::of("open", &path))?;
        match lock_soon(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(in_use()),
            Err(TryLockError::Error(error)) => return Err(FileError::of("lock", &path)(error).into()),
        }
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| writeln!(file, "{}", std::process::id()))
            .map_err(FileError::of("write", &path))?;
        Ok(Self { _file: file, folder })
    }

    /// True if the locked directory is at this path, or the system cannot tell.
    pub(super) fn is_of(&self, path: &Path) -> bool {
        let Some(held) = self.folder.as_ref().and_then(|folder| folder.metadata().ok()) else {
            return true;
        };
        fs::metadata(path).is_ok_and(|there| is_same(&there, &held))
    }
}
