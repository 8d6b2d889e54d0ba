//! Networks that search.

mod game_tree;
mod level;
mod load;
mod search_agent;
mod text;

pub use level::{LEVELS, Level};
pub(crate) use load::{CACHED_POSITIONS, fused_precision};
pub use load::{LoadError, network_contestant, network_evaluator};
pub use search_agent::{SearchAgent, SearchSettings};
pub(crate) use text::FORM;
pub use text::{NetworkSpec, SearchKind};
