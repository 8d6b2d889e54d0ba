//! Connect Four.

use chase_engine::ConnectFour;
use chase_engine::chase::Rules;

use super::Playable;
use crate::players::baselines::NoHeuristic;

impl Playable for ConnectFour {
    type Heuristic = NoHeuristic;

    fn heuristic() -> Option<NoHeuristic> {
        None
    }

    fn swapped(&self) -> Option<Self> {
        None
    }

    fn with_turns(_: &Rules, (): &()) {}

    fn turns(&self) -> Option<Rules> {
        None
    }
}
