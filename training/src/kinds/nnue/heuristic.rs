//! The hand-written judgement of the baseline, on the scale of a network: what the first generations play by.

use chase_engine::Heuristic;
use chase_nnue::LOGIT;

/// The value of a game for its player to move, in thousandths of a logit of the expected score.
pub fn value<G: Heuristic>(game: &G) -> i32 {
    let value = game.heuristic(game.to_move());
    (f64::from(LOGIT) * game.logit(value)).round() as i32
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;
    use chase_engine::alpha_beta::{ByGame, Evaluator, logistic};
    use chase_engine::chase::{Position, Rules};

    use super::*;

    /// Both kinds of networks learn the same expected scores from first games.
    #[test]
    fn a_value_expects_the_score_that_the_heuristic_does() {
        // White, to move, has a die more.
        let position: Position = "bbcdedcb1/9/9/9/9/9/9/9/ABCDEDCBA w".parse().expect("a position");
        let game = Chase::from_position(position, Rules::default());
        let units = game.heuristic(position.to_move());
        let found = logistic(ByGame(value).logit(&game, value(&game)));
        let expected = 1.0 / (1.0 + (-game.logit(units)).exp());
        assert!(units >= 100, "{units}");
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}
