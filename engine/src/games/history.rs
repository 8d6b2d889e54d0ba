//! The earlier positions of a game, in which repetitions are found.

use std::collections::BTreeMap;

/// Keys beyond those counted that are looked at one by one: no usual game has more, and a long one must not be looked
/// through at every ply.
const SCANNED: usize = 1024;

/// Keys of positions, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    keys: Vec<u128>,
    /// The number of times that each key occurs among the first ones, which are a multiple of [`SCANNED`].
    counts: BTreeMap<u128, u32>,
}

impl History {
    pub(crate) const fn new() -> Self {
        Self {
            keys: Vec::new(),
            counts: BTreeMap::new(),
        }
    }

    pub(crate) fn push(&mut self, key: u128) {
        self.keys.push(key);
        if self.keys.len().is_multiple_of(SCANNED) {
            self.count_last();
        }
    }

    #[cold]
    fn count_last(&mut self) {
        for &key in &self.keys[self.keys.len() - SCANNED..] {
            *self.counts.entry(key).or_default() += 1;
        }
    }

    /// Forgets all positions: none of them can return.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.counts.clear();
    }

    pub(crate) fn keys(&self) -> &[u128] {
        &self.keys
    }

    /// The number of times that a position has occurred if it occurs once more now, among the last `plies` positions and only
    /// where the same player was to move: every second one. No earlier one equals it.
    pub(crate) fn recent_occurrences(&self, key: u128, plies: usize) -> u32 {
        if plies > SCANNED {
            return self.occurrences(key);
        }
        let earlier = self.keys.iter().rev().take(plies).skip(1).step_by(2);
        1 + earlier.filter(|&&earlier| earlier == key).count() as u32
    }

    /// The number of times that a position has occurred if it occurs once more now.
    pub(crate) fn occurrences(&self, key: u128) -> u32 {
        let scanned = &self.keys[self.keys.len() / SCANNED * SCANNED..];
        let counted = self.counts.get(&key).copied().unwrap_or_default();
        // Hardly ever at all, and comparing halves of keys vectorises, where comparing whole ones does not.
        let half = key as u64;
        let may_occur = scanned
            .iter()
            .fold(false, |found, &earlier| found | (earlier as u64 == half));
        match may_occur {
            true => 1 + counted + scanned.iter().filter(|&&earlier| earlier == key).count() as u32,
            false => 1 + counted,
        }
    }
}

impl Clone for History {
    /// With room for one position more: a game is copied in order to continue it.
    fn clone(&self) -> Self {
        let mut keys = Vec::with_capacity(self.keys.len() + 1);
        keys.extend_from_slice(&self.keys);
        Self {
            keys,
            counts: self.counts.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.keys.clone_from(&source.keys);
        self.counts.clone_from(&source.counts);
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
