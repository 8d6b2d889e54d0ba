//! Self-play, replay, learner, run directories and metrics.

pub mod files;
pub mod metrics;
pub mod run_dir;
pub mod seed;
