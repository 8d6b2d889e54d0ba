//! Games of equal players from forced openings, and their facts.
//!
//! A player plays against itself: from every first move, from the replies that the article names, and from the initial
//! position. [`Series`] are the games with the same forced plies; the games with the same number in all series are a
//! block, the unit of resampling: those of one player share their randomness. Games come in rounds, each of which
//! doubles their number, for the series whose questions are still open.
//!
//! Finished work is on disk: a killed study can be resumed, with the same result as an uninterrupted one.
//! `docs/src/study/games.md` documents it.

mod config;
mod design;
mod facts;
pub(crate) mod job;
mod pass;
mod play;
mod rounds;
mod series;
mod series_id;
mod tables;

pub use config::GamesConfig;
pub use design::{Design, FOLDER_VERSION, StudyPlayer};
pub use facts::{EARLY_PLIES, GameFacts, LINE_PLIES};
pub(crate) use play::{Beginning, Conditions, OneAgent, play};
pub(crate) use rounds::Rounds;
pub use rounds::{GamesData, GamesEvent};
pub use series::{Answered, Series, answered_openings};
pub use series_id::{ForcedPlies, SeriesId, SeriesIdError, SeriesKind};
pub(crate) use tables::table;
