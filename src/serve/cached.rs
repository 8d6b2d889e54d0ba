//! Files that are read again only when they have changed, or could not be read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// What a file holds, or the reason why it cannot be used.
pub type Held<T> = Result<Arc<T>, String>;

/// The time at which a file was written, its size, and what was read of it.
type Entry<T> = (SystemTime, u64, Arc<T>);

/// What was read of files.
#[derive(Debug)]
pub struct CachedFiles<T>(Mutex<HashMap<PathBuf, Entry<T>>>);

impl<T> Default for CachedFiles<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> CachedFiles<T> {
    /// What a file holds now.
    ///
    /// # Errors
    /// If it cannot be read, or as `read`.
    pub fn get(&self, file: &Path, read: impl FnOnce() -> Result<T, String>) -> Held<T> {
        let facts = file.metadata().and_then(|facts| Ok((facts.modified()?, facts.len())));
        let (written, size) = facts.map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, length, held)) = held.get(file)
            && (*known, *length) == (written, size)
        {
            return Ok(Arc::clone(held));
        }
        // An error is not kept: the file may be readable next time, without a change.
        let new = Arc::new(read()?);
        held.insert(file.to_owned(), (written, size, Arc::clone(&new)));
        Ok(new)
    }

    /// Forgets the files that are gone.
    pub fn tidy(&self) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.retain(|file, _| file.is_file());
    }
}
