//! The board of a game: a square whose ends may be joined.

/// Which ends of the board are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Board {
    /// None.
    Square,
    /// File h is beside file a.
    Cylinder,
    /// So it is, and for kings rank 8 is beside rank 1 as well.
    Universal,
}

impl Board {
    /// Whether file h is beside file a.
    pub const fn joins_files(self) -> bool {
        !matches!(self, Self::Square)
    }

    /// Whether kings pass from rank 8 to rank 1 and back.
    pub const fn joins_ranks_for_kings(self) -> bool {
        matches!(self, Self::Universal)
    }
}
