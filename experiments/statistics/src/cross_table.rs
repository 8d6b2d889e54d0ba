//! All results between several players.

use chase_engine::{Outcome, Player};
use serde::{Deserialize, Serialize};

use crate::WinDrawLoss;

/// Results of games between any number of players, by the player who was White.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrossTable {
    /// Each ordered pair of players that played, once.
    pub pairings: Vec<Pairing>,
}

/// One player's games as White against another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pairing {
    /// Name of the player who is White.
    pub white: String,
    /// Name of the player who is Black.
    pub black: String,
    /// The results, from White's point of view.
    pub games: WinDrawLoss,
}

impl CrossTable {
    /// The names of the players, in order of first appearance.
    pub fn players(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for pairing in &self.pairings {
            for name in [&pairing.white, &pairing.black] {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Adds games, with their results for White.
    pub fn add(&mut self, white: &str, black: &str, games: WinDrawLoss) {
        let mut pairings = self.pairings.iter_mut();
        match pairings.find(|pairing| pairing.white == white && pairing.black == black) {
            Some(pairing) => pairing.games += games,
            None => self.pairings.push(Pairing {
                white: white.to_owned(),
                black: black.to_owned(),
                games,
            }),
        }
    }

    /// Adds pairs of games: the one in which the first player is White, then the one in which the second is.
    pub fn add_pairs(&mut self, [first, second]: [&str; 2], pairs: impl IntoIterator<Item = [Outcome; 2]>) {
        let mut games = [WinDrawLoss::default(); 2];
        for outcomes in pairs {
            for (games, outcome) in games.iter_mut().zip(outcomes) {
                games.add(outcome, Player::White);
            }
        }
        self.add(first, second, games[0]);
        self.add(second, first, games[1]);
    }
}
