//! All players as [`Agent`]s and as short texts ([`PlayerSpec`]): random and greedy play, evaluators with a search, and
//! external programs.

mod agent;
mod baselines;
mod chance;
mod contestant;
mod effort;
mod evaluators;
pub mod external;
pub(crate) mod grammar;
mod level;
mod networks;
pub mod options;
mod searches;
mod spec;

pub use agent::{
    Agent, AgentFailure, Choice, ChoiceOrForfeit, Contestant, Decision, Forfeit, Keep, SearchTask, Searched,
};
pub use baselines::LADDER;
pub use chance::Chance;
pub use contestant::{PlayerError, Usage};
pub use effort::{Effort, Efforts};
pub use evaluators::{MakeEvaluator, Networks, NoNetworks};
pub use external::EngineSpec;
pub use grammar::SpecError;
pub use level::{LEVELS, Level};
pub use networks::NetworkSpec;
pub use networks::nnue::evaluators as updatable_evaluators;
pub use networks::residual::{network_contestant, network_evaluator, network_evaluators};
pub use searches::{SearchKind, SearchSettings, TreeAgent, Unit};
pub use spec::{EvaluatorSpec, PlayerSpec, SearchLimits, SearchSpec};
