//! Games that differ in properties, and those of them that differ in one alone.

use chase_engine::{Game, GameName, Property, with_game};
use serde::Serialize;
use serde::ser::SerializeMap;

/// The family and the properties by which a game is compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relative {
    /// The name of the games that it is compared with.
    pub family: &'static str,
    /// The properties in which they differ; none for a game that is compared with no other.
    pub properties: Vec<Property>,
}

impl Relative {
    /// The properties of a game.
    pub fn of(game: GameName) -> Self {
        with_game!(game, G => Self {
            family: G::NAME,
            properties: G::properties(&game.rules::<G>()),
        })
    }

    /// True if the games are equal but for a property, of which this one has one level and the other another one.
    pub(crate) fn differs_from(&self, other: &Self, property: usize, levels: [usize; 2]) -> bool {
        let mut changed = self.clone();
        let Some(here) = changed.properties.get_mut(property) else {
            return false;
        };
        if here.level != levels[0] {
            return false;
        }
        here.level = levels[1];
        changed == *other
    }
}

/// The levels by the names of the properties.
impl Serialize for Relative {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut levels = serializer.serialize_map(Some(self.properties.len()))?;
        for property in &self.properties {
            levels.serialize_entry(property.name, property.level_name())?;
        }
        levels.end()
    }
}
