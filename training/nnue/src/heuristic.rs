//! The hand-written judgement of the baseline, on the scale of a network: what the first generations play by.

use chase_baselines::{ChaseHeuristic, Heuristic};
use chase_engine::Chase;
use chase_engine::chase::{Position, Rules};

/// Thousandths of a logit for one unit of the heuristic, which is a hundredth of the tenth die.
const UNIT: i32 = 10;

/// The value of a position for its player to move, in thousandths of a logit of the expected score.
pub fn value(position: &Position) -> i32 {
    let game = Chase::from_position(*position, Rules::default());
    UNIT * ChaseHeuristic.evaluate(&game, position.to_move())
}
