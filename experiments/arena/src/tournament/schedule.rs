//! The schedule: the matches and their order.

use super::config::{Format, TournamentConfig};
use crate::matches::PairUnit;

/// The matches of a tournament, and the units in which they are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<[usize; 2]>,
    units: Vec<PairUnit>,
}

impl Schedule {
    /// The schedule of a tournament. All matches advance together, so that a half-finished table is meaningful.
    pub fn new(config: &TournamentConfig) -> Self {
        let players = config.players.len();
        let challengers = match config.format {
            Format::RoundRobin => players,
            Format::Gauntlet => config.challengers as usize,
        };
        let opponents = |first: usize| match config.format {
            Format::RoundRobin => first + 1..players,
            Format::Gauntlet => challengers..players,
        };
        let pairings: Vec<[usize; 2]> = (0..challengers.min(players))
            .flat_map(|first| opponents(first).map(move |second| [first, second]))
            .collect();
        let mut units = Vec::new();
        for (number, &seats) in (0..).zip(&pairings) {
            let [one, other] = seats.map(|player| config.players[player].player());
            let size = match config.pairs_at_once {
                _ if one.plays_one_pair() || other.plays_one_pair() => 1,
                0 => one.pairs_at_once().max(other.pairs_at_once()) as u32,
                size => size,
            };
            units.extend(PairUnit::of_match(number, seats, config.pairs, size));
        }
        units.sort_by_key(|unit| (unit.pairs.start, unit.number));
        Self { pairings, units }
    }

    /// The players of each match, as indices, in the order of match numbers.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The units in the order in which their games are stored.
    pub fn units(&self) -> &[PairUnit] {
        &self.units
    }

    /// Pairs of each match.
    pub fn pairs(&self) -> u32 {
        self.units.last().map_or(0, |unit| unit.pairs.end)
    }

    /// Total number of games.
    pub fn games(&self) -> u64 {
        2 * self.units.iter().map(|unit| unit.pairs.len() as u64).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(format: Format, pairs: u32, pairs_at_once: u32) -> Schedule {
        Schedule::new(&TournamentConfig {
            players: ["a=random", "b=random", "c=greedy", "d=greedy"]
                .map(|text| text.parse().expect(text))
                .into(),
            format,
            challengers: 2,
            pairs,
            pairs_at_once,
            ..TournamentConfig::default()
        })
    }

    /// They have a process or a tree for each of two games, which they keep apart.
    #[test]
    fn players_with_a_memory_of_games_play_one_pair_at_a_time() {
        let sizes = |first: &str, second: &str, pairs_at_once| {
            let schedule = Schedule::new(&TournamentConfig {
                players: [first, second].map(|text| text.parse().expect(text)).into(),
                pairs: 32,
                pairs_at_once,
                ..TournamentConfig::default()
            });
            let units = schedule.units().iter();
            units.map(|unit| unit.pairs.len()).max()
        };
        for alone in ["ugi:command=x", "net:x,ms=5"] {
            for other in ["random", "net:y"] {
                for pairs_at_once in [0, 1, 5] {
                    assert_eq!(sizes(alone, other, pairs_at_once), Some(1), "{alone} {other}");
                    assert_eq!(sizes(other, alone, pairs_at_once), Some(1), "{alone} {other}");
                }
            }
        }
        assert_eq!(sizes("net:x", "random", 0), Some(16));
        assert_eq!(sizes("net:x", "random", 5), Some(5));
    }

    #[test]
    fn every_pair_is_played_once_and_matches_advance_together() {
        for format in [Format::RoundRobin, Format::Gauntlet] {
            let schedule = schedule(format, 7, 3);
            let pairings = match format {
                Format::RoundRobin => vec![[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]],
                Format::Gauntlet => vec![[0, 2], [0, 3], [1, 2], [1, 3]],
            };
            assert_eq!(schedule.pairings(), pairings);
            let mut played = vec![0; pairings.len()];
            for unit in schedule.units() {
                assert_eq!(unit.pairs.start, played[unit.number as usize]);
                played[unit.number as usize] = unit.pairs.end;
                let (most, least) = (played.iter().max(), played.iter().min());
                assert!(
                    most.zip(least).is_some_and(|(most, least)| most - least <= 3),
                    "{played:?}"
                );
            }
            assert!(played.iter().all(|&pairs| pairs == 7), "{played:?}");
            assert_eq!(schedule.games(), 14 * pairings.len() as u64);
        }
    }
}
