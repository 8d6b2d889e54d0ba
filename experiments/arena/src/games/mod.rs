//! Finished games: as they are stored, as they are read and played again, and as records for people.
//!
//! | what | where |
//! |---|---|
//! | the stored forms | [`GameResult`]; of a tournament a [`GameLine`], of a study a [`PlayedGame`] |
//! | files of them, line by line | [`GameLines`] |
//! | actions as text, one after the other | [`line_texts`] |
//! | their moves, checked | [`GameResult::replay`] |
//! | what games a folder holds, those of training too | [`GameFolder`] |

mod folder;
mod line_texts;
mod lines;
mod records;
mod replay;
mod stored;

pub use folder::{GAMES_FILE, GameFile, GameFolder, Kind};
pub use line_texts::line_texts;
pub use lines::{GameLines, GameText, Place, StoredGamesError, read_games};
pub use records::Tags;
pub(crate) use records::{chase_record, plain_record};
pub use replay::{GameFault, ReplayError, Replayed};
pub(crate) use stored::{FORFEIT, PLY_LIMIT};
pub use stored::{GameLine, GameResult, PlayedGame};
