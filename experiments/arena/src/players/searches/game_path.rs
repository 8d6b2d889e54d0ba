//! The way of a game up to a search, to recognize later positions of the same game.

use chase_engine::chase::Rules;
use chase_engine::{Playable, Player};

use crate::players::agent::Decision;

/// The initial state of a game, and the actions up to a search.
#[derive(Clone, Debug)]
pub(super) struct GamePath<G: Playable> {
    start: G,
    turns: Option<Rules>,
    actions: Vec<G::Action>,
    /// The player who chooses, whose searches these are alone; `None` if they are anyone's.
    player: Option<Player>,
}

impl<G: Playable> GamePath<G> {
    /// The path to a decision, for its player alone or for anyone.
    pub fn to(decision: &Decision<'_, G>, of_player: bool) -> Self {
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
    pub fn leading_to<'a>(&self, other: &'a Self) -> Option<&'a [G::Action]> {
        let same_start = self.start.key() == other.start.key() && self.start.plies() == other.start.plies();
        let rest = other.actions.strip_prefix(&self.actions[..])?;
        let same = same_start && self.turns == other.turns && self.player == other.player;
        (same && (self.player.is_none() || !rest.is_empty())).then_some(rest)
    }
}
