//! Openings as games went through them, move by move.

use std::collections::HashMap;

use chase_engine::chase::{Action, Position};
use chase_engine::{Chase, Game, Outcome, Player};
use chase_training::game_record::GameRecord;
use serde::Serialize;

use crate::report::run::Tally;

/// The first plies of any number of games, by the positions that they went through: moves that lead to one position in
/// different orders are counted together there.
#[derive(Debug)]
pub struct Explorer {
    /// By [`Position::key`]: dice and player to move.
    positions: HashMap<u128, Visited>,
    plies: usize,
    games: u64,
}

#[derive(Debug, Default)]
struct Visited {
    moves: Vec<(Action, Count)>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    tally: Tally,
    /// White's expected points after the move, from 0 to 1, summed over the games whose search said.
    points: f64,
    searched: u64,
}

/// What games made of one move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explored {
    /// The move, in exact form.
    pub action: String,
    /// The same in the article's form.
    pub text: String,
    /// Results of the games with it.
    pub tally: Tally,
    /// White's expected points after it, from 0 to 1: the mean of what the searches of those games said in the next
    /// position; `None` if none did.
    pub value: Option<f64>,
}

impl Explorer {
    /// No games yet; of those to come the first `plies`.
    pub fn new(plies: usize) -> Self {
        Self {
            positions: HashMap::new(),
            plies,
            games: 0,
        }
    }

    /// Games added.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// Adds a game. One that comes through a position twice counts twice there. Random plies at its beginning are nobody's
    /// choice, and are not counted as moves.
    pub fn add(&mut self, record: &GameRecord<Chase>) {
        self.games += 1;
        let mut game = record.start.clone();
        for (index, ply) in record.plies.iter().take(self.plies).enumerate() {
            let next = record.plies.get(index + 1);
            if index < record.random_plies as usize {
                game.apply(ply.action);
                continue;
            }
            let points = next.and_then(|next| Some(white_points(next.player, next.value?)));
            let visited = self.positions.entry(game.position().key()).or_default();
            let known = visited.moves.iter().position(|(action, _)| *action == ply.action);
            let known = known.unwrap_or_else(|| {
                visited.moves.push((ply.action, Count::default()));
                visited.moves.len() - 1
            });
            let count = &mut visited.moves[known].1;
            count.tally += single(record.outcome);
            if let Some(points) = points {
                count.points += points;
                count.searched += 1;
            }
            game.apply(ply.action);
        }
    }

    /// The moves that were played in a position, the most frequent first.
    pub fn moves(&self, position: &Position) -> Vec<Explored> {
        let moves = self
            .positions
            .get(&position.key())
            .map_or(&[][..], |visited| &visited.moves);
        let mut moves: Vec<Explored> = moves
            .iter()
            .map(|(action, count)| Explored {
                action: action.to_string(),
                text: position.article_text(*action),
                tally: count.tally,
                value: (count.searched > 0).then(|| count.points / count.searched as f64),
            })
            .collect();
        moves.sort_by(|one, other| (other.tally.games, &one.action).cmp(&(one.tally.games, &other.action)));
        moves
    }
}

/// White's expected points, draws half, where `player` expects win, draw and loss.
fn white_points(player: Player, [win, draw, loss]: [f32; 3]) -> f64 {
    let wins = if player == Player::White { win } else { loss };
    f64::from(wins + 0.5 * draw)
}

/// One game.
fn single(outcome: Outcome) -> Tally {
    let mut tally = Tally {
        games: 1,
        ..Tally::default()
    };
    *match outcome {
        Outcome::Win(Player::White) => &mut tally.white,
        Outcome::Win(Player::Black) => &mut tally.black,
        Outcome::Draw => &mut tally.draws,
        Outcome::Truncated => &mut tally.truncated,
    } = 1;
    tally
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use chase_engine::chase::Rules;
    use chase_training::game_record::PlyRecord;

    use super::*;

    fn record(actions: &[&str], values: &[Option<[f32; 3]>], outcome: Outcome) -> GameRecord<Chase> {
        let start = Chase::new(&Rules::default());
        let mut game = start.clone();
        let mut plies = Vec::new();
        for (text, value) in actions.iter().zip(values) {
            let action = game.parse_action(text).unwrap();
            plies.push(PlyRecord {
                action,
                player: game.to_move(),
                simulations: 0,
                value: *value,
                policy: None,
            });
            game.apply(action);
        }
        GameRecord {
            index: 0,
            random_plies: 0,
            start,
            plies,
            outcome,
            end_reason: String::new(),
        }
    }

    #[test]
    fn transpositions_meet_and_values_are_whites() {
        let mut explorer = Explorer::new(4);
        let win = Some([0.8, 0.2, 0.0]);
        explorer.add(&record(
            &["A3NW", "I3SW", "A7NE", "I7SE"],
            &[None, win, win, None],
            Outcome::Win(Player::White),
        ));
        explorer.add(&record(
            &["A7NE", "I3SW", "A3NW", "I7SE"],
            &[None; 4],
            Outcome::Truncated,
        ));
        assert_eq!(explorer.games(), 2);
        let first = explorer.moves(&Position::initial());
        assert_eq!(
            first.iter().map(|explored| &*explored.action).collect::<Vec<_>>(),
            ["A3NW", "A7NE"]
        );
        // Black expects to win 80 %, so that 10 % of the points are left to White.
        assert!((first[0].value.unwrap() - 0.1).abs() < 1e-6);
        assert_eq!(first[1].value, None);
        let mut game = Chase::new(&Rules::default());
        for text in ["A7NE", "I3SW", "A3NW"] {
            game.apply(game.parse_action(text).unwrap());
        }
        let met = explorer.moves(game.position());
        assert_eq!(met.len(), 1);
        let expected = Tally {
            games: 2,
            white: 1,
            truncated: 1,
            ..Tally::default()
        };
        assert_eq!((&*met[0].action, met[0].tally), ("I7SE", expected));
    }

    #[test]
    fn random_plies_are_no_choices() {
        let mut explorer = Explorer::new(4);
        let mut random = record(&["A3NW", "I3SW"], &[None; 2], Outcome::Draw);
        random.random_plies = 1;
        explorer.add(&random);
        assert!(explorer.moves(&Position::initial()).is_empty());
        let mut game = Chase::new(&Rules::default());
        game.apply(game.parse_action("A3NW").unwrap());
        assert_eq!(explorer.moves(game.position()).len(), 1);
    }

    #[test]
    fn only_the_first_plies_are_kept() {
        let mut explorer = Explorer::new(1);
        explorer.add(&record(&["A3NW", "I3SW"], &[None; 2], Outcome::Draw));
        let mut game = Chase::new(&Rules::default());
        assert_eq!(explorer.moves(game.position()).len(), 1);
        game.apply(game.parse_action("A3NW").unwrap());
        assert!(explorer.moves(game.position()).is_empty());
    }
}
