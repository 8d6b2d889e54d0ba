//! A transposition table of bounded size.

use chase_engine::chase::Action;

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this: the search was cut off.
    AtLeast,
    /// The value is at most this: no action reached the window.
    AtMost,
}

/// The result of a search of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// For the player to move; wins and losses by their distance from this position.
    pub value: i32,
    pub best: Option<Action>,
    /// The search that this belongs to.
    age: u8,
    pub bound: Bound,
    /// Plies that were searched below the position.
    pub depth: u32,
}

/// Results by the key of the position, in pairs of places: one for the deepest result, one for the newest.
#[derive(Debug)]
pub(super) struct Table {
    places: Vec<[Option<Entry>; 2]>,
    age: u8,
}

impl Table {
    /// A table of at most `mebibytes` MiB.
    pub fn new(mebibytes: usize) -> Self {
        let fit = (mebibytes << 20) / size_of::<[Option<Entry>; 2]>();
        Self {
            places: vec![[None; 2]; fit.max(1)],
            age: 0,
        }
    }

    /// Forgets everything, in no time but once in 256 calls.
    pub fn forget(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.places.fill([None; 2]);
        }
    }

    fn place(&self, key: u64) -> usize {
        // The high half of the product is a fair choice among any number of places.
        ((u128::from(key) * self.places.len() as u128) >> 64) as usize
    }

    pub fn get(&self, key: u64) -> Option<Entry> {
        let found = self.places[self.place(key)].iter().flatten();
        found.copied().find(|entry| entry.key == key && entry.age == self.age)
    }

    pub fn put(&mut self, key: u64, depth: u32, value: i32, bound: Bound, best: Option<Action>) {
        let (place, age) = (self.place(key), self.age);
        let [deepest, newest] = &mut self.places[place];
        let fresh = |entry: &Entry| entry.age == age;
        let same = |entry: &Option<Entry>| entry.as_ref().filter(|entry| fresh(entry) && entry.key == key).copied();
        let known = same(deepest).or_else(|| same(newest));
        let entry = Entry {
            key,
            value,
            // A bound from below the window knows no best action: what was known stays.
            best: best.or_else(|| known?.best),
            age,
            bound,
            depth,
        };
        let keeps = deepest
            .as_ref()
            .is_some_and(|old| fresh(old) && old.key != key && old.depth > depth);
        if keeps {
            *newest = Some(entry);
        } else {
            if same(newest).is_some() {
                *newest = None;
            }
            *deepest = Some(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_and_the_newest_result_stay() {
        let mut table = Table::new(0);
        table.put(7, 5, 25, Bound::AtLeast, None);
        table.put(8, 3, 26, Bound::Exact, None);
        table.put(9, 2, 27, Bound::AtMost, None);
        let found = [7, 8, 9].map(|key| table.get(key).map(|entry| (entry.depth, entry.value)));
        assert_eq!(found, [Some((5, 25)), None, Some((2, 27))]);
        table.put(9, 6, 28, Bound::Exact, None);
        assert_eq!(table.get(9).map(|entry| entry.depth), Some(6));
        table.forget();
        assert!(table.get(9).is_none());
    }

    #[test]
    fn the_size_is_bounded() {
        let table = Table::new(2);
        let bytes = table.places.len() * size_of::<[Option<Entry>; 2]>();
        assert!(bytes <= 2 << 20 && bytes > (2 << 20) - 128, "{bytes}");
    }
}
