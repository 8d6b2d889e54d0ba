//! Search trees that follow games.

use chase_engine::chase::Rules;
use chase_engine::search::Search;
use chase_engine::{Playable, Player};

use crate::players::agent::Decision;

/// Number of games whose trees are kept for a player: both of a pair.
const GAMES: usize = 2;

/// The trees of games in progress, each kept from a search to the next one in the same game.
///
/// All must be searched with one evaluator.
#[derive(Debug)]
pub(super) struct KeptTrees<G: Playable> {
    /// Sorted by last use, latest last.
    trees: Vec<KeptTree<G>>,
}

#[derive(Debug)]
struct KeptTree<G: Playable> {
    search: Search<G>,
    /// Path to the root of the search.
    path: GamePath<G>,
}

impl<G: Playable> Default for KeptTrees<G> {
    fn default() -> Self {
        Self { trees: Vec::new() }
    }
}

impl<G: Playable> KeptTrees<G> {
    /// The search for a decision, beginning with the tree of an earlier one in the same game; `of_player`, with that of the
    /// same player, otherwise also with that of the same position. A new tree has at most this many bytes. The caller must
    /// start the search for the decision's position.
    pub fn search(&mut self, decision: &Decision<'_, G>, of_player: bool, memory: usize) -> &mut Search<G> {
        let path = GamePath::to(decision, of_player);
        let leads = |tree: &KeptTree<G>| tree.path.leading_to(&path).is_some();
        let search = match self.trees.iter().rposition(leads) {
            Some(index) => {
                let KeptTree {
                    mut search,
                    path: before,
                } = self.trees.remove(index);
                match before.leading_to(&path).unwrap_or_default() {
                    [] => search.stay(),
                    actions => actions.iter().for_each(|&action| search.advance(action)),
                }
                search
            }
            None => {
                let most = if of_player { GAMES } else { 1 };
                let oldest = (self.trees.len() >= most).then(|| self.trees.remove(0));
                let mut search = oldest.map_or_else(|| Search::with_memory_limit(memory), |tree| tree.search);
                search.clear();
                search
            }
        };
        self.trees.push(KeptTree { search, path });
        let last = self.trees.len() - 1;
        &mut self.trees[last].search
    }
}

/// The initial state of a game, and the actions up to a search.
#[derive(Clone, Debug)]
struct GamePath<G: Playable> {
    start: G,
    turns: Option<Rules>,
    actions: Vec<G::Action>,
    /// The player who chooses, whose searches these are alone; `None` if they are anyone's.
    player: Option<Player>,
}

impl<G: Playable> GamePath<G> {
    /// The path to a decision, for its player alone or for anyone.
    fn to(decision: &Decision<'_, G>, of_player: bool) -> Self {
        Self {
            start: decision.start.clone(),
            turns: decision.start.conventions(),
            actions: decision.actions.to_vec(),
            player: of_player.then(|| decision.game.to_move()),
        }
    }

    /// The actions from here to another path, if that leads on in this game.
    ///
    /// Two games of a pair may begin alike, but the player has a different colour in each. A player's decision
    /// [without past](Decision::without_past) begins a game.
    fn leading_to<'a>(&self, other: &'a Self) -> Option<&'a [G::Action]> {
        let same_start = self.start.key() == other.start.key() && self.start.plies() == other.start.plies();
        let rest = other.actions.strip_prefix(&self.actions[..])?;
        let same = same_start && self.turns == other.turns && self.player == other.player;
        (same && (self.player.is_none() || !rest.is_empty())).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::search::{SearchParams, UniformEvaluator};
    use chase_engine::{ConnectFour, Game};

    use super::*;
    use chase_statistics::generator;

    /// Visits of the root before a search of `simulations` simulations, for the game after some columns.
    fn visits_before(trees: &mut KeptTrees<ConnectFour>, columns: &[u8], simulations: u32) -> u32 {
        let start = ConnectFour::new(&());
        let mut game = start;
        columns.iter().for_each(|&column| game.apply(column));
        let rng = &mut generator(1, &[]);
        let decision = Decision {
            game: &game,
            start: &start,
            actions: columns,
            rng,
        };
        let search = trees.search(&decision, true, Search::<ConnectFour>::DEFAULT_MEMORY_LIMIT);
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
        let mut trees = KeptTrees::default();
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
