//! UGI, the Universal Game Interface of kz04px.
//! [`engine`](crate::engine) lets any runner drive our players, and [`players::external`](crate::players::external)
//! makes external programs players of ours.
//!
//! The protocol consists of lines of text in both directions. A runner sends a [`Command`], and an engine sends a
//! [`Reply`]; both are parsed and printed, so that the two sides share one grammar. `docs/src/reference/ugi.md`
//! documents it for authors of the other side.

mod command;
pub(crate) mod line;
mod reply;
pub(crate) mod rules;

pub use command::{Command, CommandError, Go, Query, Start};
pub use reply::{EngineOption, Info, NO_MOVE, Reply, Response, UgiScore};
