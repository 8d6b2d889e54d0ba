//! Compares the balance of games and rule variants: agents of equal budget are trained for each, several per game, and
//! what they play is measured.
//!
//! The method follows Tomašev, Paquet, Hassabis and Kramnik, *Assessing Game Balance with AlphaZero: Exploring
//! Alternative Rule Sets in Chess* (2020), and adds intervals. An agent is one training run; games of one agent are not
//! independent evidence about the game, so that agents, not games, are the units of every interval between variants.
//!
//! | module | subject |
//! |---|---|
//! | [`BalanceConfig`] | the settings of a study |
//! | [`Study`] | its directory, and the units of its work |
//! | [`run_agent`] | trains and measures one agent: the only code here that is compiled once per game |
//! | [`AgentReport`] | what one agent's games and searches say |
//! | [`OverAgents`] | a number over agents trained alike, with its interval |
//! | [`effects()`] | what the properties do in which games differ |
//! | [`BalanceReport`] | everything, as it is written to `balance.json` |
//! | [`page()`] | the page |
//!
//! # Example
//!
//! ```
//! use chase_balance::{BalanceConfig, Relative};
//! use chase_engine::GameName;
//!
//! let config = BalanceConfig::load(None, &["games=['checkers', 'stax-uni']".into(), "agents=2".into()])?;
//! assert_eq!(config.units().len(), 4);
//! assert_eq!(Relative::of(GameName::StaxUni).family, "draughts");
//! # Ok::<(), chase_training::settings::ConfigError>(())
//! ```

mod agent;
mod agent_run;
mod config;
mod effects;
mod error;
mod estimate;
mod first_moves;
mod games;
mod ladder;
mod measured_number;
mod over_agents;
mod page;
mod plan;
mod report;
mod study;
mod table;
mod variants;
mod wording;
mod write;

pub use agent::{AgentReport, BudgetReport, TrainingFacts};
pub use agent_run::{BalanceWatch, UnitProgress, run_agent};
pub use config::{AgentEntry, BalanceConfig};
pub use effects::{Comparison, Measure, PropertyEffect, effects};
pub use error::BalanceError;
pub use estimate::estimates;
pub use first_moves::{FirstMove, StartMoves};
pub use ladder::{Classes, LadderReport, Rung, Step};
pub use measured_number::Measured;
pub use over_agents::OverAgents;
pub use page::page;
pub use plan::{ComparisonPower, Plan};
pub use report::{BalanceReport, GameReport, MovesReport};
pub use study::Study;
pub use variants::Relative;
pub use write::{REPORT_FILE, write_report};
