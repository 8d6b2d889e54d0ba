//! A game played on any directed graph: who acts where is free, and so are cycles and the ways to end.

use std::sync::Arc;

use chase_engine::{Game, Outcome, Player, TextError};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::evaluators::mix;

/// A position.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    pub to_move: Player,
    /// The positions that the actions lead to; none if the game is over here.
    pub next: Vec<usize>,
    pub end: Option<Outcome>,
}

/// The rules: positions by number, play begins at 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Graph {
    pub spots: Vec<Spot>,
    /// True if the second occurrence of a position is a draw.
    pub repetition: bool,
    /// Truncates the game.
    pub max_plies: Option<u32>,
}

impl Graph {
    /// Reads one position a word: `w:1,2` White chooses between positions 1 and 2; `=w`, `=b`, `=d`, `=t` the game is
    /// over: White or Black wins, a draw, truncated.
    pub fn parse(text: &str) -> Self {
        let player = |letter: &str| if letter == "w" { Player::White } else { Player::Black };
        let spot = |word: &str| match word.split_once(':') {
            Some((letter, next)) => Spot {
                to_move: player(letter),
                next: next.split(',').map(|number| number.parse().unwrap()).collect(),
                end: None,
            },
            None => Spot {
                to_move: Player::White,
                next: Vec::new(),
                end: Some(match word {
                    "=d" => Outcome::Draw,
                    "=t" => Outcome::Truncated,
                    _ => Outcome::Win(player(&word[1..])),
                }),
            },
        };
        Self {
            spots: text.split_whitespace().map(spot).collect(),
            ..Self::default()
        }
    }

    /// A random graph. Players act in any order; actions lead on to later positions, or anywhere if `cyclic`.
    pub fn random(size: usize, cyclic: bool, truncated: bool, rng: &mut Xoshiro256PlusPlus) -> Self {
        let ends = [
            Outcome::Win(Player::White),
            Outcome::Win(Player::Black),
            Outcome::Draw,
            Outcome::Truncated,
        ];
        let ends = if truncated { &ends[..] } else { &ends[..3] };
        let spots = (0..size).map(|at| {
            let is_end = at > 0 && (at + 1 == size || rng.random_range(0..4) == 0);
            let first = if cyclic { 0 } else { at + 1 };
            let count = if is_end { 0 } else { rng.random_range(1..=4) };
            Spot {
                to_move: Player::BOTH[rng.random_range(0..2)],
                next: (0..count).map(|_| rng.random_range(first..size)).collect(),
                end: is_end.then(|| ends[rng.random_range(0..ends.len())]),
            }
        });
        Self {
            spots: spots.collect(),
            repetition: cyclic,
            max_plies: None,
        }
    }

    pub fn game(&self) -> GraphGame {
        GraphGame::new(self)
    }
}

#[derive(Clone, Debug)]
pub struct GraphGame {
    graph: Arc<Graph>,
    at: usize,
    history: Vec<usize>,
}

impl GraphGame {
    fn spot(&self) -> Option<&Spot> {
        self.graph.spots.get(self.at)
    }

    pub fn at(&self) -> usize {
        self.at
    }

    fn ending(&self) -> Option<Outcome> {
        let Some(spot) = self.spot() else {
            return Some(Outcome::Draw);
        };
        if spot.end.is_some() {
            spot.end
        } else if self.graph.repetition && self.history.contains(&self.at) {
            Some(Outcome::Draw)
        } else if self.graph.max_plies.is_some_and(|limit| self.plies() >= limit) {
            Some(Outcome::Truncated)
        } else {
            None
        }
    }
}

impl Game for GraphGame {
    /// Index of the arrow of the position to follow.
    type Action = usize;
    type Rules = Graph;

    const NAME: &'static str = "graph";
    const RULES_VERSION: u32 = 1;
    const POLICY_SIZE: usize = 16;

    fn standard_rules(_: &str) -> Option<Graph> {
        None
    }

    fn rules_text(rules: &Graph) -> String {
        format!("{rules:?}")
    }

    fn new(rules: &Graph) -> Self {
        Self {
            graph: Arc::new(rules.clone()),
            at: 0,
            history: Vec::new(),
        }
    }

    fn to_move(&self) -> Player {
        self.spot().map_or(Player::White, |spot| spot.to_move)
    }

    fn legal_actions(&self, actions: &mut Vec<usize>) {
        actions.clear();
        if self.outcome().is_none() {
            actions.extend(0..self.spot().map_or(0, |spot| spot.next.len()));
        }
    }

    fn apply(&mut self, action: usize) {
        self.history.push(self.at);
        self.at = self.graph.spots[self.at].next[action];
    }

    fn end(&self) -> Option<(Outcome, &'static str)> {
        self.ending().map(|outcome| (outcome, outcome.name()))
    }

    fn plies(&self) -> u32 {
        self.history.len() as u32
    }

    fn key(&self) -> u128 {
        // Where a recurrence means nothing, it is none of the key's business.
        let earlier = self
            .history
            .iter()
            .filter(|&&at| self.graph.repetition && at == self.at);
        let occurrences = earlier.count() as u64;
        let plies = self.graph.max_plies.map_or(0, |_| u64::from(self.plies()));
        u128::from(mix(self.at as u64 ^ mix(occurrences ^ mix(plies))))
    }

    fn policy_index(&self, action: usize) -> usize {
        action
    }

    fn position_text(&self) -> String {
        self.at.to_string()
    }

    fn from_position_text(text: &str, rules: &Graph) -> Result<Self, TextError> {
        let at = text.parse();
        let at = at.map_err(|_| TextError::expected("a number", text, 0..text.len()))?;
        Ok(Self { at, ..Self::new(rules) })
    }

    fn action_text(&self, action: usize) -> String {
        action.to_string()
    }

    fn parse_action(&self, text: &str) -> Result<usize, TextError> {
        let action = text.parse().ok().filter(|&action| self.is_legal(action));
        action.ok_or_else(|| TextError::expected("an arrow", text, 0..text.len()))
    }
}

/// The result of perfect play, by looking at everything; `None` if a truncated game stands in the way.
pub fn solve<G: Game>(game: &G) -> Option<Outcome> {
    match game.outcome() {
        Some(Outcome::Truncated) => return None,
        Some(outcome) => return Some(outcome),
        None => {}
    }
    let player = game.to_move();
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    let results: Vec<Option<Outcome>> = actions
        .iter()
        .map(|&action| {
            let mut next = game.clone();
            next.apply(action);
            solve(&next)
        })
        .collect();
    if results.contains(&Some(Outcome::Win(player))) {
        Some(Outcome::Win(player))
    } else if results.contains(&None) {
        None
    } else if results.contains(&Some(Outcome::Draw)) {
        Some(Outcome::Draw)
    } else {
        Some(Outcome::Win(!player))
    }
}

#[test]
fn a_graph_is_a_game() {
    let mut rng = crate::rng(3);
    for index in 0..50 {
        // The conformance test asks for legal actions that depend on the position alone, so no limits here.
        let graph = Graph::random(12, false, true, &mut rng);
        chase_engine::conformance::check::<GraphGame>(&graph, 5, 30, index);
    }
}
