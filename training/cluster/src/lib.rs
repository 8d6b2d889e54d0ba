//! One run on many machines: workers play the games of a training run, and its learner collects them.
//!
//! A learner offers units over a server of NATS with JetStream, and any number of workers take them. A unit is a group of
//! games with fixed seeds, so that its games are the same wherever they are played, and the run's directory is the same as if
//! one machine had played them all.
//!
//! | module | subject |
//! |---|---|
//! | [`address`] | the server, and who may use it |
//! | [`arithmetic`] | what decides the last digits of a network's output |
//! | [`mod@unit`] | what is offered, and what is given back |
//! | [`cluster`] | the side of the run |
//! | [`worker`] | the side of those who play |
//! | [`roster`] | what workers say about themselves |
//! | [`status`] | what is on a server, for a person |
//!
//! # What is on the server
//! | name | content |
//! |---|---|
//! | stream `CHASE_UNITS`, subjects `chase.units.KEY` | units that are not played yet: each leaves the stream when its result is stored |
//! | key-value bucket `chase_results`, keys `KEY` | one entry for each played unit; the first worker that stores one wins |
//! | object store `chase_RUN` | the run's configuration, the checkpoints that play, and the games of played units |
//! | key-value bucket `chase_workers`, keys `NAME.N` | one entry for each worker, which it writes every few seconds; without it the entry is gone after 30 seconds |
//!
//! A `KEY` begins with the run, generation, purpose and group, and ends with a hash of everything else that the games depend on,
//! such as the checkpoint. Results stay on the server until the run's `state.json` has made them final: the learner removes them
//! when it next offers units. So a learner, a worker or the server may be killed at any moment; what was not final is offered
//! again, and what has a result already is not played again.

pub mod address;
pub mod arithmetic;
mod cache;
pub mod cluster;
mod error;
pub mod roster;
mod server;
pub mod status;
pub mod unit;
pub mod worker;

pub use address::Address;
pub use arithmetic::Arithmetic;
pub use cluster::Cluster;
pub use error::ClusterError;
pub use status::Status;
pub use worker::Worker;
