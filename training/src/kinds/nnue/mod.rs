//! The efficiently updatable network ([`chase_nnue`]): games by alpha-beta search, and a learner of sparse inputs.
//!
//! | module | subject, in the order of a generation |
//! |---|---|
//! | [`config`] | every number that a run depends on |
//! | [`heuristic`] | the judgement that the first games are played by |
//! | [`selfplay`] | games by alpha-beta search, the same on any number of threads |
//! | [`rows`] | positions of these games, and of other runs |
//! | [`learner`] | from positions to better weights |
//! | [`checkpoint`] | networks with their provenance, and the state of the learner |
//! | [`run`] | the loop over generations, resumed exactly |
//! | [`events`] | what a run reports |
//!
//! # Example
//!
//! A network learns that a position is lost, and is quantised:
//!
//! ```
//! use chase_engine::chase::Position;
//! use chase_nnue::Network;
//! use chase_training::kinds::nnue::config::Config;
//! use chase_training::kinds::nnue::learner::Learner;
//! use chase_training::kinds::nnue::rows::Row;
//! use chase_training::settings::Settings;
//!
//! let config = Config::load(None, &["network.width=32".into(), "learner.rate=0.01".into()])?;
//! let mut learner = Learner::new(&config)?;
//! let position = Position::initial();
//! for _ in 0..200 {
//!     learner.step(&[Row::new(&position, 0.1)], 0.0)?;
//! }
//! let network = Network::quantise(&learner.weights()?)?;
//! // The logit of 0.1 is −2.2, in thousandths.
//! assert!((network.evaluate(&position) + 2200).abs() < 300);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Games, shards, value targets, optimizer, schedule, metrics and the directory of a run are those of runs of any kind.

pub mod checkpoint;
pub mod config;
pub mod events;
pub mod heuristic;
pub mod learner;
pub mod rows;
pub mod run;
pub mod selfplay;
