//! Phases of self-play, for measuring time.

/// The work of a self-play thread between two readings of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadPhase {
    /// Descends the trees to leaves, including moves and legal actions.
    Select,
    /// Chooses an action, records the ply, and begins the next search.
    Play,
    /// Asks the evaluator; see [`super::EvaluationTimes`] for the parts.
    Evaluate,
    /// Stores evaluations in the trees and backs them up.
    Expand,
}

impl ThreadPhase {
    /// All phases, in their order.
    pub const ALL: [Self; 4] = [Self::Select, Self::Play, Self::Evaluate, Self::Expand];

    /// Name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Play => "play",
            Self::Evaluate => "evaluate",
            Self::Expand => "expand",
        }
    }
}
