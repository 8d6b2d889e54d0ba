//! The draughts games.

use chase_engine::Draughts;
use chase_engine::Player;
use chase_engine::draughts::{Cell, Conventions, Rules, Symmetry};

use super::Playable;
use crate::players::NoUpdatable;

impl Playable for Draughts {
    type Updatable = NoUpdatable;

    fn swapped(&self) -> Option<Self> {
        // The symmetry that only changes to the view of the other side: it maps b1 as that view does, without shifting
        // files.
        let game = self.variation();
        let [from, beside] = [Cell::new(1, 0), Cell::new(0, 0)];
        let exchanges = |symmetry: &Symmetry| {
            [from, beside].map(|cell| symmetry.cell(game, cell))
                == [from, beside].map(|cell| cell.seen_by(Player::Black, game.base()))
        };
        let symmetry = Symmetry::all(game).into_iter().find(exchanges)?;
        Some(Self::from_position(self.position().under(symmetry), *self.rules()))
    }

    fn with_turns(turns: &Conventions, standard: &Rules) -> Rules {
        Rules {
            conventions: *turns,
            ..*standard
        }
    }

    fn turns(&self) -> Option<Conventions> {
        Some(self.rules().conventions)
    }

    fn position_key(&self) -> u128 {
        self.position().key()
    }
}
