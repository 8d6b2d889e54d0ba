//! All players: baselines, networks that search, networks of the second family, and external programs, as [`Agent`]s
//! and as short texts ([`PlayerSpec`]).

mod agent;
pub mod baselines;
mod effort;
pub mod external;
pub(crate) mod game_path;
pub(crate) mod grammar;
mod kinds;
pub mod network;
pub mod nnue;
pub mod options;
mod text;
mod weights;

pub use agent::{Agent, AgentFailure, Choice, ChoiceOrForfeit, Contestant, Decision, Forfeit};
pub use baselines::{BaselineSpec, LADDER};
pub use effort::{Effort, Efforts};
pub use external::EngineSpec;
pub use grammar::PlayerSpecError;
pub(crate) use kinds::is_bare_network;
pub use network::{
    LEVELS, Level, LoadError, NetworkSpec, SearchAgent, SearchKind, SearchSettings, network_contestant,
    network_evaluator,
};
pub use nnue::{NnueError, NnueSpec};
pub use text::{PlayerError, PlayerSpec};

/// Default number of plies with a temperature, of both families.
const TEMPERATURE_PLIES: u32 = 8;
