//! Requirements on a game, beyond training, for players, matches and texts for people: one module per game.

mod chase;
mod connect_four;
mod draughts;
mod placement;

use std::sync::Arc;

use chase_baselines::Judged;
use chase_engine::alpha_beta::Evaluator;
use chase_engine::chase::Rules;
use chase_engine::{Depict, Game};
use chase_nnue::Network;
use chase_training::trainable::Trainable;

use crate::analysis::{Request, RequestError};
use crate::games::PlainRecord;

/// A game that can be played against others and displayed.
pub trait Playable: Trainable + Depict + Judged + Game<Action: Ord> {
    /// What judges positions by an efficiently updatable network; [`NoUpdatable`](crate::players::NoUpdatable) where there are
    /// none for the game.
    type Updatable: Evaluator<Self> + Send + 'static;

    /// The same game seen from the other side of the board, with the players swapped; `None` if the game has no such
    /// symmetry, or its history is not symmetric.
    fn swapped(&self) -> Option<Self>;

    /// The same position with the other player to move, as if the player to move passed, without its history; `None` if
    /// no such position is legal. It shows what the other player threatens.
    fn passed(&self) -> Option<Self> {
        None
    }

    /// The rules of the same game as `standard` with these conventions of turns; a game without such conventions
    /// ignores them.
    fn with_turns(turns: &Rules, standard: &Self::Rules) -> Self::Rules;

    /// The conventions of turns of this game; `None` if it has none.
    fn turns(&self) -> Option<Rules>;

    /// Identifies the position alone, without its history and the counters of conventions: games that reach it by
    /// different ways are counted together there.
    fn position_key(&self) -> u128;

    /// A legal action in the notation for people.
    fn people_text(&self, action: Self::Action) -> String {
        self.action_text(action)
    }

    /// The game that a request describes.
    ///
    /// # Errors
    /// If a text in the request cannot be parsed, or an action is not legal in its position.
    fn requested(request: &Request, standard: &Self::Rules) -> Result<Self, RequestError> {
        request.game_of(standard)
    }

    /// Makes an evaluator with an efficiently updatable network; `None` if there are none for the game.
    fn updatable() -> Option<fn(Arc<Network>) -> Self::Updatable> {
        None
    }

    /// A record as text for people.
    ///
    /// # Errors
    /// The reason that the notation of the game cannot express it.
    fn record_text(record: &PlainRecord<Self>) -> Result<String, String> {
        Ok(record.to_string())
    }

    /// Reads the text of a record.
    ///
    /// # Errors
    /// The reason that it is none.
    fn read_record(text: &str, standard: &Self::Rules) -> Result<PlainRecord<Self>, String> {
        PlainRecord::read(text, standard).map_err(|error| error.to_string())
    }
}
