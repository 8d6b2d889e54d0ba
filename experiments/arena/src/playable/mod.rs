//! What players, matches and texts for people must know of a game beyond training: a module a game.

mod chase;
mod connect_four;
mod draughts;

use chase_baselines::Judged;
use chase_engine::Depict;
use chase_engine::chase::Rules;
use chase_training::trainable::Trainable;

use crate::analysis::{Request, RequestError};
use crate::games::{GameResult, Tags, plain_record};

/// A game that can be played against others and looked at.
pub trait Playable: Trainable + Depict + Judged {
    /// The same game seen from the other side of the board, with the players exchanged; `None` if the game has no such
    /// symmetry, or its history does not fit.
    fn swapped(&self) -> Option<Self>;

    /// Conventions of turns as this game's; a game without such conventions takes no notice of them.
    fn with_turns(turns: &Rules) -> Self::Rules;

    /// The conventions of turns that this game is played under; `None` if it has none.
    fn turns(&self) -> Option<Rules>;

    /// A legal action as people write it.
    fn people_text(&self, action: Self::Action) -> String {
        self.action_text(action)
    }

    /// The game that a request asks about.
    ///
    /// # Errors
    /// If a text in the request cannot be read, or an action is not legal where it stands.
    fn requested(request: &Request) -> Result<Self, RequestError> {
        request.game_of()
    }

    /// A finished game as people read it.
    ///
    /// # Errors
    /// With the reason, if the game cannot be played under these rules, or is recorded otherwise than it was played.
    fn record(tags: &Tags<'_>, game: &GameResult, rules: &Self::Rules) -> Result<String, String> {
        plain_record::<Self>(tags, game, rules)
    }
}
