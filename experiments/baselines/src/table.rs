//! A transposition table of bounded size.

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this: the search was cut off.
    AtLeast,
    /// The value is at most this: no action reached the window.
    AtMost,
}

/// The result of a search of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<A> {
    key: u128,
    /// The search that this belongs to.
    age: u32,
    /// For the player to move; wins and losses by their distance from this position.
    pub value: i32,
    /// Plies that were searched below the position.
    pub depth: u32,
    pub bound: Bound,
    pub best: A,
}

/// Results by the key of the position. A new result overwrites any other in its place.
#[derive(Clone, Debug)]
pub(crate) struct Table<A> {
    entries: Vec<Option<Entry<A>>>,
    age: u32,
}

impl<A: Copy> Table<A> {
    /// A table of at most `mebibytes` MiB.
    pub fn new(mebibytes: usize) -> Self {
        let fit = (mebibytes << 20) / size_of::<Option<Entry<A>>>();
        Self {
            entries: vec![None; fit.max(1)],
            age: 0,
        }
    }

    /// Forgets everything, in no time but once in 2³² calls.
    pub fn clear(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.entries.fill(None);
        }
    }

    fn place(&self, key: u128) -> usize {
        // The high half of the product is a fair choice among any number of places.
        ((u128::from(key as u64) * self.entries.len() as u128) >> 64) as usize
    }

    pub fn get(&self, key: u128) -> Option<&Entry<A>> {
        let entry = self.entries[self.place(key)].as_ref();
        entry.filter(|entry| entry.key == key && entry.age == self.age)
    }

    pub fn put(&mut self, key: u128, depth: u32, value: i32, bound: Bound, best: A) {
        let (place, age) = (self.place(key), self.age);
        self.entries[place] = Some(Entry {
            key,
            age,
            value,
            depth,
            bound,
            best,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_full_key_until_the_table_is_cleared() {
        let mut table = Table::new(0);
        assert!(table.get(7).is_none());
        table.put(7, 3, 25, Bound::AtLeast, 'x');
        let entry = table.get(7).copied().expect("was put");
        assert_eq!(
            (entry.depth, entry.value, entry.bound, entry.best),
            (3, 25, Bound::AtLeast, 'x')
        );
        // The table has one place, which all keys share.
        assert!(table.get(7 | 1 << 100).is_none());
        table.clear();
        assert!(table.get(7).is_none());
    }

    #[test]
    fn the_size_is_bounded() {
        let table = Table::<u32>::new(2);
        let bytes = table.entries.len() * size_of::<Option<Entry<u32>>>();
        assert!(bytes <= 2 << 20 && bytes > (2 << 20) - 64, "{bytes}");
    }
}
