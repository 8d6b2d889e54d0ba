//! Games by the positions that they went through.

use std::collections::HashMap;

use chase_engine::chase::{Action, Position};
use chase_engine::{Chase, Game, Outcome, Player};

use super::game::{ExploredGame, ExploredPly, Source};
use chase_training::openings::Tally;

/// The first plies of any number of games, by the positions that they went through: moves that lead to one position in
/// different orders are counted together there.
#[derive(Debug)]
pub struct Explorer {
    /// By [`Position::key`]: dice and player to move.
    positions: HashMap<u128, Visited>,
    plies: usize,
    sources: Vec<Source>,
    /// Games by the places of White and Black among the sources.
    games: HashMap<[u32; 2], u64>,
    entries: usize,
}

/// What happened in a position. Most are visited by one game, so lists grow one by one.
#[derive(Debug, Default)]
struct Visited {
    played: Vec<Played>,
    searched: Vec<Searched>,
}

/// A move that was played, by who chose it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played {
    pub action: Action,
    source: u32,
    white: u32,
    draws: u32,
    black: u32,
    truncated: u32,
    /// Games whose next search said what White expects.
    pub valued: u32,
    /// What it said, in points from 0 to 1, summed.
    pub points: f64,
}

/// A move that searches looked at, by who searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    pub action: Action,
    source: u32,
    pub visits: u32,
}

impl Explorer {
    /// No games yet; of those to come the first `plies`.
    pub fn new(plies: usize) -> Self {
        Self {
            positions: HashMap::new(),
            plies,
            sources: Vec::new(),
            games: HashMap::new(),
            entries: 0,
        }
    }

    /// Plies of a game that are counted.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// Entries in memory: moves of positions, by who played or searched them.
    pub const fn entries(&self) -> usize {
        self.entries
    }

    /// Everybody who played, with the number of games that each took part in.
    pub fn sources(&self) -> impl Iterator<Item = (&Source, u64)> {
        self.sources.iter().enumerate().map(|(place, source)| {
            let place = place as u32;
            let games = self.games.iter().filter(|(players, _)| players.contains(&place));
            (source, games.map(|(_, games)| games).sum())
        })
    }

    /// Games in which somebody took part of whom `chosen` is true.
    pub fn games(&self, chosen: impl Fn(&Source) -> bool) -> u64 {
        let chosen: Vec<bool> = self.sources.iter().map(chosen).collect();
        let games = self.games.iter();
        let games = games.filter(|(players, _)| players.iter().any(|&place| chosen[place as usize]));
        games.map(|(_, games)| games).sum()
    }

    /// Adds a game. One that comes through a position twice counts twice there.
    pub fn add(&mut self, explored: &ExploredGame) {
        let [white, black] = [0, 1].map(|side| self.place(&explored.players[side]));
        *self.games.entry([white, black]).or_default() += 1;
        let mut game = explored.start.clone();
        for (index, ply) in explored.plies.iter().take(self.plies).enumerate() {
            if ply.counts {
                let source = if game.to_move() == Player::White { white } else { black };
                let points = explored.plies.get(index + 1).and_then(|next| next.points);
                self.add_ply(&game, ply, source, explored.outcome, points);
            }
            game.apply(ply.action);
        }
    }

    fn add_ply(&mut self, game: &Chase, ply: &ExploredPly, source: u32, outcome: Outcome, points: Option<f64>) {
        let Visited { played, searched } = self.positions.entry(game.position().key()).or_default();
        let before = played.len() + searched.len();
        let known = played
            .iter()
            .position(|known| (known.action, known.source) == (ply.action, source));
        let known = known.unwrap_or_else(|| {
            played.reserve_exact(1);
            played.push(Played::new(ply.action, source));
            played.len() - 1
        });
        played[known].add(outcome, points);
        searched.reserve_exact(ply.visits.len());
        for &(action, visits) in &ply.visits {
            let known = searched
                .iter_mut()
                .find(|known| (known.action, known.source) == (action, source));
            match known {
                Some(known) => known.visits = known.visits.saturating_add(visits),
                None => searched.push(Searched { action, source, visits }),
            }
        }
        self.entries += played.len() + searched.len() - before;
    }

    fn place(&mut self, source: &Source) -> u32 {
        // Mostly who played the game before.
        let known = self.sources.iter().rposition(|known| known == source);
        let place = known.unwrap_or_else(|| {
            self.sources.push(source.clone());
            self.sources.len() - 1
        });
        place as u32
    }

    /// What was played in a position, with who chose it.
    pub(super) fn played(&self, position: &Position) -> impl Iterator<Item = (&Source, &Played)> {
        let played = self.positions.get(&position.key()).into_iter();
        let played = played.flat_map(|visited| &visited.played);
        played.map(|played| (&self.sources[played.source as usize], played))
    }

    /// What was searched in a position, with who did.
    pub(super) fn searched(&self, position: &Position) -> impl Iterator<Item = (&Source, &Searched)> {
        let searched = self.positions.get(&position.key()).into_iter();
        let searched = searched.flat_map(|visited| &visited.searched);
        searched.map(|searched| (&self.sources[searched.source as usize], searched))
    }
}

impl Played {
    const fn new(action: Action, source: u32) -> Self {
        Self {
            action,
            source,
            white: 0,
            draws: 0,
            black: 0,
            truncated: 0,
            valued: 0,
            points: 0.0,
        }
    }

    fn add(&mut self, outcome: Outcome, points: Option<f64>) {
        *match outcome {
            Outcome::Win(Player::White) => &mut self.white,
            Outcome::Win(Player::Black) => &mut self.black,
            Outcome::Draw => &mut self.draws,
            Outcome::Truncated => &mut self.truncated,
        } += 1;
        if let Some(points) = points {
            self.points += points;
            self.valued += 1;
        }
    }

    /// Results.
    pub fn tally(&self) -> Tally {
        let [white, draws, black, truncated] = [self.white, self.draws, self.black, self.truncated].map(u64::from);
        Tally {
            games: white + draws + black + truncated,
            white,
            black,
            draws,
            truncated,
        }
    }
}
