//! Search trees that follow games.

use chase_engine::search::Search;
use chase_engine::{Game, Player};

use crate::players::agent::Decision;

/// Games whose trees are kept: both of a pair.
const GAMES: usize = 2;

/// The trees of one player in games in progress, each kept from a decision to the player's next one in the same game.
///
/// All must be searched with one evaluator.
#[derive(Debug)]
pub struct GameTrees<G: Game> {
    /// The one used last stands last.
    trees: Vec<GameTree<G>>,
}

#[derive(Debug)]
struct GameTree<G: Game> {
    search: Search<G>,
    start: G,
    /// The actions from `start` to the root of the search.
    actions: Vec<G::Action>,
    player: Player,
}

impl<G: Game> Default for GameTrees<G> {
    fn default() -> Self {
        Self { trees: Vec::new() }
    }
}

impl<G: Game> GameTrees<G> {
    /// The search for a decision, with what an earlier one of the same player in the same game has left in its tree. It
    /// is to be started for the decision's position.
    ///
    /// A decision [without past](Decision::without_past) begins a game.
    pub fn search(&mut self, decision: &Decision<'_, G>) -> &mut Search<G> {
        let known = self.trees.iter().rposition(|tree| tree.leads_to(decision));
        let tree = match known {
            Some(index) => {
                let mut tree = self.trees.remove(index);
                for &action in &decision.actions[tree.actions.len()..] {
                    tree.search.advance(action);
                }
                tree
            }
            None => {
                let oldest = (self.trees.len() >= GAMES).then(|| self.trees.remove(0));
                let mut search = oldest.map_or_else(Search::new, |tree| tree.search);
                search.clear();
                GameTree {
                    search,
                    start: decision.start.clone(),
                    actions: Vec::new(),
                    player: decision.game.to_move(),
                }
            }
        };
        self.trees.push(tree);
        let last = self.trees.len() - 1;
        let tree = &mut self.trees[last];
        tree.actions.clear();
        tree.actions.extend_from_slice(decision.actions);
        &mut tree.search
    }
}

impl<G: Game> GameTree<G> {
    /// Whether a decision is a later one of this player in this game.
    ///
    /// Two games of a pair may begin alike, but the player has another colour in each.
    fn leads_to(&self, decision: &Decision<'_, G>) -> bool {
        let same_start = self.start.key() == decision.start.key() && self.start.plies() == decision.start.plies();
        same_start
            && self.player == decision.game.to_move()
            && decision.actions.len() > self.actions.len()
            && decision.actions.starts_with(&self.actions)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::ConnectFour;
    use chase_engine::search::{SearchParams, UniformEvaluator};

    use super::*;
    use chase_statistics::generator;

    /// Visits of the root that the trees know before a search of so many simulations, for the game after some columns.
    fn visits_before(trees: &mut GameTrees<ConnectFour>, columns: &[u8], simulations: u32) -> u32 {
        let start = ConnectFour::new(&());
        let mut game = start;
        columns.iter().for_each(|&column| game.apply(column));
        let rng = &mut generator(1, &[]);
        let search = trees.search(&Decision {
            game: &game,
            start: &start,
            actions: columns,
            rng,
        });
        let params = SearchParams {
            simulations,
            ..SearchParams::default()
        };
        search.start(&game, &params, &mut generator(1, &[])).unwrap();
        let before = search.root().map_or(0, |root| root.visits());
        search.run(&mut UniformEvaluator).unwrap();
        before
    }

    #[test]
    fn a_tree_follows_its_game_and_no_other() {
        let mut trees = GameTrees::default();
        assert_eq!(visits_before(&mut trees, &[3], 2000), 0);
        let kept = visits_before(&mut trees, &[3, 3, 2], 2000);
        assert!(kept > 10 && kept < 2000, "{kept} visits are kept over two plies");
        // The other game of the pair begins alike, but there the player has the other colour.
        assert_eq!(visits_before(&mut trees, &[3, 3], 500), 0);
        let next = visits_before(&mut trees, &[3, 3, 2, 2], 500);
        assert!(next > 3 && next < 500, "{next} visits in the other game");
        // Both go on in turn.
        assert!(visits_before(&mut trees, &[3, 3, 2, 2, 4], 500) > 0);
        assert!(visits_before(&mut trees, &[3, 3, 2, 2, 4, 1], 500) > 0);
        // What is played does not fit to either, and then a game begins again.
        assert_eq!(visits_before(&mut trees, &[3, 3, 1, 2, 4], 500), 0);
        assert_eq!(visits_before(&mut trees, &[3], 500), 0);
        assert_eq!(
            visits_before(&mut trees, &[3], 500),
            0,
            "an action taken back begins a game"
        );
        assert_eq!(trees.trees.len(), GAMES);
    }
}
