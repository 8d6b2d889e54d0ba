//! The placement games have no heuristic.

use chase_engine::placement::{Placement, Position};

use crate::heuristic::{Judged, NoHeuristic};

impl<P: Position> Judged for Placement<P> {
    type Heuristic = NoHeuristic;

    fn heuristic() -> Option<NoHeuristic> {
        None
    }
}
