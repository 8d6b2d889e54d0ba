//! The tests of the claims. `tests.toml` has an entry for each; `method/` has the statistics that answer them. A file here
//! is named by its claims, and has what no entry can say.
//!
//! The tests go by the rules alone, by games, or by searches. [`exact()`] makes the findings
//! that follow from the rules, [`run()`] those from games, [`dice()`] those from the facts about dice in them,
//! [`forks()`] those from forks, [`values()`] those on the calibration of searches' expectations, and
//! [`SearchEvidence::findings`](crate::evidence::search::SearchEvidence::findings) those from searches.

mod a1_budgets;
mod a1_d1_outcomes;
mod a1_mixture;
mod a1_values;
mod a2_openings;
mod a2_rankings;
mod a2_searches;
mod b11_fives;
mod b1_safe;
mod b2_b3_b6_chamber;
mod b4_b5_exchanges;
mod b7_b9_poor;
mod b8_b10_rankings;
mod b8_b10_replies;
mod b8_b10_searches;
mod balance;
mod d2_d3_d4_entry;
mod d5_problems;
mod dice_findings;
mod dice_tables;
mod exact;
mod fork_findings;
mod games_data;
mod games_study;
pub(crate) mod method;
mod regressions;
mod search_findings;
#[cfg(test)]
pub(crate) mod tests;

pub use a1_values::findings as values;
pub use balance::{Balance, GamesBalance, PieMove, PieRule};
pub use dice_findings::findings as dice;
pub use exact::findings as exact;
pub use fork_findings::{ForkSummary, findings as forks, summaries as fork_summaries};
pub use games_data::{FirstMoveData, GamesData, SeriesData};
pub use games_study::{GamesStudy, run};
pub use method::forks::ForkEstimate;
pub use method::search::{LEAST_RUNS, MARGIN};
