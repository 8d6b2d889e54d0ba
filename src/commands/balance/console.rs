//! Progress of a balance study.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chase_balance::{AgentEntry, AgentReport, UnitProgress};
use chase_report::number;
use indicatif::ProgressBar;

use crate::cli;
use crate::progress_bar::progress_bar;

/// At a terminal a bar of what is being done; otherwise a line for each finished agent.
pub struct Console {
    bar: ProgressBar,
    silent: bool,
    of: usize,
    state: Mutex<State>,
}

struct State {
    /// Estimated seconds of the agents that were not finished in the beginning.
    estimates: Vec<f64>,
    /// Agents finished since then.
    finished: usize,
    began: Instant,
}

impl Console {
    pub fn new(silent: bool, of: usize, estimates: Vec<f64>) -> Self {
        let bar = progress_bar(silent, 0, "{prefix} [{bar:24}] {pos}/{len} {msg}");
        let state = State {
            estimates,
            finished: 0,
            began: Instant::now(),
        };
        Self {
            bar,
            silent,
            of,
            state: Mutex::new(state),
        }
    }

    pub fn show(&self, progress: UnitProgress) {
        let UnitProgress { entry, phase, done, of } = progress;
        self.bar.set_prefix(format!("{} {}", entry.game, entry.agent));
        self.bar.set_length(of);
        self.bar.set_position(done);
        self.bar.set_message(phase);
    }

    pub fn warn(&self, text: &str) {
        self.bar.suspend(|| cli::note(format_args!("warning: {text}")));
    }

    /// Says that an agent is finished, and what is left by the estimates and the time that was needed so far.
    pub fn finished(&self, entry: AgentEntry, report: &AgentReport) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.finished += 1;
        if self.silent {
            return;
        }
        let (done, open) = state.estimates.split_at(state.finished.min(state.estimates.len()));
        let [done, left]: [f64; 2] = [done, open].map(|seconds| seconds.iter().sum());
        let left = state.began.elapsed().as_secs_f64() * left / done.max(f64::MIN_POSITIVE);
        let score = report.budgets[1]
            .score
            .map_or(number::NONE.to_owned(), |score| number::percent(score.value));
        let number = self.of - open.len();
        let line = format!(
            "{number} of {}: {} agent {}, first player {score}, about {} left",
            self.of,
            entry.game,
            entry.agent,
            number::duration(left)
        );
        self.bar.suspend(|| cli::note(line));
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}
