//! Games, indexed by position.

use std::collections::HashMap;

use chase_engine::{Chase, Game, Outcome, Playable, Player};

use super::game::{ExploredGame, ExploredPly, Source};
use chase_training::openings::Tally;

/// The first plies of any number of games, indexed by position: moves that lead to the same position in different
/// orders are counted together there.
#[derive(Debug)]
pub struct Explorer<G: Game = Chase> {
    /// Keyed by [`Playable::position_key`].
    positions: HashMap<u128, Visited<G::Action>>,
    plies: usize,
    sources: Vec<Source>,
    /// Numbers of games by the indices of White and Black among the sources.
    games: HashMap<[u32; 2], u64>,
    entries: usize,
}

/// Moves and searches in a position. Most positions are visited by one game, so lists grow one by one.
#[derive(Debug)]
struct Visited<A> {
    played: Vec<Played<A>>,
    searched: Vec<Searched<A>>,
}

/// A move played, by one source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Played<A> {
    pub action: A,
    source: u32,
    white: u32,
    draws: u32,
    black: u32,
    truncated: u32,
    /// Number of games whose next search has an expectation of White's score.
    pub valued: u32,
    /// Sum of these expectations, each from 0 to 1.
    pub points: f64,
}

/// A move considered by searches of one source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched<A> {
    pub action: A,
    source: u32,
    pub visits: u32,
}

impl<A> Default for Visited<A> {
    fn default() -> Self {
        Self {
            played: Vec::new(),
            searched: Vec::new(),
        }
    }
}

impl<G: Playable> Explorer<G> {
    /// Creates an explorer without games, which counts the first `plies` plies of each.
    pub fn new(plies: usize) -> Self {
        Self {
            positions: HashMap::new(),
            plies,
            sources: Vec::new(),
            games: HashMap::new(),
            entries: 0,
        }
    }

    /// Plies counted in each game.
    pub const fn plies(&self) -> usize {
        self.plies
    }

    /// Number of entries in memory: one for each move of a position and each source.
    pub const fn entries(&self) -> usize {
        self.entries
    }

    /// All sources, with the number of games of each.
    pub fn sources(&self) -> impl Iterator<Item = (&Source, u64)> {
        self.sources.iter().enumerate().map(|(place, source)| {
            let place = place as u32;
            let games = self.games.iter().filter(|(players, _)| players.contains(&place));
            (source, games.map(|(_, games)| games).sum())
        })
    }

    /// Number of games with a player for whom `chosen` is true.
    pub fn games(&self, chosen: impl Fn(&Source) -> bool) -> u64 {
        let chosen: Vec<bool> = self.sources.iter().map(chosen).collect();
        let games = self.games.iter();
        let games = games.filter(|(players, _)| players.iter().any(|&place| chosen[place as usize]));
        games.map(|(_, games)| games).sum()
    }

    /// Adds a game. A position reached twice counts twice.
    pub fn add(&mut self, explored: &ExploredGame<G>) {
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

    fn add_ply(&mut self, game: &G, ply: &ExploredPly<G::Action>, source: u32, outcome: Outcome, points: Option<f64>) {
        let Visited { played, searched } = self.positions.entry(game.position_key()).or_default();
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
        // Mostly a player of the previous game.
        let known = self.sources.iter().rposition(|known| known == source);
        let place = known.unwrap_or_else(|| {
            self.sources.push(source.clone());
            self.sources.len() - 1
        });
        place as u32
    }

    /// The moves played in the position of a game, with their sources.
    pub(super) fn played(&self, game: &G) -> impl Iterator<Item = (&Source, &Played<G::Action>)> {
        let played = self.positions.get(&game.position_key()).into_iter();
        let played = played.flat_map(|visited| &visited.played);
        played.map(|played| (&self.sources[played.source as usize], played))
    }

    /// The moves searched in the position of a game, with their sources.
    pub(super) fn searched(&self, game: &G) -> impl Iterator<Item = (&Source, &Searched<G::Action>)> {
        let searched = self.positions.get(&game.position_key()).into_iter();
        let searched = searched.flat_map(|visited| &visited.searched);
        searched.map(|searched| (&self.sources[searched.source as usize], searched))
    }
}

impl<A> Played<A> {
    const fn new(action: A, source: u32) -> Self {
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
