//! The earlier positions of a game, in which repetitions are found.

/// Keys of positions, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History(Vec<u128>);

impl History {
    /// No positions.
    pub(crate) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a position.
    pub(crate) fn push(&mut self, key: u128) {
        self.0.push(key);
    }

    /// Forgets all positions: none of them can return.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// All keys.
    pub(crate) fn keys(&self) -> &[u128] {
        &self.0
    }

    /// The number of times that a position has occurred if it occurs once more now, among the last `plies` positions and only
    /// where the same player was to move: every second one.
    pub(crate) fn recent_occurrences(&self, key: u128, plies: usize) -> u32 {
        let earlier = self.0.iter().rev().take(plies).skip(1).step_by(2);
        1 + earlier.filter(|&&earlier| earlier == key).count() as u32
    }

    /// The number of times that a position has occurred if it occurs once more now.
    pub(crate) fn occurrences(&self, key: u128) -> u32 {
        // Hardly ever at all, and comparing halves of keys vectorises, where comparing whole ones does not.
        let half = key as u64;
        let may_occur = self
            .0
            .iter()
            .fold(false, |found, &earlier| found | (earlier as u64 == half));
        match may_occur {
            true => 1 + self.0.iter().filter(|&&earlier| earlier == key).count() as u32,
            false => 1,
        }
    }
}

impl Clone for History {
    /// With room for one position more: a copy of a game is made to go on with it.
    fn clone(&self) -> Self {
        let mut keys = Vec::with_capacity(self.0.len() + 1);
        keys.extend_from_slice(&self.0);
        Self(keys)
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

/// Clones a game that has a history and is otherwise copied: [`Clone::clone_from`] reuses the memory of the history.
macro_rules! clone_with_history {
    ($game:ident $(<$position:ident: $bound:path>)?) => {
        impl $(<$position: $bound>)? Clone for $game $(<$position>)? {
            fn clone(&self) -> Self {
                Self {
                    history: self.history.clone(),
                    ..*self
                }
            }

            fn clone_from(&mut self, source: &Self) {
                let mut history = std::mem::take(&mut self.history);
                history.clone_from(&source.history);
                *self = Self { history, ..*source };
            }
        }
    };
}
pub(super) use clone_with_history;
