//! Many searches, one batch.

use super::{EvaluationError, Evaluations, Evaluator, Search};
use crate::Game;

/// Takes searches further together: selects in each of them, has all leaves that wait evaluated at once, and expands
/// them. Returns the number of leaves; 0 once all searches are over.
///
/// The leaves of a search stand side by side, searches in their order. `evaluations` is memory to be used again.
///
/// # Errors
/// If the evaluator fails or gives what is no evaluation.
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
