//! Cycles of players who beat each other, which ratings cannot show.

use std::collections::{BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::ScoreEstimate;

/// Players each of whom clearly beats the next, and the last one the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cycle {
    /// The wins around the cycle, beginning with the alphabetically first player's.
    pub links: Vec<Link>,
}

/// A clear win of one player over another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// Name of the player who wins.
    pub winner: String,
    /// Name of the player who loses.
    pub loser: String,
    /// Mean score of the winner, from 0 to 1.
    pub score: f64,
}

/// A shortest cycle of each player who is in one; each cycle is listed once.
///
/// A win is clear if 0.5 lies outside the 95 % interval of the score, so one of two equal players clearly beats the
/// other in one match of twenty. Three such matches rarely close a cycle by chance, but among many players it happens.
pub fn cycles<'a>(matches: impl IntoIterator<Item = ([&'a str; 2], &'a ScoreEstimate)>) -> Vec<Cycle> {
    let mut links = Vec::new();
    for ([first, second], estimate) in matches {
        let interval = &estimate.score_interval;
        let (winner, loser, score) = match (interval.low, interval.high) {
            (Some(low), _) if low > 0.5 => (first, second, estimate.score),
            (_, Some(high)) if high < 0.5 => (second, first, 1.0 - estimate.score),
            _ => continue,
        };
        links.push(Link {
            winner: winner.to_owned(),
            loser: loser.to_owned(),
            score,
        });
    }
    let players: BTreeSet<&str> = links.iter().map(|link| link.winner.as_str()).collect();
    let mut found: Vec<Vec<&Link>> = Vec::new();
    for player in players {
        let Some(mut cycle) = shortest(&links, player) else {
            continue;
        };
        let first = cycle.iter().enumerate().min_by_key(|(_, link)| &link.winner);
        let (first, _) = first.expect("a cycle has links");
        cycle.rotate_left(first);
        if !found.contains(&cycle) {
            found.push(cycle);
        }
    }
    let cycle = |links: Vec<&Link>| Cycle {
        links: links.into_iter().cloned().collect(),
    };
    found.into_iter().map(cycle).collect()
}

/// A shortest chain of wins from a player back to itself.
fn shortest<'a>(links: &'a [Link], player: &str) -> Option<Vec<&'a Link>> {
    let mut chains = VecDeque::from([Vec::new()]);
    let mut reached = BTreeSet::new();
    while let Some(chain) = chains.pop_front() {
        let last = chain.last().map_or(player, |link: &&Link| link.loser.as_str());
        for link in links.iter().filter(|link| link.winner == last) {
            let mut longer = chain.clone();
            longer.push(link);
            if link.loser == player {
                return Some(longer);
            }
            if reached.insert(link.loser.as_str()) {
                chains.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PairCounts;

    fn scores(results: &[(&'static str, &'static str, u32, u32)]) -> Vec<([&'static str; 2], ScoreEstimate)> {
        let score = |&(first, second, ww, ll): &(_, _, u32, u32)| {
            let pairs = PairCounts {
                ww,
                ll,
                ..PairCounts::default()
            };
            (
                [first, second],
                ScoreEstimate::from_pairs(&pairs).expect("there are pairs"),
            )
        };
        results.iter().map(score).collect()
    }

    fn names(results: &[(&'static str, &'static str, u32, u32)]) -> Vec<String> {
        let scores = scores(results);
        let found = cycles(scores.iter().map(|(players, score)| (*players, score)));
        let chain = |cycle: &Cycle| {
            let closed = cycle.links.windows(2).all(|two| two[0].loser == two[1].winner);
            let last = cycle.links.last().map(|link| &link.loser);
            assert!(
                closed && last == cycle.links.first().map(|link| &link.winner),
                "{cycle:?}"
            );
            assert!(cycle.links.iter().all(|link| link.score > 0.5), "{cycle:?}");
            let winners: Vec<&str> = cycle.links.iter().map(|link| link.winner.as_str()).collect();
            winners.join(" ")
        };
        found.iter().map(chain).collect()
    }

    #[test]
    fn circles_of_clear_wins_are_found_once() {
        let circle = [
            ("rock", "scissors", 30, 10),
            ("paper", "rock", 28, 12),
            ("paper", "scissors", 9, 31),
        ];
        assert_eq!(names(&circle), ["paper rock scissors"]);
        // Without a link that could be chance, there is no cycle.
        let open = [circle[0], circle[1], ("paper", "scissors", 18, 22)];
        assert!(names(&open).is_empty());
        // A cycle of four and one player who beats them all; and a separate second cycle.
        let five = [
            ("a", "b", 30, 5),
            ("b", "c", 30, 5),
            ("c", "d", 30, 5),
            ("d", "a", 30, 5),
            ("a", "c", 20, 20),
            ("b", "d", 20, 20),
            ("best", "a", 40, 0),
            ("best", "b", 40, 0),
            ("x", "y", 30, 5),
            ("y", "z", 30, 5),
            ("z", "x", 30, 5),
        ];
        assert_eq!(names(&five), ["a b c d", "x y z"]);
        assert!(names(&[("a", "b", 40, 0), ("b", "c", 40, 0), ("a", "c", 40, 0)]).is_empty());
    }
}
