//! Self-play, replay, learner, run directories and metrics.

pub mod config;
pub mod files;
pub mod metrics;
pub mod run_dir;
pub mod seed;
