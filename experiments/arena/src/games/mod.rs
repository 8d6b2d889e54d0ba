//! Finished games: stored forms, reading and replaying, and records for people.
//!
//! | content | type |
//! |---|---|
//! | the stored forms | [`GameResult`]; for a tournament [`GameLine`], for a study [`PlayedGame`] |
//! | files of them, line by line | [`GameLines`] |
//! | actions as text, one after the other | [`line_texts`] |
//! | their moves, checked | [`GameResult::replay`] |
//! | a game as text for people | [`record_of`] |
//! | the games in a folder, including those of training | [`GameFolder`] |

mod folder;
mod lines;
mod replay;
mod stored;

pub use folder::{DESIGN_FILE, GAMES_FILE, GameFile, GameFolder, GameKind};
pub use lines::{GameLines, GameText, LinePlace, StoredGamesError, read_games};
pub use replay::{END_OF_OPENING, GameFault, ReplayError, Replayed, Tags, line_texts, record_of};
pub(crate) use stored::FORFEIT;
pub use stored::{GameLine, GameResult, PLY_LIMIT, PlayedGame};
