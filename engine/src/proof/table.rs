//! The table of results for positions.

use super::numbers::{Found, Numbers};

/// Number of entries in a bucket.
// Of four entries the one with the least work goes. Their number was not measured.
const WAYS: usize = 4;

/// A table of fixed size. When it is full, the entries with the least work are replaced first.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[Entry; WAYS]>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The upper half of the key; the lower half selects the bucket.
    check: u64,
    proof: u32,
    disproof: u32,
    /// Nodes spent on the position; 0 in a free entry.
    work: u32,
    plies: u16,
}

const FREE: Entry = Entry {
    check: 0,
    proof: 0,
    disproof: 0,
    work: 0,
    plies: 0,
};

impl Table {
    /// Creates a table of at most this many bytes, but at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<[Entry; WAYS]>()).max(1);
        Self {
            buckets: vec![[FREE; WAYS]; buckets],
        }
    }

    fn bucket(&self, key: u128) -> usize {
        ((u128::from(key as u64) * self.buckets.len() as u128) >> 64) as usize
    }

    /// The result for the position with this key, valid on any line.
    pub(super) fn get(&self, key: u128) -> Option<Found> {
        let check = (key >> 64) as u64;
        let bucket = &self.buckets[self.bucket(key)];
        let entry = bucket.iter().find(|entry| entry.check == check && entry.work > 0)?;
        let numbers = Numbers {
            proof: entry.proof,
            disproof: entry.disproof,
        };
        Some(Found::new(numbers, entry.plies))
    }

    /// Stores a result found with this many nodes. It must not be one that holds on one line only.
    pub(super) fn put(&mut self, key: u128, found: Found, nodes: u64) {
        debug_assert_eq!(found.anchor, Found::FREE);
        let check = (key >> 64) as u64;
        let bucket = self.bucket(key);
        let bucket = &mut self.buckets[bucket];
        let known = bucket.iter().position(|entry| entry.check == check && entry.work > 0);
        let place = known.unwrap_or_else(|| {
            let by_work = bucket.iter().enumerate().min_by_key(|(_, entry)| entry.work);
            by_work.expect("a bucket has entries").0
        });
        let entry = bucket[place];
        let is_solved = known.is_some() && [entry.proof, entry.disproof].contains(&0);
        if is_solved && (!found.numbers.is_solved() || found.plies > entry.plies) {
            // Not an improvement. Lines follow the numbers of plies and must not cycle, so the smallest number is kept.
            return;
        }
        let before = if known.is_some() { entry.work } else { 0 };
        bucket[place] = Entry {
            check,
            proof: found.numbers.proof,
            disproof: found.numbers.disproof,
            work: before.saturating_add(u32::try_from(nodes.max(1)).unwrap_or(u32::MAX)),
            plies: found.plies,
        };
    }
}
