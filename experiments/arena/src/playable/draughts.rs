//! The draughts games.

use chase_engine::Draughts;
use chase_engine::Player;
use chase_engine::chase::Rules;
use chase_engine::draughts::{Cell, Symmetry, Variant};

use super::Playable;

impl<V: Variant> Playable for Draughts<V> {
    fn swapped(&self) -> Option<Self> {
        // The one that is nothing but the view of the other side: it moves b1 as that does, and leaves no file shifted.
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
