//! Who plays how well: agents, matches between them, and ratings with intervals.

mod agent;
pub mod baselines;
mod evaluation;
mod match_runner;
mod openings;
pub mod rating;
pub mod report;
mod seed;
mod spec;
mod tournament;

pub use agent::{Agent, Contestant, Decision};
pub use evaluation::{Cost, EvaluationError, EvaluationReport, OpponentReport, Yardstick};
pub use match_runner::{GameResult, Match, MatchError, MatchEvent, MatchResult, PairResult};
pub use openings::{OpeningError, Openings};
pub use seed::generator;
pub use spec::{AgentSpec, AgentSpecError, LADDER};
