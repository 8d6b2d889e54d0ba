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
mod line_texts;
mod lines;
mod records;
mod replay;
mod stored;

pub use folder::{DESIGN_FILE, GAMES_FILE, GameFile, GameFolder, GameKind};
pub use line_texts::line_texts;
pub use lines::{GameLines, GameText, LinePlace, StoredGamesError, read_games};
pub use records::{END_OF_OPENING, Tags, record_of};
pub use replay::{GameFault, ReplayError, Replayed};
pub(crate) use stored::FORFEIT;
pub use stored::{GameLine, GameResult, PLY_LIMIT, PlayedGame};
