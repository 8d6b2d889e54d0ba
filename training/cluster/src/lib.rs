//! Work that many machines share, whatever it is: games of training runs, matches, tournaments and studies.
//!
//! A unit is the description of a [`Job`] and the input files that it names. It is done by any worker of the same
//! [`Version`], and the bytes of its result depend on nothing else, so that a run is the same on any number of machines.
//! The machine that has the run offers units on a server of NATS with JetStream ([`Cluster::finish`]), checks each result
//! once ([`Job::check`]), and alone writes to the run's directory.
//!
//! The crate that owns some work implements [`Job`] for it. Self-play is here, in [`selfplay`]; pairs of games between
//! players are in `chase-arena`, and files of a study in `chase-opening-study`. The program's `chase worker` knows all
//! kinds.
//!
//! | module | subject |
//! |---|---|
//! | [`address`] | the server, and who may use it |
//! | [`version`] | what must agree for the same bytes |
//! | [`job`] | kinds of work, and a unit in the hands of a worker |
//! | [`mod@unit`] | units as they travel |
//! | [`cluster`] | the side of the run |
//! | [`worker`], [`presence`] | the side of those who play, and their reports about themselves |
//! | [`status`] | the content of a server, for a person |
//! | [`provenance`] | a run's record of the machines that did its work |
//! | [`selfplay`] | units of training runs |
//!
//! # Content of the server
//! | name | content |
//! |---|---|
//! | stream `CHASE_WORK`, subjects `chase.work.VERSION.RUN.HASH` | units that are not done yet: each leaves the stream when its result is stored |
//! | its consumers `VERSION` | one for each version, which delivers no units of others; `mixed` has those for every version |
//! | object store `chase_RUN` | input files of the run's units (`file/SHA-256`), and results (`result/RUN.HASH/WORKER`) |
//! | key-value bucket `chase_workers`, keys `WORKER` | one entry for each worker, which it writes every few seconds; without it the entry is gone after 30 seconds |
//!
//! The `HASH` is that of everything that the result depends on. Units of another version, or messages other than units,
//! are never delivered, so they cannot stop a run or a worker. Results stay on the server until the run's directory has made
//! them final: a training run by its `state.json`, a tournament by its file of games. So the machine that offers, a
//! worker or the server may be killed at any moment; what was not final is offered again, and what has a result already
//! is not done again.

pub mod address;
pub mod cluster;
mod error;
pub mod job;
pub mod presence;
pub mod provenance;
pub mod selfplay;
mod server;
pub mod status;
pub mod unit;
pub mod version;
pub mod worker;

pub use address::Address;
pub use cluster::Cluster;
pub use error::ClusterError;
pub use job::{Job, Task};
pub use status::Status;
pub use version::Version;
pub use worker::Worker;
