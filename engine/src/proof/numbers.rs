//! Proof and disproof numbers.

/// Estimated numbers of leaves that must be proved for a proof, or disproved for a disproof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Numbers {
    pub(super) proof: u32,
    pub(super) disproof: u32,
}

/// Larger than any number that a position can have, however numbers are added up.
pub(super) const INFINITE: u32 = u32::MAX;

impl Numbers {
    pub(super) const PROVED: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    pub(super) const DISPROVED: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };

    pub(super) const fn decided(reached: bool) -> Self {
        if reached { Self::PROVED } else { Self::DISPROVED }
    }

    pub(super) const fn is_proved(self) -> bool {
        self.proof == 0
    }

    pub(super) const fn is_disproved(self) -> bool {
        self.disproof == 0
    }

    pub(super) const fn is_solved(self) -> bool {
        self.is_proved() || self.is_disproved()
    }
}

/// The result for a position, on the current line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) numbers: Numbers,
    /// Once solved: plies of the longest line in the proof, or in the disproof.
    pub(super) plies: u16,
    /// The ply of the line, counted from the root of the search, of the first position whose recurrence the disproof
    /// depends on; [`Found::FREE`] for a disproof that holds anywhere, and for everything else.
    pub(super) anchor: u32,
}

impl Found {
    pub(super) const FREE: u32 = u32::MAX;

    pub(super) const fn new(numbers: Numbers, plies: u16) -> Self {
        Self {
            numbers,
            plies,
            anchor: Self::FREE,
        }
    }

    /// The result for a position that is already on the line, at this ply.
    pub(super) const fn recurrence(ply: u32) -> Self {
        Self {
            numbers: Numbers::DISPROVED,
            plies: 0,
            anchor: ply,
        }
    }
}
