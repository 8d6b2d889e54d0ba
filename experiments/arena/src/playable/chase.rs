//! Chase.

use chase_engine::Chase;
use chase_engine::chase::Rules;

use super::Playable;
use crate::games::{GameResult, Tags, chase_record};
use crate::players::baselines::ChaseHeuristic;

impl Playable for Chase {
    type Heuristic = ChaseHeuristic;

    fn heuristic() -> Option<ChaseHeuristic> {
        Some(ChaseHeuristic)
    }

    fn swapped(&self) -> Option<Self> {
        Some(Self::from_position(self.position().rotated(), *self.rules()))
    }

    fn with_turns(turns: &Rules) -> Rules {
        *turns
    }

    fn turns(&self) -> Option<Rules> {
        Some(*self.rules())
    }

    /// In the article's notation.
    fn record(tags: &Tags<'_>, game: &GameResult, rules: &Rules) -> Result<String, String> {
        chase_record(tags, game, rules)
    }
}
