//! Comparison of agents with perfect play in Connect Four, which is solved: an agent's choices in test positions, and games
//! against perfect play.

use std::ops::RangeInclusive;

use chase_engine::{ConnectFour, Game, Player};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::evaluation::Share;
use crate::players::{Agent, AgentFailure, Choice, Decision};
use chase_statistics::{WinDrawLoss, generator};

pub use chase_engine::connect_four::Solver;

/// A test position of Connect Four.
pub type Graded = crate::evaluation::Graded<ConnectFour>;

/// The position after this many random actions, if neither they nor one more end the game.
fn random_position(plies: u32, rng: &mut Xoshiro256PlusPlus) -> Option<ConnectFour> {
    let (mut game, mut actions) = (ConnectFour::new(&()), Vec::new());
    for _ in 0..plies {
        game.legal_actions(&mut actions);
        if actions.is_empty() {
            return None;
        }
        game.apply(actions[rng.random_range(0..actions.len())]);
    }
    game.legal_actions(&mut actions);
    let ends = |&action: &u8| {
        let mut next = game;
        next.apply(action);
        next.outcome().is_some()
    };
    (!actions.is_empty() && !actions.iter().any(ends)).then_some(game)
}

/// Test positions for a seed: after uniformly random plies, their number drawn from a range; the game must not be over,
/// nor be won by the next action.
///
/// # Panics
/// If the range of plies is empty.
pub fn graded_positions(solver: &mut Solver, count: usize, plies: RangeInclusive<u32>, seed: u64) -> Vec<Graded> {
    let mut legal = Vec::new();
    let positions = (0..).filter_map(|number| {
        let mut rng = generator(seed, &[number]);
        random_position(rng.random_range(plies.clone()), &mut rng)
    });
    let grade = |game: ConnectFour| {
        let optimal = solver.optimal_actions(&game);
        game.legal_actions(&mut legal);
        let has_choice = optimal.len() < legal.len();
        Graded {
            game,
            optimal,
            has_choice,
        }
    };
    positions.take(count).map(grade).collect()
}

/// Agreement of an agent's choices with perfect play.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Agreement {
    /// Share in all positions.
    pub all: Share,
    /// Share in positions where some legal action gives away a win or a draw.
    pub with_choice: Share,
}

impl Agreement {
    /// Counts the results of [`choices`](crate::evaluation::choices) for these positions.
    pub fn new(positions: &[Graded], optimal: &[bool]) -> Self {
        let pairs = positions.iter().zip(optimal);
        let with_choice = pairs.filter(|(graded, _)| graded.has_choice);
        let with_choice: Vec<bool> = with_choice.map(|(_, &optimal)| optimal).collect();
        Self {
            all: Share::new(optimal),
            with_choice: Share::new(&with_choice),
        }
    }
}

/// Games from the empty board, the agent first. The other side chooses uniformly among all actions until there are
/// `random_plies` stones, since solving takes too long before and games should vary, and then among the best actions:
/// those that win soonest or lose latest. All games are played in parallel, so that the agent's searches share batches.
///
/// The first player wins Connect Four, so a loss is always the agent's own mistake, and from `random_plies` on the
/// solver identifies the mistakes.
///
/// # Errors
/// If the agent cannot play.
pub fn first_player_games(
    agent: &mut dyn Agent<ConnectFour>,
    solver: &mut Solver,
    games: u32,
    random_plies: u32,
    seed: u64,
) -> Result<FirstPlayerGames, AgentFailure> {
    let table = |number| Table {
        number,
        value: None,
        game: ConnectFour::new(&()),
        own: generator(seed, &[number, 0]),
        other: generator(seed, &[number, 1]),
    };
    let mut tables: Vec<Table> = (0..u64::from(games)).map(table).collect();
    let mut played = FirstPlayerGames::default();
    while !tables.is_empty() {
        let decisions = tables
            .iter_mut()
            .map(|table| Decision::without_past(&table.game, &mut table.own));
        let chosen = agent.choose_batch(&mut decisions.collect::<Vec<_>>())?;
        for (table, Choice { action, .. }) in tables.iter_mut().zip(chosen) {
            if !table.game.is_legal(action) {
                let position = table.game.position_text();
                return Err(AgentFailure(format!("column {action} is not open in {position}")));
            }
            table.game.apply(action);
            played.mistakes.extend(table.mistake(solver, random_plies));
            table.reply(solver, random_plies);
        }
        tables.retain(|table| match table.game.outcome() {
            Some(outcome) => {
                played.results.add(outcome, Player::White);
                if table.value.is_none() {
                    played.unseen.add(outcome, Player::White);
                }
                false
            }
            None => true,
        });
    }
    Ok(played)
}

/// Results of an agent's games as first player.
#[derive(Clone, Debug, Default, Serialize)]
pub struct FirstPlayerGames {
    /// Results for the agent.
    #[serde(flatten)]
    pub results: WinDrawLoss,
    /// Results of those games that ended before the solver was used.
    pub unseen: WinDrawLoss,
    /// Its mistakes from the ply on where the solver is used, by ply.
    pub mistakes: Vec<Mistake>,
}

/// A win or a draw that was given away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mistake {
    /// Number of the game.
    pub game: u64,
    /// Stones on the board before the mistake; a mistake at the first ply that the solver checks stands for all earlier
    /// ones.
    pub ply: u32,
    /// Result of perfect play before: 1 for a win, 0 for a draw.
    pub before: i32,
    /// Result of perfect play after: 0 for a draw, −1 for a loss.
    pub after: i32,
    /// The position after the mistake.
    pub position: String,
}

/// A game against the solver, the agent to move.
struct Table {
    number: u64,
    /// The game's value for the agent after its last ply, if the solver knows it; the empty board is a win.
    value: Option<i32>,
    game: ConnectFour,
    own: Xoshiro256PlusPlus,
    other: Xoshiro256PlusPlus,
}

impl Table {
    /// The mistake in the agent's last ply, if it was one.
    fn mistake(&mut self, solver: &mut Solver, random_plies: u32) -> Option<Mistake> {
        let plies = self.game.plies();
        if plies <= random_plies {
            return None;
        }
        let after = match self.game.outcome() {
            Some(outcome) => {
                let value = outcome.value_for(Player::White);
                value.expect("Connect Four has no limit of its length").0 as i32
            }
            None => -solver.value(&self.game),
        };
        // The solver's replies give nothing away.
        let before = self.value.replace(after).unwrap_or(1);
        (after < before).then(|| Mistake {
            game: self.number,
            ply: plies - 1,
            before,
            after,
            position: self.game.position_text(),
        })
    }

    /// Plays the other side's ply, if the game is not over.
    fn reply(&mut self, solver: &mut Solver, random_plies: u32) {
        let mut actions = Vec::new();
        if self.game.outcome().is_some() {
            return;
        }
        if self.game.plies() < random_plies {
            self.game.legal_actions(&mut actions);
        } else {
            actions = solver.best_actions(&self.game);
        }
        self.game.apply(actions[self.other.random_range(0..actions.len())]);
    }
}
