//! Connect Four.

use chase_engine::chase::Rules;
use chase_engine::{ConnectFour, Game};

use super::Playable;
use crate::players::NoUpdatable;

impl Playable for ConnectFour {
    type Updatable = NoUpdatable;

    fn swapped(&self) -> Option<Self> {
        None
    }

    fn with_turns(_: &Rules, (): &()) {}

    fn turns(&self) -> Option<Rules> {
        None
    }

    fn position_key(&self) -> u128 {
        self.key()
    }
}
