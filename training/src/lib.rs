//! Training: self-play, replay, the learner, and the loop around them, in a run directory that survives anything.
//!
//! | module | subject, in the order of a generation |
//! |---|---|
//! | [`settings`], [`config`] | configurations of any kind; every number that a run depends on |
//! | [`seed`] | the generators of a run |
//! | [`selfplay`] | games in lock-step groups, the same on any number of threads |
//! | [`game_record`] | a finished game |
//! | [`venue`] | the place where games are played: this process, or many |
//! | [`replay`] | games as Parquet shards, the window of the newest rows, and the batches drawn from it |
//! | [`learner`] | losses, optimizers, schedule, averaged weights |
//! | [`training_loop`] | the generations, and how each of them becomes final |
//! | [`data_set`] | games of one network, without learning |
//! | [`kinds`] | the kinds of networks: how each plays, learns and is saved |
//! | [`openings`], [`metrics`], [`events`] | reports of a run; ratings come from outside, through [`events::Observer`] |
//! | [`parallel`] | numbered pieces of work on many threads |
//! | [`store`], [`sources`] | the directory of a run, its settings and state, files and tables, and their provenance |
//!
//! # Example
//!
//! From self-play games, here without a network, to a batch for the learner:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! use chase_engine::{ConnectFour, search::UniformEvaluator};
//! use chase_training::config::Config;
//! use chase_training::game_record::Purpose;
//! use chase_training::replay::{BatchMaker, Buffer};
//! use chase_training::seed::{self, Stream};
//! use chase_training::selfplay::{self, Counters, SelfplayError, Settings};
//! use chase_engine::Playable;
//!
//! let settings = "game = 'connect-four'\nnetwork = { hex = false, wrap = false }\nsearch.simulations = 8";
//! let config = Config::load(Some(("example.toml", settings)), &[])?;
//! let mut buffer = Buffer::<ConnectFour>::default();
//! selfplay::play(
//!     &mut [UniformEvaluator],
//!     &selfplay::groups(4, 4),
//!     &Settings::new(&config, Purpose::Selfplay, 0),
//!     &AtomicBool::new(false),
//!     &Counters::default(),
//!     |_, games| Ok::<(), SelfplayError>(buffer.add(&games)),
//!     || (),
//! )?;
//! let rows = buffer.draw(16, &mut seed::generator(config.seed, Stream::Replay, 0, 0));
//! let maker = BatchMaker::new(config.game_encoding::<ConnectFour>(), &config.replay, &config.learner);
//! let batch = maker.make(&buffer, &rows);
//! assert_eq!(batch.planes.dim(), (16, 2, 6, 7));
//! assert_eq!(batch.value.dim(), (16, 3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A run directory
//! | path | content |
//! |---|---|
//! | `config.toml` | the resolved configuration, written before the first game, and again when a resumed run changes it |
//! | `meta.json` | versions, commit, seed, command line, machine; for a branch, the run it comes from |
//! | `state.json` | progress of the run; replacing it makes a generation final |
//! | `games/gen-NNNNNN/*.parquet` | games, one row per ply: see [`replay::shard`] |
//! | `games/gen-NNNNNN/*.unfinished` | games that the next generation continues: see [`replay::unfinished`] |
//! | `checkpoints/gen-NNNNNN/` | the network that plays after this generation, and the learner's state |
//! | `openings/gen-NNNNNN-*.{json,csv}` | opening statistics: see [`openings`] |
//! | `metrics.jsonl`, `tb/` | figures, as JSON lines and for TensorBoard: see [`metrics`] |
//! | `cluster.json` | written by `chase-cluster`, where other machines have played |
//! | `log.txt`, `LOCK` | events with times; the lock of the process that writes here |

pub mod config;
pub mod data_set;
pub mod events;
pub mod game_record;
pub mod kinds;
pub mod learner;
pub mod metrics;
pub mod openings;
pub mod parallel;
pub mod replay;
pub mod seed;
pub mod selfplay;
pub mod settings;
pub mod sources;
pub mod store;
pub mod training_loop;
pub mod venue;
