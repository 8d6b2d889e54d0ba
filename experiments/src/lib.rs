//! Who plays how well: agents, matches between them, and ratings with intervals; and what a search makes of a position.

mod agent;
pub mod analysis;
pub mod baselines;
pub mod connect_four;
mod evaluation;
pub mod explorer;
mod game_tree;
mod match_runner;
mod network_evaluation;
mod openings;
mod player;
pub mod rating;
pub mod report;
mod round_robin;
mod search_agent;
mod seed;
mod spec;
pub mod study;
pub mod tournament;
pub mod ugi;

pub use agent::{Agent, AgentFailure, Choice, Contestant, Decision, Forfeit};
pub use evaluation::{Cost, EvaluationError, EvaluationReport, OpponentReport, Yardstick};
pub use match_runner::{GameResult, Match, MatchError, MatchEvent, MatchResult, PairResult};
pub use network_evaluation::{
    NetworkEvaluation, NetworkReport, RateError, Rateable, network_contestant, network_evaluator,
};
pub use openings::{OpeningError, Openings};
pub use player::{NetworkSpec, PlayerError, PlayerSpec, SearchKind};
pub use search_agent::{SearchAgent, SearchSettings};
pub use seed::generator;
pub use spec::{AgentSpec, AgentSpecError, LADDER};
