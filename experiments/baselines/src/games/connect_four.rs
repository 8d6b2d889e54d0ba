//! Connect Four has no heuristic: a solver plays it perfectly.

use chase_engine::ConnectFour;

use crate::heuristic::{Judged, NoHeuristic};

impl Judged for ConnectFour {
    type Heuristic = NoHeuristic;

    fn heuristic() -> Option<NoHeuristic> {
        None
    }
}
