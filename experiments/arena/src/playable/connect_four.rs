//! Connect Four.

use chase_engine::ConnectFour;
use chase_engine::chase::Rules;

use super::Playable;

impl Playable for ConnectFour {
    fn swapped(&self) -> Option<Self> {
        None
    }

    fn with_turns(_: &Rules, (): &()) {}

    fn turns(&self) -> Option<Rules> {
        None
    }
}
