//! Requirements on a game, beyond its rules and planes, that make it trainable.

use chase_baselines::Judged;
use chase_engine::Player;
use chase_models::Encode;

use crate::config::Config;
use crate::settings::Problem;

/// Content of a cell at the end of a game, as the class of the occupancy head.
pub mod occupancy {
    /// A piece of the viewing player.
    pub const OWN: u8 = 0;
    /// A piece of the opponent.
    pub const ENEMY: u8 = 1;
    /// No piece.
    pub const NOTHING: u8 = 2;
}

/// A game that can be trained.
pub trait Trainable: Encode + Judged {
    /// The conventions set in a configuration.
    fn rules(config: &Config) -> Self::Rules;

    /// The planes set in a configuration.
    fn encoding(config: &Config) -> Self::Encoding;

    /// Adapts the default configuration to this game.
    fn adjust(config: &mut Config);

    /// Settings that are invalid for this game in particular, in the order of the sections.
    fn problems(config: &Config) -> Vec<Problem>;

    /// The same action in the mirror image of a game; `None` where mirror images are not equal, as in Chase. The
    /// initial position must be its own mirror image.
    fn mirrored(&self, action: Self::Action) -> Option<Self::Action>;

    /// Content of each cell, `[H, W]` as [`Encode::encode`] lays them out when `viewer` is to move; classes of
    /// [`occupancy`]. Replaces the content of `cells`.
    fn occupancy(&self, viewer: Player, cells: &mut Vec<u8>);

    /// The viewer's material minus the opponent's, as fractions of a player's initial material: the target of an
    /// auxiliary head. 0 in a game where material means nothing.
    fn material(&self, viewer: Player) -> f32;
}
