//! The tests of each claim. A file is named by its claims; A1, A2, and B8 with B10 have several files, one for each
//! kind of evidence.
//!
//! The tests go by the rules alone, by games, or by searches. [`exact()`] makes the findings
//! that follow from the rules, [`run()`] those from games, [`dice()`] those from the facts about dice in them,
//! [`forks()`] those from forks, [`values()`] those on the calibration of searches' expectations, and
//! [`SearchEvidence::findings`](crate::evidence::search::SearchEvidence::findings) those from searches.

mod a1_budgets;
mod a1_d1_outcomes;
mod a1_mixture;
mod a1_quiet_turns;
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
mod c1_entries;
mod c2_material;
mod c3_captures;
mod c4_clumps;
mod c5_c6_mobility;
mod d2_d3_d4_entry;
mod d5_problems;
mod dice_findings;
mod exact;
mod fork_findings;
mod games_data;
mod games_study;
pub(crate) mod method;
mod search_findings;

pub use a1_values::findings as values;
pub use balance::{Balance, GamesBalance, PieMove, PieRule};
pub use dice_findings::findings as dice;
pub use exact::findings as exact;
pub use fork_findings::{ForkSummary, findings as forks, summaries as fork_summaries};
pub use games_data::{FirstMoveData, GamesData, SeriesData};
pub use games_study::{GamesStudy, run};
pub use method::forks::ForkEstimate;
pub use method::search::{LEAST_RUNS, MARGIN};
