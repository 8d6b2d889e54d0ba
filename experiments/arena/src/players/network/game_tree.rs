//! Search trees that follow games.

use chase_engine::Game;
use chase_engine::search::Search;

use crate::players::agent::Decision;
use crate::players::game_path::GamePath;

/// Number of games whose trees are kept: both of a pair.
const GAMES: usize = 2;

/// The trees of one player in games in progress, each kept from a decision to the player's next one in the same game.
///
/// All must be searched with one evaluator.
#[derive(Debug)]
pub struct GameTrees<G: Game> {
    /// Sorted by last use, latest last.
    trees: Vec<GameTree<G>>,
}

#[derive(Debug)]
struct GameTree<G: Game> {
    search: Search<G>,
    /// Path to the root of the search.
    path: GamePath<G>,
}

impl<G: Game> Default for GameTrees<G> {
    fn default() -> Self {
        Self { trees: Vec::new() }
    }
}

impl<G: Game> GameTrees<G> {
    /// The search for a decision, beginning with the tree of an earlier decision of the same player in the same game.
    /// The caller must start it for the decision's position.
    ///
    /// A decision [without past](Decision::without_past) begins a game.
    pub fn search(&mut self, decision: &Decision<'_, G>) -> &mut Search<G> {
        let leads = |tree: &GameTree<G>| tree.path.leading_to(decision).is_some();
        let search = match self.trees.iter().rposition(leads) {
            Some(index) => {
                let GameTree { mut search, path } = self.trees.remove(index);
                for &action in path.leading_to(decision).unwrap_or_default() {
                    search.advance(action);
                }
                search
            }
            None => {
                let oldest = (self.trees.len() >= GAMES).then(|| self.trees.remove(0));
                let mut search = oldest.map_or_else(Search::new, |tree| tree.search);
                search.clear();
                search
            }
        };
        let path = GamePath::to(decision);
        self.trees.push(GameTree { search, path });
        let last = self.trees.len() - 1;
        &mut self.trees[last].search
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::ConnectFour;
    use chase_engine::search::{SearchParams, UniformEvaluator};

    use super::*;
    use chase_statistics::generator;

    /// Visits of the root before a search of `simulations` simulations, for the game after some columns.
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
        // The other game of the pair begins alike, but the player has the other colour.
        assert_eq!(visits_before(&mut trees, &[3, 3], 500), 0);
        let next = visits_before(&mut trees, &[3, 3, 2, 2], 500);
        assert!(next > 3 && next < 500, "{next} visits in the other game");
        // Both games continue in turn.
        assert!(visits_before(&mut trees, &[3, 3, 2, 2, 4], 500) > 0);
        assert!(visits_before(&mut trees, &[3, 3, 2, 2, 4, 1], 500) > 0);
        // This fits neither game, and a new game begins.
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
