//! Work that many machines share: workers play the games of training runs, tournaments and evaluations.
//!
//! A machine that trains or holds a tournament offers units over a server of NATS with JetStream, and any number of
//! workers take them. A unit is a group of games with fixed seeds, so that its games are the same wherever they are
//! played, and the run's directory is the same as if one machine had played them all.
//!
//! The meaning of a unit is up to the crate that owns the work: it implements [`Work`] (the parts that are offered, and
//! whether a result can be that of its part), and plays a [`Task`] of its kind. Self-play is here, in [`selfplay`];
//! pairs of games between players are in `chase-arena`. The program's `chase worker` knows all kinds.
//!
//! | module | subject |
//! |---|---|
//! | [`address`] | the server, and who may use it |
//! | [`arithmetic`] | the arithmetic that decides the last digits of a network's output |
//! | [`mod@unit`] | offered units, and their results |
//! | [`work`], [`cluster`] | the side of the run |
//! | [`task`], [`worker`] | the side of those who play |
//! | [`roster`] | the reports of workers about themselves |
//! | [`status`] | the content of a server, for a person |
//! | [`provenance`] | a run's record of the machines that played |
//! | [`selfplay`] | units of training runs |
//!
//! # Content of the server
//! | name | content |
//! |---|---|
//! | stream `CHASE_UNITS`, subjects `chase.units.KEY` | units that are not played yet: each leaves the stream when its result is stored |
//! | key-value bucket `chase_results`, keys `KEY` | one entry for each played unit; the first worker that stores one wins |
//! | object store `chase_RUN` | the files that the run's units need, such as checkpoints, and the games of played units |
//! | key-value bucket `chase_workers`, keys `NAME.N` | one entry for each worker, which it writes every few seconds; without it the entry is gone after 30 seconds |
//!
//! A `KEY` begins with the run, epoch (such as the generation), purpose and group, and ends with a hash of everything
//! else that the games depend on, such as the checkpoint. Results stay on the server until the run's directory has made
//! them final: a training run by its `state.json`, a tournament by its file of games. So the machine that offers, a
//! worker or the server may be killed at any moment; what was not final is offered again, and what has a result already
//! is not played again.

pub mod address;
pub mod arithmetic;
mod cache;
pub mod cluster;
mod error;
pub mod provenance;
pub mod roster;
pub mod selfplay;
mod server;
pub mod status;
pub mod task;
pub mod unit;
pub mod work;
pub mod worker;

pub use address::Address;
pub use arithmetic::Arithmetic;
pub use cluster::Cluster;
pub use error::ClusterError;
pub use status::Status;
pub use task::Task;
pub use work::Work;
pub use worker::Worker;
