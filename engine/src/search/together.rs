//! Batches across many searches.

use super::{EvaluationError, Evaluations, Evaluator, Search};
use crate::Game;

/// Advances several searches: selects in each of them, evaluates all waiting leaves at once, and expands them. Returns
/// the number of leaves; 0 once all searches are over.
///
/// The leaves of a search are adjacent, and searches are in order. `evaluations` is reused memory.
///
/// # Errors
/// If the evaluator fails or returns an invalid evaluation.
pub fn step<G: Game>(
    searches: &mut [&mut Search<G>],
    evaluator: &mut (impl Evaluator<G> + ?Sized),
    evaluations: &mut Evaluations,
) -> Result<usize, EvaluationError> {
    for search in searches.iter_mut() {
        search.select();
    }
    let leaves: Vec<_> = searches.iter().flat_map(|search| search.leaves()).collect();
    let expected = leaves.len();
    if expected == 0 {
        return Ok(0);
    }
    evaluations.fill(evaluator, &leaves)?;
    let mut evaluations = evaluations.iter();
    for search in searches {
        let waiting = search.leaves().len();
        for evaluation in evaluations.by_ref().take(waiting) {
            search.expand(evaluation)?;
        }
    }
    Ok(expected)
}
