//! Check that games can be those that were asked for.

use chase_engine::Game;

use super::terms::Meeting;
use crate::games::{FORFEIT, GameResult};
use crate::matches::{Match, PairResult, start_of_pair};

/// The games of a unit, as they are asked for.
#[derive(Debug)]
pub(crate) struct Expected<'a, G: Game> {
    /// The conditions of all matches, before they are numbered.
    pub conditions: &'a Match<G>,
    /// The meetings to be played.
    pub meetings: &'a [Meeting],
    /// True if players have limits of time.
    pub timed: bool,
}

impl<G: Game> Expected<'_, G> {
    /// The pairs of each meeting.
    ///
    /// # Errors
    /// The reason that the content cannot be the result of playing them.
    pub fn read(&self, content: &[u8]) -> Result<Vec<Vec<PairResult>>, String> {
        let played: Vec<Vec<PairResult>> = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        if played.len() != self.meetings.len() {
            return Err(format!(
                "it has {} meetings, expected {}",
                played.len(),
                self.meetings.len()
            ));
        }
        for (meeting, pairs) in self.meetings.iter().zip(&played) {
            let found: Vec<u32> = pairs.iter().map(|pair| pair.pair).collect();
            if !found.iter().copied().eq(meeting.pairs.clone()) {
                return Err(format!("it has the pairs {found:?}, expected {:?}", meeting.pairs));
            }
            let conditions = self.conditions.numbered(meeting.number);
            for pair in pairs {
                for (number, game) in pair.games.iter().enumerate() {
                    self.check(&conditions, pair.pair, game)
                        .map_err(|reason| format!("pair {}, game {}: {reason}", pair.pair, number + 1))?;
                }
            }
        }
        Ok(played)
    }

    fn check(&self, conditions: &Match<G>, pair: u32, game: &GameResult) -> Result<(), String> {
        conditions.check(pair, game)?;
        // The rest is what only a program of others could do, or a file that someone has written by hand.
        if game.reason.starts_with(FORFEIT) {
            return Err("no player can forfeit here".into());
        }
        if !self.timed && !game.effort.milliseconds.is_empty() {
            return Err("it has times, though no player is limited by time".into());
        }
        if game.plies > conditions.max_plies.max(game.opening_plies) {
            let (plies, limit) = (game.plies, conditions.max_plies);
            return Err(format!("it has {plies} plies, expected at most {limit}"));
        }
        let start: G = start_of_pair(&conditions.rules, conditions.seed, pair);
        let opening = conditions.openings.actions(&start, conditions.seed, pair);
        let opening = opening.map_err(|error| error.to_string())?;
        game.replay_foreign::<G>(&conditions.rules, &opening).map(drop)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::Chase;
    use chase_engine::chase::Rules;
    use chase_models::device::Device;

    use super::*;
    use crate::matches::Openings;
    use crate::players::PlayerSpec;

    #[test]
    fn games_that_are_not_those_that_were_asked_for_are_refused() {
        let conditions = Match::<Chase> {
            rules: Rules::default(),
            openings: Openings::Random { plies: 4 },
            seed: 7,
            max_plies: 30,
            pairs_at_once: 1,
        };
        let meetings = [Meeting {
            number: 3,
            players: [0, 1],
            pairs: 2..4,
        }];
        let player = |text: &str| text.parse::<PlayerSpec>().unwrap().contestant(Device::Cpu).unwrap();
        // Games that are cut off: nobody wins by chance within the limit.
        let (one, other) = (player("random"), player("random"));
        let played = conditions.numbered(3).play([&one, &other], 2..4, &|_| ()).unwrap();
        let expected = Expected {
            conditions: &conditions,
            meetings: &meetings,
            timed: false,
        };
        let read = |pairs: &[PairResult]| expected.read(&serde_json::to_vec(&[pairs]).unwrap());
        assert_eq!(read(&played.pairs).unwrap(), std::slice::from_ref(&played.pairs));
        type Change = fn(&mut Vec<PairResult>);
        let changes: [(Change, &str); 8] = [
            (|pairs| drop(pairs.pop()), "it has the pairs [2], expected 2..4"),
            (|pairs| pairs[1].pair = 2, "it has the pairs [2, 2], expected 2..4"),
            // A legal game, but of another pair.
            (
                |pairs| pairs[0].games = pairs[1].games.clone(),
                "pair 2, game 1: ply 1 is not that of its opening",
            ),
            (
                |pairs| pairs[0].games[1].actions[9] = "A1A1".into(),
                "pair 2, game 2: ply 10, `A1A1`: ",
            ),
            (
                |pairs| pairs[0].games[0].actions.truncate(20),
                "pair 2, game 1: recorded with 30 plies, but it has 20 actions",
            ),
            (
                |pairs| {
                    let game = &mut pairs[0].games[0];
                    game.actions.truncate(20);
                    game.plies = 20;
                    game.effort = crate::players::Efforts::default();
                },
                "pair 2, game 1: recorded as stopped after 20 plies, expected the limit of 30",
            ),
            (
                |pairs| {
                    let game = &mut pairs[1].games[0];
                    game.actions[5].insert(0, ' ');
                },
                "pair 3, game 1: ",
            ),
            (
                |pairs| pairs[0].games[0].effort.milliseconds = vec![Some(1); 26],
                "pair 2, game 1: it has times, though no player is limited by time",
            ),
        ];
        for (change, reason) in changes {
            let mut pairs = played.pairs.clone();
            change(&mut pairs);
            let found = read(&pairs).unwrap_err();
            assert!(found.starts_with(reason), "{found}, expected {reason}");
        }
        assert!(expected.read(b"games").is_err());
    }
}
