//! A transposition table of bounded size.

use super::settings::Memory;
use crate::hash::split_mix;

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
pub(super) struct Entry<A> {
    /// Distinguishes positions of one place.
    check: u64,
    /// For the player to move; wins and losses by their distance from this position.
    pub value: i32,
    /// Plies that were searched below the position.
    pub depth: u32,
    pub best: A,
    /// The search that this belongs to.
    age: u16,
    pub bound: Bound,
}

/// Results by the key of the position.
#[derive(Debug)]
pub(super) struct Table<A> {
    /// With [`Memory::Deeper`] in pairs: one for the deepest result, one for the newest.
    places: Vec<Option<Entry<A>>>,
    /// Places that a position may be in.
    ways: usize,
    age: u16,
}

impl<A: Copy> Table<A> {
    /// A table of at most `mebibytes` MiB.
    pub fn new(memory: Memory, mebibytes: usize) -> Self {
        let (ways, bytes) = match memory {
            // Fewer than fit: as many as when an entry had a key of 128 bits and four more of its age. The number of places
            // decides which results are lost, and so the games of every baseline that was measured.
            Memory::SameDepth => (1, (29 + size_of::<A>()).next_multiple_of(16)),
            // One place by depth and one by age, much like TwoDeep (Breuker, Uiterwijk and van den Herik 1994). Not
            // compared with one place here.
            Memory::Deeper => (2, 2 * size_of::<Option<Entry<A>>>()),
        };
        let fit = (mebibytes << 20) / bytes;
        Self {
            places: vec![None; ways * fit.max(1)],
            ways,
            age: 0,
        }
    }

    /// Forgets everything, in no time but once in 2¹⁶ calls.
    pub fn clear(&mut self) {
        self.age = self.age.wrapping_add(1);
        if self.age == 0 {
            self.places.fill(None);
        }
    }

    /// The first place of a key, and what tells it from others there.
    fn place(&self, key: u128) -> (usize, u64) {
        let sets = (self.places.len() / self.ways) as u128;
        // The high half of the product is a fair choice among any number of places.
        let set = (u128::from(key as u64) * sets) >> 64;
        (set as usize * self.ways, key as u64 ^ split_mix((key >> 64) as u64))
    }

    pub fn get(&self, key: u128) -> Option<Entry<A>> {
        let (place, check) = self.place(key);
        let found = self.places[place..place + self.ways].iter().flatten();
        found
            .copied()
            .find(|entry| entry.check == check && entry.age == self.age)
    }

    pub fn put(&mut self, key: u128, depth: u32, value: i32, bound: Bound, best: A) {
        let ((place, check), age) = (self.place(key), self.age);
        let entry = Some(Entry {
            check,
            value,
            depth,
            best,
            age,
            bound,
        });
        let [deepest, newest] = &mut self.places[place..place + self.ways] else {
            self.places[place] = entry;
            return;
        };
        let fresh = |entry: &Entry<A>| entry.age == age;
        let keeps = deepest
            .as_ref()
            .is_some_and(|old| fresh(old) && old.check != check && old.depth > depth);
        if keeps {
            *newest = entry;
        } else {
            if newest.as_ref().is_some_and(|old| fresh(old) && old.check == check) {
                *newest = None;
            }
            *deepest = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_full_key_until_the_table_is_cleared() {
        let mut table = Table::new(Memory::SameDepth, 0);
        assert!(table.get(7).is_none());
        table.put(7, 3, 25, Bound::AtLeast, 'x');
        let entry = table.get(7).expect("was put");
        assert_eq!(
            (entry.depth, entry.value, entry.bound, entry.best),
            (3, 25, Bound::AtLeast, 'x')
        );
        // The table has one place, which all keys share.
        assert!(table.get(7 | 1 << 100).is_none());
        table.put(8, 1, 26, Bound::Exact, 'y');
        assert!(table.get(7).is_none());
        table.clear();
        assert!(table.get(8).is_none());
    }

    #[test]
    fn the_deepest_and_the_newest_result_stay() {
        let mut table = Table::new(Memory::Deeper, 0);
        table.put(7, 5, 25, Bound::AtLeast, 'x');
        table.put(8, 3, 26, Bound::Exact, 'x');
        table.put(9, 2, 27, Bound::AtMost, 'x');
        let found = [7, 8, 9].map(|key| table.get(key).map(|entry| (entry.depth, entry.value)));
        assert_eq!(found, [Some((5, 25)), None, Some((2, 27))]);
        table.put(9, 6, 28, Bound::Exact, 'x');
        assert_eq!(table.get(9).map(|entry| entry.depth), Some(6));
        table.clear();
        assert!(table.get(9).is_none());
    }

    #[test]
    fn the_size_is_bounded() {
        for (memory, least) in [(Memory::SameDepth, (1 << 20) - 48), (Memory::Deeper, (2 << 20) - 128)] {
            let table = Table::<u32>::new(memory, 2);
            let bytes = table.places.len() * size_of::<Option<Entry<u32>>>();
            assert!(bytes <= 2 << 20 && bytes >= least, "{bytes}");
        }
    }
}
