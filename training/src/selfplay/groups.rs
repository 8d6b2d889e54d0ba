//! Groups of games, and what has been played of them.

use std::collections::HashMap;
use std::ops::Range;

use chase_engine::Game;

use crate::game_record::GameRecord;

/// Games that are played together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number within the generation and purpose.
    pub number: u32,
    /// Numbers of its games.
    pub games: Range<u32>,
}

impl Group {
    /// The index that the generator of the `count`-th game to begin is derived from: its number, and beyond the
    /// group's numbers one that no other group of the generation has.
    pub(super) fn generator_index(&self, count: usize) -> u64 {
        let beyond = (count / self.games.len().max(1)) as u64;
        let number = self.games.start + (count % self.games.len().max(1)) as u32;
        beyond << u32::BITS | u64::from(number)
    }
}

/// Finished and unfinished games of a group.
#[derive(Clone, Debug)]
pub struct GroupGames<G: Game> {
    /// Finished games, in the order of their numbers.
    pub finished: Vec<GameRecord<G>>,
    /// Games that the next generation continues, if they were not all played to their end. They are
    /// [`GameRecord::unfinished`], and the weight of a row is its surprise, KL(target ‖ prior) in nats.
    pub unfinished: Vec<GameRecord<G>>,
}

impl<G: Game> GroupGames<G> {
    /// The games of a group that were all played to their end.
    pub const fn whole(finished: Vec<GameRecord<G>>) -> Self {
        Self {
            finished,
            unfinished: Vec::new(),
        }
    }
}

/// Divides `games` games into groups of at most `size`.
pub fn groups(games: u32, size: u32) -> Vec<Group> {
    let size = size.max(1);
    let group = |number: u32| Group {
        number,
        games: number * size..((number + 1) * size).min(games),
    };
    (0..games.div_ceil(size)).map(group).collect()
}

/// Unfinished games, by the number of their group.
pub type Carried<G> = HashMap<u32, Vec<GameRecord<G>>>;

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn games_beyond_the_numbers_of_a_group_have_generators_of_their_own() {
        let mut seen = HashSet::new();
        for group in groups(17, 6) {
            let numbers = group.games.clone().map(u64::from);
            assert!(
                (0..group.games.len())
                    .map(|count| group.generator_index(count))
                    .eq(numbers)
            );
            assert!((0..20).all(|count| seen.insert(group.generator_index(count))));
        }
    }

    #[test]
    fn groups_hold_every_game_once() {
        assert_eq!(
            groups(7, 3)
                .into_iter()
                .flat_map(|group| group.games)
                .collect::<Vec<_>>(),
            (0..7).collect::<Vec<_>>()
        );
        assert_eq!(groups(6, 3).len(), 2);
        assert!(groups(0, 3).is_empty());
    }
}
