//! A player's path in a game up to its last choice, to recognize later choices in the same game.

use chase_engine::{Game, Player};

use super::agent::Decision;

/// The initial state of a game, the actions up to a choice, and the player who chose.
#[derive(Clone, Debug)]
pub(crate) struct GamePath<G: Game> {
    start: G,
    actions: Vec<G::Action>,
    player: Player,
}

impl<G: Game> GamePath<G> {
    /// The path to a decision.
    pub fn to(decision: &Decision<'_, G>) -> Self {
        Self {
            start: decision.start.clone(),
            actions: decision.actions.to_vec(),
            player: decision.game.to_move(),
        }
    }

    /// The actions from here to a decision, if it is a later one of this player in this game.
    ///
    /// Two games of a pair may begin alike, but the player has a different colour in each. A decision
    /// [without past](Decision::without_past) begins a game.
    pub fn leading_to<'a>(&self, decision: &Decision<'a, G>) -> Option<&'a [G::Action]> {
        let same_start = self.start.key() == decision.start.key() && self.start.plies() == decision.start.plies();
        let rest = decision.actions.strip_prefix(&self.actions[..])?;
        (same_start && self.player == decision.game.to_move() && !rest.is_empty()).then_some(rest)
    }

    /// The initial state of the game.
    pub const fn start(&self) -> &G {
        &self.start
    }
}
