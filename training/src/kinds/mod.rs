//! Kinds of networks that are trained: what is of one kind alone has its own folder.

pub mod nnue;

use std::fs;
use std::path::Path;

use chase_nnue::NETWORK_FILE;

use crate::store::run_dir::CONFIG_FILE;

/// The kind of a network, which decides how it learns, is stored and plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkKind {
    /// A residual network, for tree search.
    Residual,
    /// An efficiently updatable network, for alpha-beta search.
    Nnue,
}

impl NetworkKind {
    /// The kind that a configuration trains: one of residual networks names none.
    pub fn of_settings(text: &str) -> Self {
        // Invalid TOML is reported by its reader.
        match text.parse::<toml::Table>() {
            Ok(table) if table.contains_key("family") => Self::Nnue,
            _ => Self::Residual,
        }
    }

    /// The kind of the network in the folder of a checkpoint, or of those of a training run.
    pub fn of(folder: &Path) -> Self {
        if folder.join(NETWORK_FILE).is_file() {
            return Self::Nnue;
        }
        let settings = fs::read_to_string(folder.join(CONFIG_FILE)).unwrap_or_default();
        Self::of_settings(&settings)
    }
}
