//! Numbers measured in games.

use chase_engine::{Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::EffectUnit;
use crate::evidence::games::{GameFacts, GamesConfig};
use chase_statistics::MeanMethod;

/// A number measured in a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Measure {
    /// Score of the first player.
    Score,
    /// The same, as a mean of many games in each block.
    MixedScore,
    /// Games that end in a win, without truncated ones.
    Decisive,
    /// Games drawn by a convention; truncated ones count as not drawn.
    Drawn,
    NotDrawn,
    /// Games without a result.
    Truncated,
    /// Games that end in a win, among all.
    Won,
    /// Won games whose loser was nearly winning.
    Comeback,
    /// The part of a won game after which its winner is ahead to the end.
    Settled,
    Plies,
    LeadChanges,
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
}

impl Measure {
    /// The number of a game; `None` if it does not have it.
    pub fn of(self, game: &GameFacts) -> Option<f64> {
        let flag = |yes: bool| Some(f64::from(u8::from(yes)));
        match self {
            Self::Score | Self::MixedScore => game.score,
            Self::Decisive => flag(game.score? != 0.5),
            Self::Drawn => flag(game.score == Some(0.5)),
            Self::NotDrawn => flag(game.score != Some(0.5)),
            Self::Truncated => flag(game.score.is_none()),
            Self::Won => flag(matches!(game.outcome, Outcome::Win(_))),
            Self::Comeback => flag(game.lead?.comeback?),
            Self::Settled => Some(f64::from(game.lead?.settled?) / f64::from(game.plies.max(1))),
            Self::Plies => Some(game.plies.into()),
            Self::LeadChanges => Some(game.lead?.changes.into()),
            Self::EarlyCaptures => Some(game.early_captures().into()),
            Self::EarlyLosses => Some(game.early_losses[0].into()),
            Self::EarlyWins => Some(game.early_losses[1].into()),
            Self::EarlyThreats => Some(game.early_threats[0].into()),
            Self::EarlyEntry => flag(game.enters_early(Player::White)),
            Self::FirstCapture => Some(game.first_capture.unwrap_or(100).min(100).into()),
            Self::FivePromotesTwo => flag(*game.fives.first()? >= 2),
        }
    }

    /// Its description, with whose it is.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Score | Self::MixedScore => "score of the first player",
            Self::Decisive => "share of decisive games",
            Self::Drawn => "share of drawn games",
            Self::NotDrawn => "share of games that are not drawn",
            Self::Truncated => "share of truncated games",
            Self::Won => "share of won games",
            Self::Comeback => "share of comebacks among won games",
            Self::Settled => "part of a won game until its winner is ahead to the end",
            Self::Plies => "plies of a game",
            Self::LeadChanges => "changes of the lead in a game",
            Self::EarlyCaptures => "dice lost in the first 20 plies",
            Self::EarlyLosses => "dice that the first player lost in the first 20 plies",
            Self::EarlyWins => "dice that the first player won in the first 20 plies",
            Self::EarlyThreats => {
                "plies of the first player among the first 20 after which a die of the other is attacked"
            }
            Self::EarlyEntry => "share of games whose first player is the first in the Chamber by ply 20",
            Self::FirstCapture => "ply of the first capture (100 if later)",
            Self::FivePromotesTwo => "share of games whose first lost 5 promoted two dice",
        }
    }

    pub const fn unit(self) -> EffectUnit {
        match self {
            Self::Score | Self::MixedScore => EffectUnit::Score,
            Self::EarlyCaptures | Self::EarlyLosses | Self::EarlyWins => EffectUnit::Dice,
            Self::Plies | Self::LeadChanges | Self::EarlyThreats | Self::FirstCapture => EffectUnit::Plies,
            _ => EffectUnit::Share,
        }
    }

    /// The smallest and the largest possible number of a game.
    pub fn range(self, config: &GamesConfig) -> (f64, f64) {
        match self {
            Self::EarlyCaptures => (0.0, 12.0),
            Self::EarlyLosses | Self::EarlyWins => (0.0, 6.0),
            Self::EarlyThreats => (0.0, 20.0),
            Self::FirstCapture => (1.0, 100.0),
            Self::Plies | Self::LeadChanges => (0.0, config.max_plies.into()),
            _ => (0.0, 1.0),
        }
    }

    /// Method of estimating its mean: the t-martingale if numbers hardly vary within their range (study 0018).
    pub const fn method(self) -> MeanMethod {
        match self {
            Self::MixedScore => MeanMethod::Both,
            _ if self.unit().is_percentage() => MeanMethod::Betting,
            _ => MeanMethod::Student,
        }
    }
}
