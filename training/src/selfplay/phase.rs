//! Where the time of self-play goes.

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
