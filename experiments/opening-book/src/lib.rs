//! Opening books: the first moves of a game, the best replies to them, and so on, as agents judge them.
//!
//! A *scout* judges every legal action of a position by a search of the position after it. The best of them are the
//! *candidates*, which all *judges* search as well: agents of other families, other seeds or larger budgets. The best
//! candidates are *followed*: the positions that they lead to are judged in the same way, ply by ply. At the end scores
//! are backed up by minimax, and so are their bounds: the least and the greatest score that any judge gives.
//!
//! Then *challengers*, other agents or longer thought, try to break the best moves. What each of these *holds* is the
//! score that is left after the best reply that anyone found. A *contest* plays games after the best first moves, until
//! only one of them can be the best.
//!
//! | module | content |
//! |---|---|
//! | [`BookConfig`] | the settings of a book |
//! | [`BookFolder`] | its directory |
//! | [`build`] | does all this: the only code here that is compiled once per game |
//! | [`Book`] | the book, as it is written to `book.json` |
//! | [`Places`] | where a position is in a book, whichever line led to it |
//! | [`page()`] | its page |
//!
//! # Example
//!
//! ```
//! use chase_opening_book::{BookConfig, Range};
//! use chase_training::settings::Settings;
//!
//! let config = BookConfig::load(None, &["plies=2".into(), "judges=['agent-41,simulations=50']".into()])?;
//! assert_eq!(config.judges.len(), 1);
//! let range = Range::of(&[0.5, 0.7]).expect("two scores");
//! assert!((range.mean - 0.6).abs() < 1e-12);
//! # Ok::<(), chase_training::settings::ConfigError>(())
//! ```

mod agent;
mod backup;
mod book;
mod build;
mod challenge;
mod challengers;
mod config;
mod contest;
mod conventions;
mod error;
mod folder;
mod guaranteed_scores;
mod judge;
mod page;
mod panel;
mod part_files;
mod played;
mod position;
mod position_index;
mod progress;
mod race;
mod read;
mod score_range;
mod shipped;
mod table;
mod write;

pub use agent::{BookAgent, BookPlayers};
pub use book::{BOOK_FILE, Book, BookLine, Provenance};
pub use build::{BookContent, build};
pub use challenge::{Answer, Challenge, Threat};
pub use config::{BookConfig, ContestConfig};
pub use contest::{Contest, ContestMove};
pub use error::BookError;
pub use folder::BookFolder;
pub use page::page;
pub use position::{BookMove, BookPosition};
pub use position_index::Places;
pub use progress::{BookProgress, BookStage, BookWatch};
pub use score_range::Range;
pub use shipped::SHIPPED;
pub use write::write;
