//! The draughts games.

use chase_engine::Draughts;
use chase_engine::Player;
use chase_engine::chase::Rules;
use chase_engine::draughts::{Cell, Symmetry, Variant};

use super::Playable;
use crate::players::baselines::DraughtsHeuristic;

impl<V: Variant> Playable for Draughts<V> {
    type Heuristic = DraughtsHeuristic;

    fn heuristic() -> Option<DraughtsHeuristic> {
        Some(DraughtsHeuristic)
    }

    fn swapped(&self) -> Option<Self> {
        // The symmetry that only changes to the view of the other side: it maps b1 as that view does, without shifting
        // files.
        let [from, beside] = [Cell::new(1, 0), Cell::new(0, 0)];
        let exchanges = |symmetry: &Symmetry| {
            [from, beside].map(|cell| symmetry.cell::<V>(cell))
                == [from, beside].map(|cell| cell.seen_by(Player::Black, V::BASE))
        };
        let symmetry = Symmetry::all::<V>().into_iter().find(exchanges)?;
        Some(Self::from_position(self.position().under(symmetry), *self.rules()))
    }

    fn with_turns(turns: &Rules) -> Rules {
        *turns
    }

    fn turns(&self) -> Option<Rules> {
        Some(*self.rules())
    }
}
