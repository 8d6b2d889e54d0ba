//! Properties in which related games differ.

/// A property in which the games of a type differ, and the level that one of them has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Property {
    /// Its name. A property of the same name means the same in every game.
    pub name: &'static str,
    /// The names of its levels, the same for all games of the type.
    pub levels: &'static [&'static str],
    /// The game's level, an index into `levels`.
    pub level: usize,
}

impl Property {
    /// The property that says which edges of the board are joined.
    pub const TOPOLOGY: &'static str = "topology";

    /// The name of the game's level.
    pub const fn level_name(&self) -> &'static str {
        self.levels[self.level]
    }
}
