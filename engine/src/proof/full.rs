//! Full search of the last turns.

use super::Budget;
use super::goal::{Goal, GoalProgress, after_ply};
use crate::Game;

/// Plies of a full search: two for each of two turns. Longer turns are left to the search with a table, which detects
/// endless ones.
const DEEPEST: usize = 4;

/// Memory for a full search, one level for each ply.
#[derive(Debug)]
pub(super) struct FullSearch<G: Game> {
    levels: Vec<Level<G>>,
}

#[derive(Debug)]
struct Level<G: Game> {
    game: G,
    actions: Vec<G::Action>,
}

impl<G: Game> Default for FullSearch<G> {
    fn default() -> Self {
        Self { levels: Vec::new() }
    }
}

impl<G: Game> FullSearch<G> {
    /// Searches in full: true if the goal is reached, with the plies of the longest deciding line examined. `None` if
    /// the budget is spent first, or turns have too many plies.
    pub(super) fn search(
        &mut self,
        goal: &impl Goal<G>,
        game: &G,
        progress: GoalProgress,
        budget: &mut Budget<'_>,
    ) -> Option<(bool, u16)> {
        if self.levels.is_empty() {
            self.levels.resize_with(DEEPEST, || Level {
                game: game.clone(),
                actions: Vec::new(),
            });
        }
        decide(&mut self.levels, goal, game, progress, budget)
    }
}

fn decide<G: Game>(
    levels: &mut [Level<G>],
    goal: &impl Goal<G>,
    game: &G,
    progress: GoalProgress,
    budget: &mut Budget<'_>,
) -> Option<(bool, u16)> {
    if let Some(reached) = goal.decided(game, progress) {
        return Some((reached, 0));
    }
    let (level, rest) = levels.split_first_mut()?;
    if !budget.spend() {
        return None;
    }
    let attacks = game.to_move() == goal.attacker();
    game.legal_actions(&mut level.actions);
    let mut longest = 0;
    for &action in &level.actions {
        level.game.clone_from(game);
        level.game.apply(action);
        let progress = after_ply(goal, game, &level.game, progress);
        let (reached, plies) = decide(rest, goal, &level.game, progress, budget)?;
        if reached == attacks {
            return Some((reached, plies + 1));
        }
        longest = longest.max(plies + 1);
    }
    // Without actions no goal is reached.
    Some((!attacks && !level.actions.is_empty(), longest))
}
