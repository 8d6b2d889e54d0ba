//! Where the time of self-play goes.

use std::time::Instant;

use super::Counters;

/// What a thread of self-play does between two looks at the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Goes down the trees to leaves, moves and legal actions included.
    Select,
    /// Chooses an action, records the ply, and begins the next search.
    Play,
    /// Asks the evaluator; see [`super::EvaluationTimes`] for what that is made of.
    Evaluate,
    /// Stores evaluations in the trees and backs them up.
    Expand,
}

impl Phase {
    /// All phases, in their order.
    pub const ALL: [Self; 4] = [Self::Select, Self::Play, Self::Evaluate, Self::Expand];

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Play => "play",
            Self::Evaluate => "evaluate",
            Self::Expand => "expand",
        }
    }
}

/// Gives all time since it was started to phases.
///
/// A look at the clock takes some 30 ns: three of them a batch and two a ply are not seen beside milliseconds of
/// evaluation.
#[derive(Debug)]
pub(super) struct Stopwatch<'a> {
    counters: &'a Counters,
    last: Instant,
}

impl<'a> Stopwatch<'a> {
    pub(super) fn start(counters: &'a Counters) -> Self {
        Self {
            counters,
            last: Instant::now(),
        }
    }

    /// The time since the last lap belongs to `phase`.
    pub(super) fn lap(&mut self, phase: Phase) {
        let now = Instant::now();
        Counters::add_time(&self.counters.phases[phase as usize], now - self.last);
        self.last = now;
    }
}
