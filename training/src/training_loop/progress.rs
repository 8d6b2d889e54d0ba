//! Progress of a run towards its limits.

use crate::config::LimitsConfig;
use crate::events::Ended;
use crate::store::run_state::RunState;

/// The limit that is reached. Of time: if more than half of a further generation would lie behind it.
pub fn reached(limits: &LimitsConfig, state: &RunState) -> Option<Ended> {
    let minutes = (state.milliseconds + state.last_milliseconds / 2) as f64 / 60_000.0;
    if limits.generations > 0 && state.generation >= limits.generations {
        Some(Ended::Generations)
    } else if limits.minutes > 0.0 && minutes >= limits.minutes {
        Some(Ended::Minutes)
    } else if limits.rows > 0 && state.rows >= limits.rows {
        Some(Ended::Rows)
    } else {
        None
    }
}

/// The part of the run that is over when `part` of the next generation is, which has `rows` new rows.
///
/// The next generation is taken to last as long as the last one. The clock itself would be different in a generation
/// that is learned again after a kill, and so would its weights.
pub fn progress(limits: &LimitsConfig, state: &RunState, rows: u64, part: f64) -> f64 {
    let share = |done: f64, limit: f64| if limit > 0.0 { done / limit } else { 0.0 };
    let milliseconds = state.milliseconds as f64 + part * state.last_milliseconds as f64;
    [
        share(state.generation as f64 + part, limits.generations as f64),
        share(milliseconds / 60_000.0, limits.minutes),
        share(state.rows as f64 + part * rows as f64, limits.rows as f64),
    ]
    .into_iter()
    .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_takes_its_share_of_the_run() {
        let state = RunState {
            generation: 8,
            milliseconds: 8 * 60_000,
            last_milliseconds: 60_000,
            rows: 800,
            ..RunState::default()
        };
        let limits = |generations, minutes, rows| LimitsConfig {
            generations,
            minutes,
            rows,
        };
        let progress = |generations, minutes, part| progress(&limits(generations, minutes, 0), &state, 100, part);
        assert_eq!([0.0, 0.5, 1.0].map(|part| progress(10, 0.0, part)), [0.8, 0.85, 0.9]);
        assert_eq!([0.0, 0.5, 1.0].map(|part| progress(0, 10.0, part)), [0.8, 0.85, 0.9]);
        // The limit that is nearer.
        assert_eq!(progress(20, 10.0, 0.5), 0.85);
        assert_eq!(progress(9, 10.0, 1.0), 1.0);
        let by_rows = |part| super::progress(&limits(0, 0.0, 1000), &state, 100, part);
        assert_eq!([0.0, 0.5, 1.0].map(by_rows), [0.8, 0.85, 0.9]);
        assert_eq!(reached(&limits(0, 0.0, 801), &state), None);
        assert_eq!(reached(&limits(9, 0.0, 800), &state), Some(Ended::Rows));
        // The generation after which a run with a limit of time ends comes near to the end of its schedule.
        assert_eq!(progress(0, 9.0, 1.0), 1.0);
    }
}
