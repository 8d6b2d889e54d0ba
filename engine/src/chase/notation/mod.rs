//! Text forms: positions (CFEN), actions (exact and as in the article), game records, and pictures of the board.

mod article;
mod cfen;
mod error;
mod exact;
mod record;
mod rules;

pub use error::{ParseError, ParseErrorKind};
pub use record::{Ply, Record, RecordError, Termination};
