//! Files that runs of any kind have: a directory that one process holds, files that appear whole or not at all, the
//! settings that a run was begun with, its provenance, and tables.

mod checkpoints;
pub mod files;
pub mod gather;
mod lock;
mod meta;
mod open_run;
pub mod run_dir;
pub mod run_kind;
pub mod run_state;
pub mod serialised;
pub mod tables;

pub use open_run::{OpenRun, RunSettings, rules_version};
