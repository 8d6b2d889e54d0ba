//! Pairs of games that other machines play: a kind of units of `chase-cluster`.
//!
//! [`Terms`] say under which conditions who plays, and are sent once; a unit then names [`Meetings`], and its result
//! holds their games. Networks are sent by the hashes of their checkpoints. Programs that speak UGI are not: what they
//! do on another machine is not known.

mod check;
mod play;
mod terms;
mod venue;

pub(crate) use check::Expected;
pub use play::{game, play};
pub use terms::{KIND, Meeting, Meetings, Package, PlayerFiles, RatedSearch, RemoteError, RemotePlayer, Start, Terms};
pub(crate) use venue::Elsewhere;
