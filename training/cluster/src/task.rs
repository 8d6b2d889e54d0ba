//! A unit in the hands of the worker that plays it.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use chase_models::device::Device;
use chase_training::selfplay::Counters;
use serde::de::DeserializeOwned;

use crate::cache::Cache;
use crate::server::Server;
use crate::unit::Unit;

/// A unit to be played, and what it can have.
#[derive(Debug)]
pub struct Task<'a> {
    pub(crate) server: &'a Server,
    pub(crate) cache: &'a Mutex<Cache>,
    pub(crate) device: Device,
    pub(crate) unit: &'a Unit,
    /// The work done for it so far.
    pub(crate) counters: &'a Counters,
    pub(crate) give_back: &'a AtomicBool,
}

impl Task<'_> {
    /// The unit.
    pub const fn unit(&self) -> &Unit {
        self.unit
    }

    /// The kind of its work.
    pub fn kind(&self) -> &str {
        &self.unit.part.kind
    }

    /// The work to be done, in the form of its kind.
    ///
    /// # Errors
    /// If it does not have that form.
    pub fn work<T: DeserializeOwned>(&self) -> Result<T, String> {
        let work = T::deserialize(&self.unit.part.work);
        work.map_err(|error| format!("the unit is none of kind `{}`: {error}", self.kind()))
    }

    /// A small file of its run.
    ///
    /// # Errors
    /// If it cannot be fetched, or has another hash.
    pub fn file(&self, sha256: &str) -> Result<Arc<Vec<u8>>, String> {
        self.cache().file(self.server, &self.unit.run, sha256)
    }

    /// Loads a checkpoint of its run, whose manifest has this hash, from its folder. Nothing must be left there for
    /// later.
    ///
    /// # Errors
    /// If it cannot be fetched.
    pub fn with_checkpoint<T>(&self, manifest: &str, load: impl FnOnce(&Path) -> T) -> Result<T, String> {
        // Held until it is loaded: another thread may want others, and this one removed.
        let mut cache = self.cache();
        let folder = cache.checkpoint(self.server, &self.unit.run, manifest)?;
        Ok(load(&folder))
    }

    /// Counters of the work that is done for it, which the worker reports.
    pub const fn counters(&self) -> &Counters {
        self.counters
    }

    /// The device of the worker's networks.
    pub const fn device(&self) -> Device {
        self.device
    }

    /// Set if the unit is to be given up.
    pub const fn give_back(&self) -> &AtomicBool {
        self.give_back
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
