//! Factors in which the draughts games differ.

use std::fmt;

use chase_engine::draughts::{Base, Board, Variation};
use chase_engine::{Draughts, Game, GameName, with_game};
use serde::{Deserialize, Serialize};

/// A property in which draughts games differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Factor {
    /// The capture rule.
    Capture,
    /// The board.
    Topology,
    /// Numbered men.
    Numbers,
}

impl Factor {
    /// All factors.
    pub const ALL: [Self; 3] = [Self::Capture, Self::Topology, Self::Numbers];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Capture => "capture rule",
            Self::Topology => "topology",
            Self::Numbers => "numbered men",
        }
    }

    /// Its levels.
    pub const fn levels(self) -> &'static [&'static str] {
        match self {
            Self::Capture => &Factors::CAPTURES,
            Self::Topology => &Factors::TOPOLOGIES,
            Self::Numbers => &["plain men", "numbered men"],
        }
    }
}

/// The levels of the factors of a draughts game, as indices into [`Factor::levels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Factors {
    /// Checkers, Stax or Queens.
    pub capture: usize,
    /// Square, cylinder, or universal board: a cylinder on which kings pass from the last rank to the first as well.
    pub topology: usize,
    /// 1 with numbered men.
    pub numbers: usize,
}

impl Factors {
    const CAPTURES: [&'static str; 3] = ["Checkers", "Stax", "Queens"];
    const TOPOLOGIES: [&'static str; 3] = ["square", "cylinder", "universal"];

    /// The factors of a game; `None` for one that is not of the draughts family.
    pub fn of(game: GameName) -> Option<Self> {
        let is_draughts = with_game!(game, G => G::NAME) == Draughts::NAME;
        let variation = is_draughts.then(|| game.rules::<Draughts>().variation)?;
        Some(Self::of_variation(variation))
    }

    fn of_variation(variation: Variation) -> Self {
        Self {
            capture: match variation.base() {
                Base::Checkers => 0,
                Base::Stax => 1,
                Base::Queens => 2,
            },
            topology: match variation.board() {
                Board::Square => 0,
                Board::Cylinder => 1,
                Board::Universal => 2,
            },
            numbers: usize::from(variation.numbers()),
        }
    }

    /// The level of a factor.
    pub const fn level(&self, factor: Factor) -> usize {
        match factor {
            Factor::Capture => self.capture,
            Factor::Topology => self.topology,
            Factor::Numbers => self.numbers,
        }
    }

    /// The same factors with another level of one of them.
    #[must_use]
    pub const fn with(mut self, factor: Factor, level: usize) -> Self {
        match factor {
            Factor::Capture => self.capture = level,
            Factor::Topology => self.topology = level,
            Factor::Numbers => self.numbers = level,
        }
        self
    }

    /// Name of the capture rule.
    pub fn capture_name(&self) -> &'static str {
        Self::CAPTURES[self.capture]
    }

    /// Name of the board.
    pub fn topology_name(&self) -> &'static str {
        Self::TOPOLOGIES[self.topology]
    }
}

impl fmt::Display for Factors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = if self.numbers == 1 { ", numbered men" } else { "" };
        let board = match self.topology {
            2 => "universal board",
            _ => self.topology_name(),
        };
        write!(f, "{}, {board}{numbers}", self.capture_name())
    }
}

impl Serialize for Factors {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut factors = serializer.serialize_struct("Factors", 3)?;
        factors.serialize_field("capture", self.capture_name())?;
        factors.serialize_field("topology", self.topology_name())?;
        factors.serialize_field("numbers", &(self.numbers == 1))?;
        factors.end()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_eighteen_games_are_all_combinations() {
        let found: BTreeSet<Factors> = GameName::ALL.iter().filter_map(|&game| Factors::of(game)).collect();
        assert_eq!(found.len(), 18);
        assert_eq!(Factors::of(GameName::ConnectFour), None);
        let queens = Factors::of(GameName::QueensCylNum).expect("a draughts game");
        assert_eq!(queens.to_string(), "Queens, cylinder, numbered men");
        assert_eq!(
            Factors::of(GameName::CheckersCylNum),
            Some(queens.with(Factor::Capture, 0))
        );
    }
}
