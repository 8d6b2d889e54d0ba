//! Numbers measured in games.

use chase_engine::Player;
use serde::Deserialize;

use crate::evidence::games::GameFacts;
use chase_statistics::MeanMethod;

/// A number measured in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Measure {
    /// Score of the first player.
    Score,
    /// The same, by games from the initial position and games after forced first moves together.
    MixedScore,
    /// Games that end in a win, without truncated ones.
    Decisive,
    /// Games not drawn by a convention; truncated ones are not drawn.
    NotDrawn,
    /// Dice lost by both sides early in the game.
    EarlyCaptures,
    /// Dice that the first player lost early, and won early.
    EarlyLosses,
    EarlyWins,
    /// Early plies of the first player that leave one of the other's dice attacked.
    EarlyThreats,
    /// 1 if the first player is the first to enter the Chamber, and early.
    EarlyEntry,
    /// Plies before the first capture, a hundred at most.
    FirstCapture,
    /// 1 if the first lost 5 made its owner promote two dice; only games in which one was lost.
    FivePromotesTwo,
    /// The share of all lost 5s that made their owner promote two dice: no number of a game, but of a block.
    LostFives,
}

impl Measure {
    /// The number of a game; `None` if it does not have it.
    pub fn of(self, game: &GameFacts) -> Option<f64> {
        let flag = |yes: bool| Some(f64::from(u8::from(yes)));
        match self {
            Self::Score | Self::MixedScore => game.score,
            Self::Decisive => flag(game.score? != 0.5),
            Self::NotDrawn => flag(game.score != Some(0.5)),
            Self::EarlyCaptures => Some(game.early_captures().into()),
            Self::EarlyLosses => Some(game.early_losses[0].into()),
            Self::EarlyWins => Some(game.early_losses[1].into()),
            Self::EarlyThreats => Some(game.early_threats[0].into()),
            Self::EarlyEntry => flag(game.enters_early(Player::White)),
            Self::FirstCapture => Some(game.first_capture.unwrap_or(100).min(100).into()),
            Self::FivePromotesTwo => flag(*game.fives.first()? >= 2),
            Self::LostFives => None,
        }
    }

    /// The smallest and the largest possible number of a game.
    pub const fn range(self) -> (f64, f64) {
        match self {
            Self::EarlyCaptures => (0.0, 12.0),
            Self::EarlyLosses | Self::EarlyWins => (0.0, 6.0),
            Self::EarlyThreats => (0.0, 20.0),
            Self::FirstCapture => (1.0, 100.0),
            _ => (0.0, 1.0),
        }
    }

    /// Method of estimating its mean: the t-martingale if numbers hardly vary within their range (study 0018).
    pub const fn method(self) -> MeanMethod {
        match self {
            Self::MixedScore => MeanMethod::Both,
            Self::EarlyCaptures | Self::EarlyLosses | Self::EarlyWins | Self::EarlyThreats | Self::FirstCapture => {
                MeanMethod::Student
            }
            _ => MeanMethod::Betting,
        }
    }
}
