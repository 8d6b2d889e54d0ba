//! Outcomes of games, and their values for a player.

use crate::Player;

/// The end of a game. It is absolute: it names the winner, and has no point of view.
///
/// Three of the variants are results; [`Outcome::Truncated`] means that the game was stopped by a length limit and
/// has none. Statistics keep it apart from draws, and training must not read a value from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The player won.
    Win(Player),
    /// Neither player won, by a draw convention of the game.
    Draw,
    /// The length limit stopped the game: no win and no draw.
    Truncated,
}

impl Outcome {
    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Player> {
        match self {
            Self::Win(player) => Some(player),
            Self::Draw | Self::Truncated => None,
        }
    }

    /// The result as a value for `player`; `None` for a truncated game, which has no value.
    ///
    /// This is the one place where an absolute result becomes relative to a player.
    pub const fn value_for(self, player: Player) -> Option<Value> {
        match self {
            Self::Win(winner) => Some(if winner as u8 == player as u8 {
                Value::WIN
            } else {
                Value::LOSS
            }),
            Self::Draw => Some(Value::DRAW),
            Self::Truncated => None,
        }
    }

    /// `white`, `black`, `draw` or `truncated`, as in machine-readable output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win(player) => player.name(),
            Self::Draw => "draw",
            Self::Truncated => "truncated",
        }
    }
}

/// The expected result for one player, from −1 (certain loss) over 0 to +1 (certain win).
///
/// A `Value` always belongs to a player, by convention the player to act; `-value` is the opponent's.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Value(pub f32);

impl Value {
    /// A won game.
    pub const WIN: Self = Self(1.0);
    /// A drawn game.
    pub const DRAW: Self = Self(0.0);
    /// A lost game.
    pub const LOSS: Self = Self(-1.0);
}

impl std::ops::Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}
