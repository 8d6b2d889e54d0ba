//! What training must know about a game beyond its rules and its planes.

use chase_engine::Player;
use chase_models::Encode;

use crate::config::{Config, Problem};

/// A cell's content at the end of a game, as class of the occupancy head.
pub mod occupancy {
    /// A piece of the player in whose view the board is.
    pub const OWN: u8 = 0;
    /// A piece of the opponent.
    pub const ENEMY: u8 = 1;
    /// Nothing.
    pub const NOTHING: u8 = 2;
}

/// A game that can be trained.
pub trait Trainable: Encode {
    /// The conventions that a configuration asks for.
    fn rules(config: &Config) -> Self::Rules;

    /// The planes that a configuration asks for.
    fn encoding(config: &Config) -> Self::Encoding;

    /// Changes the default configuration to what suits this game.
    fn adjust(config: &mut Config);

    /// What is wrong with a configuration for this game in particular, in the order of the sections.
    fn problems(config: &Config) -> Vec<Problem>;

    /// What an action is called in the mirror image of a game; `None` where mirror images are not equal, as in Chase. The
    /// start must be its own mirror image.
    fn mirrored(action: Self::Action) -> Option<Self::Action>;

    /// What stands on each cell, `[H, W]` as [`Encode::encode`] lays them out when `viewer` is to move; classes of
    /// [`occupancy`]. Replaces the content of `cells`.
    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>);

    /// The viewer's material minus the opponent's, as fractions of what a player has at the start: the target of an auxiliary
    /// head. 0 in a game where material says nothing.
    fn material(&self, viewer: Player) -> f32;
}
