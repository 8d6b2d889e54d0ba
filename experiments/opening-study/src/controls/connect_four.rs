//! Games of Connect Four, whose truth a solver knows, presented as Chase: its columns stand for first moves, and the
//! first move's advantage and the best first move are tested as they are in a study.

use std::collections::HashMap;

use chase_engine::connect_four::Solver;
use chase_engine::{ConnectFour, Game, Outcome, Player, seed};
use chase_statistics::{Best, BestComparison, MeanMethod, Verdict};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::colours::exchange_colours;
use crate::claims::advantage_verdict;
use crate::claims::method::games::{GamesAnalysis, SCORE};
use crate::evidence::games::{Design, GameFacts, GamesConfig, Series, SeriesId};
use crate::evidence::score::score;
use crate::first_moves;

/// Columns up to a position that the player to move wins with a stone in the centre and with no other.
const WON: [u8; 12] = [6, 3, 2, 0, 0, 2, 2, 1, 1, 3, 2, 2];
/// Index of the centre column.
pub(crate) const CENTRE: u8 = 3;
/// Columns of the board.
pub(crate) const COLUMNS: usize = 7;
/// The share of plies in which a player chooses among all actions.
const BLUNDERS: f64 = 0.25;

/// The position that the player to move wins with a stone in the centre alone.
pub(crate) fn won() -> ConnectFour {
    let mut game = ConnectFour::new(&());
    WON.iter().for_each(|&column| game.apply(column));
    game
}

/// The position after that stone: the player to move has lost, whatever the move.
pub(crate) fn lost() -> ConnectFour {
    let mut game = won();
    game.apply(CENTRE);
    game
}

/// Plays from a position to the end: both sides choose among the best actions, and blunder sometimes. The facts are
/// those of the player to move at the beginning, who stands for White.
fn play(mut game: ConnectFour, first: Option<u8>, solver: &mut Solver, rng: &mut Xoshiro256PlusPlus) -> GameFacts {
    let mover = game.to_move();
    let mut column = None;
    let mut actions = Vec::new();
    let outcome = loop {
        if let Some(outcome) = game.outcome() {
            break outcome;
        }
        if rng.random::<f64>() < BLUNDERS {
            game.legal_actions(&mut actions);
        } else {
            actions = solver.optimal_actions(&game);
        }
        let chosen = actions[rng.random_range(0..actions.len())];
        let action = first.filter(|_| column.is_none()).unwrap_or(chosen);
        column.get_or_insert(action);
        game.apply(action);
    };
    let outcome = match outcome {
        Outcome::Win(winner) if winner == mover => Outcome::Win(Player::White),
        Outcome::Win(_) => Outcome::Win(Player::Black),
        other => other,
    };
    let stands_for = column.and_then(|column| first_moves().into_iter().nth(column.into()));
    GameFacts {
        score: score(outcome),
        outcome,
        plies: game.plies(),
        first_capture: None,
        early_losses: [0; 2],
        early_threats: None,
        first_chamber: None,
        fives: Vec::new(),
        line: stands_for.map(|first| first.action().to_string()).into_iter().collect(),
        lead: None,
    }
}

/// A study of one player with the games of Connect Four.
#[derive(Clone)]
pub(crate) struct ConnectFourStudy {
    design: Design,
    series: Vec<Series>,
    facts: HashMap<SeriesId, Vec<GameFacts>>,
}

impl ConnectFourStudy {
    /// The settings of a study, with one player and so many blocks.
    pub fn design(of: &Design, blocks: u32) -> Design {
        let config = GamesConfig {
            players: of.config.players.iter().take(1).cloned().collect(),
            curve: Vec::new(),
            conventions: Vec::new(),
            replies: false,
            most: blocks,
            ..of.config.clone()
        };
        Design {
            config,
            raised: Vec::new(),
            players: of.players.iter().take(1).cloned().collect(),
            ..of.clone()
        }
    }

    /// The games of one study from a position, each with its own randomness: in every block one game after each first
    /// move, and the games from the initial position of the design. `place` is the place of their randomness.
    pub fn of(design: &Design, start: &ConnectFour, place: &[u64], solver: &mut Solver) -> Self {
        let (blocks, free) = (design.config.most, design.config.initial_factor);
        let mut games = |series: u64, first: Option<u8>, count: u32| -> Vec<GameFacts> {
            let game = |game: u32| {
                let place = [place, &[u64::from(start.plies()), series, game.into()]].concat();
                let mut rng = seed::named("control: Connect Four", &place);
                play(*start, first, solver, &mut rng)
            };
            (0..count).map(game).collect()
        };
        let free = games(COLUMNS as u64, None, free.saturating_mul(blocks));
        let mut facts = HashMap::from([(SeriesId::free(0), free)]);
        for (column, first) in (0..COLUMNS as u8).zip(first_moves()) {
            let series = SeriesId::first(0, first.action());
            facts.insert(series, games(column.into(), Some(column), blocks));
        }
        Self {
            design: design.clone(),
            series: design.series(),
            facts,
        }
    }

    /// The same games with colours assigned by a fair coin each: no one has the first move, and no first move is
    /// better.
    #[must_use]
    pub fn with_colours_exchanged(&self, world: &[u64]) -> Self {
        let mut study = self.clone();
        for (&id, games) in &mut study.facts {
            let games = games.iter_mut().enumerate();
            games.for_each(|(number, game)| exchange_colours(world, id, number, game));
        }
        study
    }

    /// The verdict on the first player's advantage.
    pub fn advantage(&self) -> Verdict {
        advantage_verdict(&GamesAnalysis::new(&self.design, &self.series, &self.facts, ""))
    }

    /// Comparison of the columns with the best of them; `None` without games.
    pub fn best(&self) -> Option<BestComparison> {
        let config = &self.design.config;
        let scores = first_moves().into_iter().take(COLUMNS).map(|first| {
            let games = self.facts.get(&SeriesId::first(0, first.action()));
            games.into_iter().flatten().map(SCORE.measure).collect()
        });
        let scores: Vec<Vec<Option<f64>>> = scores.collect();
        Best::new(MeanMethod::Betting, SCORE.range, config.error, config.most.into()).compare(&scores)
    }
}
