//! UGI, the Universal Game Interface of kz04px.
//! [`engine`](crate::engine) lets any runner drive a player of ours, and [`players::external`](crate::players::external)
//! makes programs of others players of ours.
//!
//! The protocol is lines of text in both directions. [`Command`] is what a runner says and [`Reply`] what an engine
//! says; both are read and written, so that the two sides share one grammar. `docs/src/reference/ugi.md` is the page for those
//! who write the other side.

mod command;
pub(crate) mod line;
mod reply;
pub(crate) mod rules;

pub use command::{Command, CommandError, Go, Query, Start};
pub use reply::{EngineOption, Info, NO_MOVE, NoReply, OptionKind, Reply, Response, Score};
