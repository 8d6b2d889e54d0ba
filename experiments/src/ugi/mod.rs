//! UGI, the Universal Game Interface of kz04px, in both directions: players of ours that any runner can drive
//! ([`serve`]), and programs of others as players of ours ([`ExternalSpec`]).
//!
//! The protocol is lines of text in both directions. [`Command`] is what a runner says and [`Reply`] what an engine
//! says; both are read and written, so that the two sides share one grammar. `experiments/UGI.md` is the page for those
//! who write the other side.

mod command;
mod engine;
mod external;
mod line;
mod process;
mod reply;
mod thinker;

pub use command::{Command, CommandError, Go, Query, Start};
pub use engine::{Identity, NO_MOVE, serve};
pub use external::ExternalSpec;
pub use process::{Process, ProcessError};
pub use reply::{EngineOption, Info, NoReply, OptionKind, Reply, Response, Score};
pub use thinker::{AgentThinker, AlphaBetaThinker, Line, ThinkLimits, Thinker, Thought, TreeThinker, Watch};
