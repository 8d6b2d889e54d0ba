//! Self-play, replay, learner, run directories and metrics.

pub mod config;
pub mod events;
pub mod files;
pub mod game_record;
pub mod learner;
pub mod metrics;
pub mod openings;
pub mod replay;
pub mod run_dir;
pub mod run_state;
pub mod seed;
pub mod selfplay;
pub mod trainable;
pub mod training_loop;
