//! The searches of a branch: of its own position, and of that after each continuation.

use std::sync::atomic::AtomicBool;

use chase_engine::Player;
use chase_engine::chase::Action;
use chase_engine::search::{EvaluationError, SearchParams};

use super::branch::{Branch, BranchOrigin, BranchRecord, LineRecord, action_text, proof_text};
use super::lockstep::{search_together, white_score};
use super::searcher::Searcher;

/// Searches a branch, with the simulations and the seed of the record's origin; `None` if it was stopped.
pub(super) fn search_branch(
    searcher: &Searcher,
    branch: &Branch,
    origin: BranchOrigin,
    stop: &AtomicBool,
) -> Result<Option<BranchRecord>, EvaluationError> {
    let params = SearchParams {
        simulations: origin.simulations,
        strategy: searcher.strategy,
        skip_forced: false,
    };
    // A new evaluator for each branch: one with randomness of its own must not depend on what ran before on its thread.
    let mut evaluator = searcher.evaluator()?;
    let mut games = vec![branch.game.clone()];
    games.extend(
        branch
            .continuations
            .iter()
            .map(|continuation| continuation.game.clone()),
    );
    let Some(searches) = search_together(&games, &params, evaluator.as_mut(), origin.seed, stop)? else {
        return Ok(None);
    };
    let (Some((root, searches)), position) = (searches.split_first(), branch.game.position()) else {
        return Err(EvaluationError::Count { expected: 1, found: 0 });
    };
    let lines = branch.continuations.iter().zip(searches).map(|(continuation, search)| {
        let edges = root.root().into_iter().flat_map(|root| root.edges());
        let edges: Vec<_> = edges
            .filter(|edge| continuation.actions.contains(&edge.action))
            .collect();
        let visited = edges
            .iter()
            .filter_map(|edge| Some((edge.visits, f64::from(edge.q?.0))));
        let (visits, sum) = visited.fold((0, 0.0), |(visits, sum), (n, q)| (visits + n, sum + f64::from(n) * q));
        let mover = position.to_move();
        let node = search.root();
        LineRecord {
            action: continuation.actions[0].to_string(),
            same: continuation.actions[1..].iter().map(Action::to_string).collect(),
            text: action_text(position, continuation.actions[0]),
            score: white_score(&continuation.game, search),
            draw: node.map(|node| node.wdl(Player::White).draw.into()),
            opinion: node.map(|node| {
                let value = f64::from(node.evaluation().0);
                score_of_value(continuation.game.position().to_move(), value)
            }),
            proven: proof_text(node.and_then(|node| node.proven())),
            prior: edges.iter().map(|edge| f64::from(edge.prior)).sum(),
            visits,
            root_score: (visits > 0).then(|| score_of_value(mover, sum / f64::from(visits))),
        }
    });
    Ok(Some(BranchRecord {
        score: white_score(&branch.game, root),
        lines: lines.collect(),
        origin,
    }))
}

/// White's expected score, from the value for a player.
fn score_of_value(player: Player, value: f64) -> f64 {
    match player {
        Player::White => (1.0 + value) / 2.0,
        Player::Black => (1.0 - value) / 2.0,
    }
}
