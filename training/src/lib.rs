//! Training: self-play, replay, the learner, and the loop around them, in a run directory that survives anything.
//!
//! In the order of a generation:
//! - [`config`]: every number that a run depends on; [`seed`]: where its randomness comes from.
//! - [`selfplay`]: games in lock-step groups, the same with any number of threads. A finished game is a
//!   [`game_record::GameRecord`].
//! - [`replay`]: games as Parquet shards, the window of the newest rows, and the batches drawn from it.
//! - [`learner`]: losses, optimizers, schedule, averaged weights.
//! - [`training_loop`]: the generations, and what makes each of them final.
//! - [`openings`], [`metrics`], [`events`]: what a run says about itself. Ratings come from outside, through
//!   [`events::Observer`].
//!
//! # A run directory
//! | path | content |
//! |---|---|
//! | `config.toml` | the resolved configuration, written before the first game, and again when a resumed run changes it |
//! | `meta.json` | versions, commit, seed, command line, machine; which run it left, if it is a branch |
//! | `state.json` | where the run stands; its replacement makes a generation final |
//! | `games/gen-NNNNNN/*.parquet` | games, one row a ply: see [`replay::shard`] |
//! | `checkpoints/gen-NNNNNN/` | the network that plays after this generation, and the learner's state |
//! | `openings/gen-NNNNNN-*.{json,csv}` | opening statistics: see [`openings`] |
//! | `metrics.jsonl`, `tb/` | figures, as JSON lines and for TensorBoard: see [`metrics`] |
//! | `log.txt`, `LOCK` | events with times; the lock of the process that works here |

pub mod config;
mod config_file;
mod config_problems;
pub mod events;
pub mod files;
pub mod game_record;
mod games;
pub mod learner;
pub mod metrics;
pub mod openings;
pub mod replay;
pub mod run_dir;
pub mod run_state;
pub mod seed;
pub mod selfplay;
pub mod sources;
pub mod trainable;
pub mod training_loop;
