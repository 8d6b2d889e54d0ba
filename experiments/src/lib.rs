//! Who plays how well: agents, matches between them, and ratings with intervals.

mod agent;
pub mod baselines;
mod seed;

pub use agent::{Agent, Contestant, Decision};
pub use seed::generator;
