//! Searches of many positions in lock-step, and their results.

use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::search::{self, EvaluationError, Evaluations, Evaluator, Search, SearchParams};
use chase_engine::{Chase, Game, Player};

use crate::evidence::score::score;
use chase_statistics::generator;

/// Searches every position with a tree of its own; the evaluator sees one leaf of each at a time.
///
/// The result of a search depends on its position, the parameters, the evaluator and `(seed, index in games)`, not on
/// the other positions. Positions where the game is over have empty searches. `None` if `stop` was set before all were
/// done.
///
/// # Errors
/// If a parameter is out of its range, or the evaluator fails.
pub fn search_together(
    games: &[Chase],
    params: &SearchParams,
    evaluator: &mut dyn Evaluator<Chase>,
    seed: u64,
    stop: &AtomicBool,
) -> Result<Option<Vec<Search<Chase>>>, EvaluationError> {
    let mut searches = Vec::with_capacity(games.len());
    for (index, game) in games.iter().enumerate() {
        let mut search = Search::new();
        let rng = &mut generator(seed, &[index as u64]);
        let started = search.start(game, params, rng);
        started.map_err(|error| EvaluationError::Failed(error.to_string()))?;
        searches.push(search);
    }
    let mut evaluations = Evaluations::new();
    let mut all: Vec<_> = searches.iter_mut().collect();
    while search::step(&mut all, evaluator, &mut evaluations)? > 0 {
        if stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
    }
    Ok(Some(searches))
}

/// The expected score of White, from 0 to 1, with 0.5 for a draw: by the search, or exact where the game is over.
/// `None` if the game was truncated or the root is not evaluated.
pub fn white_score(game: &Chase, search: &Search<Chase>) -> Option<f64> {
    match game.outcome() {
        Some(outcome) => score(outcome),
        None => Some(search.root()?.wdl(Player::White).score()),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_engine::search::UniformEvaluator;

    use super::*;
    use crate::first_moves;

    #[test]
    fn positions_searched_together_or_alone_come_out_the_same() {
        let rules = Rules::default();
        let games: Vec<_> = first_moves()
            .iter()
            .take(5)
            .map(|first| Chase::from_position(first.result, rules))
            .collect();
        let params = SearchParams {
            simulations: 30,
            ..SearchParams::default()
        };
        let together = search_together(&games, &params, &mut UniformEvaluator, 1, &AtomicBool::new(false));
        let together = together.unwrap().unwrap();
        for (game, search) in games.iter().zip(&together) {
            let mut alone = Search::new();
            alone.start(game, &params, &mut generator(1, &[0])).unwrap();
            alone.run(&mut UniformEvaluator).unwrap();
            let visits = |search: &Search<Chase>| {
                let edges = search.root().unwrap().edges();
                edges.map(|edge| edge.visits).collect::<Vec<_>>()
            };
            assert_eq!(visits(search), visits(&alone));
            assert!((white_score(game, search).unwrap() - 0.5).abs() < 1e-6);
        }
    }

    #[test]
    fn a_finished_game_has_its_result_for_a_value() {
        // White has four dice left and is to move.
        let lost = Chase::from_position_text("abcdedcba/9/9/9/9/9/9/9/FFFF5 w", &Rules::default()).unwrap();
        let searches = search_together(
            std::slice::from_ref(&lost),
            &SearchParams::default(),
            &mut UniformEvaluator,
            1,
            &AtomicBool::new(false),
        );
        assert_eq!(white_score(&lost, &searches.unwrap().unwrap()[0]), Some(0.0));
    }
}
