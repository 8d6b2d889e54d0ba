//! Analyses of positions: reports on what a search has found, and streams of requests for them.
//!
//! One position is searched by [`Agent::search`](crate::Agent::search) of any player that is
//! [ready](crate::PlayerSpec::ready) for an analysis; many requests, as JSON, by a [`Desk`].
//!
//! # Points of view
//! Every value, Q and [`Wdl`](chase_engine::Wdl) is for the player to move in the analysed position, including those of
//! its actions: +1 is that player's win, −1 the opponent's. Outcomes (`white`, `black`, `draw`) are absolute, including
//! proven ones.

mod desk;
mod report;
mod request;

use serde::Serialize;

pub use desk::{Answer, Desk, DeskSettings};
pub use report::{ActionReport, AnalysisReport, WdlReport};
pub use request::{Message, ReportOptions, Request, RequestError};

/// The reason for the end of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisEnd {
    /// All simulations are done.
    Simulations,
    /// All nodes of an alpha-beta search are visited.
    Nodes,
    /// The depth is reached, or there is a single legal action.
    Depth,
    /// The time is up.
    Time,
    /// The result of perfect play is proven.
    Proven,
    /// The tree has reached its limit of memory.
    Memory,
    /// The game is over in the position.
    GameOver,
    /// It was stopped.
    Stopped,
}
