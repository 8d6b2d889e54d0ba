//! The board of a game: a square whose ends may be joined.

/// The ends of the board that are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// No ends are joined.
    Square,
    /// File h is next to file a.
    Cylinder,
    /// The same, and for kings rank 8 is next to rank 1 as well.
    Universal,
}

impl Board {
    /// True if file h is next to file a.
    pub const fn joins_files(self) -> bool {
        !matches!(self, Self::Square)
    }

    /// True if kings pass from rank 8 to rank 1 and back.
    pub const fn joins_ranks_for_kings(self) -> bool {
        matches!(self, Self::Universal)
    }
}
