//! The placement games.

use chase_engine::chase::Rules as Conventions;
use chase_engine::placement::{Placement, Rules};
use chase_models::encoding::Shown;

use super::Playable;
use crate::players::NoUpdatable;

impl<P: Shown> Playable for Placement<P> {
    type Updatable = NoUpdatable;

    fn swapped(&self) -> Option<Self> {
        let symmetry = P::symmetries()
            .into_iter()
            .find(|symmetry| symmetry.exchanges_players())?;
        Some(Self::from_position(self.position().under(symmetry), *self.rules()))
    }

    /// These games have no limit of quiet turns.
    fn with_turns(turns: &Conventions, _: &Rules) -> Rules {
        Rules {
            repetition: turns.repetition,
            max_turns: turns.max_turns,
        }
    }

    fn turns(&self) -> Option<Conventions> {
        Some((*self.rules()).into())
    }

    fn position_key(&self) -> u128 {
        self.position().key()
    }
}
