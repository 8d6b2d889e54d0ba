//! Finished games: as they are stored, as they are read, and as records for people.

mod jsonl;
mod records;
mod stored;

pub use jsonl::{StoredGamesError, read_games};
pub(crate) use records::record;
pub use stored::{GameResult, PlayedGame, ReplayError, Replayed};
