//! The six directions.

use std::fmt;
use std::str::FromStr;

/// A direction through a side of a cell, numbered counter-clockwise from east.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// Along the row, columns rising.
    E,
    /// One row up, half a cell to the right.
    NE,
    /// One row up, half a cell to the left.
    NW,
    /// Along the row, columns falling.
    W,
    /// One row down, half a cell to the left.
    SW,
    /// One row down, half a cell to the right.
    SE,
}

impl Direction {
    /// All directions, counter-clockwise from east.
    pub const ALL: [Self; 6] = [Self::E, Self::NE, Self::NW, Self::W, Self::SW, Self::SE];

    /// The direction `steps` sixths of a full turn further counter-clockwise.
    #[inline]
    pub const fn turned(self, steps: usize) -> Self {
        Self::ALL[(self as usize + steps) % 6]
    }

    /// The direction that leads back.
    #[inline]
    pub const fn opposite(self) -> Self {
        self.turned(3)
    }

    /// The direction in the mirror: left and right change places. The rules are not the same in the mirror, where the
    /// larger half of a die would leave the Chamber on the right.
    #[inline]
    pub const fn mirrored(self) -> Self {
        Self::ALL[(9 - self as usize) % 6]
    }

    /// The direction after a ricochet off row A or I: up and down change places.
    #[inline]
    pub const fn reflected(self) -> Self {
        match self {
            Self::E | Self::W => self,
            Self::NE => Self::SE,
            Self::SE => Self::NE,
            Self::NW => Self::SW,
            Self::SW => Self::NW,
        }
    }

    /// The name in the text forms: `E`, `NE`, `NW`, `W`, `SW` or `SE`.
    pub const fn name(self) -> &'static str {
        ["E", "NE", "NW", "W", "SW", "SE"][self as usize]
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Error returned for a text that is not the name of a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a direction: E, NE, NW, W, SW or SE")]
pub struct DirectionError;

impl FromStr for Direction {
    type Err = DirectionError;

    fn from_str(text: &str) -> Result<Self, DirectionError> {
        let found = Self::ALL.into_iter().find(|direction| direction.name() == text);
        found.ok_or(DirectionError)
    }
}
