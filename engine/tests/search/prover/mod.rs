//! Proof-number search: its verdicts against full search, exact solutions and published problems.

mod chase;
mod connect_four;
mod graphs;
mod limits;

use chase_engine::Game;
use chase_engine::proof::{Budget, Goal, GoalProgress, ProofVerdict, Prover};

/// Far more than any question here needs.
const PLENTY: u64 = 50_000_000;
/// Bytes of a table that holds everything, and of one that forgets nearly everything.
const TABLES: [usize; 2] = [1 << 20, 2000];

const fn of(reached: bool) -> ProofVerdict {
    if reached {
        ProofVerdict::Proved
    } else {
        ProofVerdict::Disproved
    }
}

/// The progress after a ply, by the definition of a turn.
fn after<G: Game>(goal: &impl Goal<G>, before: &G, next: &G, progress: GoalProgress) -> GoalProgress {
    let passed = next.outcome().is_some() || next.to_move() != before.to_move();
    GoalProgress {
        need: goal.need_after(before, next, progress.need),
        turns: progress.turns.map(|turns| turns - u32::from(passed)),
    }
}

/// Asks everything about one position, holds the answers against each other, and returns the verdict.
fn check<G: Game, T: Goal<G> + Copy>(game: &G, goal: T, bytes: usize) -> ProofVerdict {
    let mut prover = Prover::new(goal, bytes);
    let mut budget = Budget::nodes(PLENTY);
    let verdict = prover.prove(game, &mut budget);
    assert_ne!(verdict, ProofVerdict::Unknown, "{}", game.position_text());
    let actions = prover.actions(game, &mut budget);
    let all = |verdict| actions.iter().all(|&(_, found)| found == verdict);
    if !actions.is_empty() {
        // One action is enough for whoever acts, and the other player needs all.
        let expected = match game.to_move() == goal.attacker() {
            true => of(!all(ProofVerdict::Disproved)),
            false => of(all(ProofVerdict::Proved)),
        };
        assert_eq!(verdict, expected, "{} {actions:?}", game.position_text());
    }
    let line = prover.line(game, &mut budget);
    if verdict == ProofVerdict::Disproved {
        assert!(line.is_empty());
        return verdict;
    }
    let (mut end, mut progress) = (game.clone(), goal.start());
    if let (Some(first), true) = (line.first(), game.to_move() == goal.attacker()) {
        assert!(
            actions.contains(&(*first, ProofVerdict::Proved)),
            "{first:?} of {actions:?}"
        );
    }
    for action in line {
        assert_eq!(goal.decided(&end, progress), None);
        assert!(end.is_legal(action), "{action:?} in {}", end.position_text());
        let before = end.clone();
        end.apply(action);
        progress = after(&goal, &before, &end, progress);
    }
    // A small table may have forgotten what a proof without a bound consists of.
    if bytes == TABLES[0] || goal.start().turns.is_some() {
        assert_eq!(goal.decided(&end, progress), Some(true), "the line ends at the goal");
    }
    verdict
}
