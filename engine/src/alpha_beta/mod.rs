//! Alpha–beta search over any game: principal variation search with iterative deepening, a transposition table,
//! reductions and pruning.
//!
//! - **An [`Evaluator`] judges positions**: a hand-written heuristic, a network, or any function of a game. The game itself says
//!   what an action [gains](crate::Game::gain) and whether it is [unsettled](crate::Game::is_unsettled).
//! - **Values belong to players.** The same player may act on consecutive plies, so a value changes its sign when the
//!   player to move changes, never at every ply.
//! - **Ends of the game are exact**, and the nearest win or the farthest loss is preferred. A draw is worth 0. A game that the
//!   length limit ends has no value, so that it is judged like a position at the horizon.
//! - **Repetitions and turn limits are exact along the line of play**, since the search plays on the game with its history.
//!   Results in the table may come from a line with other earlier positions; that is accepted.
//! - **Pruning is switched by [`Pruning`]**: with [`Pruning::NONE`] the value of a search of fixed depth is that of plain
//!   minimax. [`Memory`] says which results of earlier searches of a position count.
//! - **Nothing is kept from one search to the next**: the same game, limits without time, and evaluator give the same result.
//!
//! # Example
//!
//! ```
//! use chase_engine::alpha_beta::{AlphaBeta, ByGame, Limits, Settings};
//! use chase_engine::{Chase, Game};
//!
//! let game = Chase::new(&Default::default());
//! // Dice alone, a hundred each.
//! let dice = |game: &Chase| 100 * game.position().lead(game.to_move());
//! let found = AlphaBeta::new(ByGame(dice), Settings::PLAIN).best(&game, &Limits::depth(2));
//! assert!(game.is_legal(found.action));
//! assert_eq!((found.depth, found.plies_to_win()), (2, None));
//! ```

mod by_heuristic;
mod evaluator;
mod frame;
mod request;
mod root;
mod settings;
mod table;
mod value;
mod walk;
mod window;

pub use by_heuristic::ByHeuristic;
pub use evaluator::{ByGame, Evaluator, logistic};
pub use request::{Found, Request, Watch};
pub use settings::{Limits, MAX_DEPTH, Memory, Pruning, Settings};
pub use value::{WIN, is_proven};

use crate::Game;
use frame::{Frame, History};
use table::Table;

/// A search with its memory, for one game at a time.
#[derive(Debug)]
pub struct AlphaBeta<G: Game, E> {
    evaluator: E,
    settings: Settings,
    table: Table<G::Action>,
    history: History,
    /// One for each ply, as many as a search has reached.
    frames: Vec<Frame<G>>,
}

impl<G: Game, E: Evaluator<G>> AlphaBeta<G, E> {
    /// A search without results yet.
    pub fn new(evaluator: E, settings: Settings) -> Self {
        Self {
            evaluator,
            settings,
            table: Table::new(settings.memory, settings.table_mib),
            history: History::new(settings.memory, G::POLICY_SIZE),
            frames: Vec::new(),
        }
    }

    /// The score that the player to move should expect, from 0 to 1, without a search.
    pub fn judgement(&mut self, game: &G) -> f64 {
        self.evaluator.begin(game);
        let value = self.evaluator.value(game);
        logistic(self.evaluator.logit(game, value))
    }

    /// The value of a game that is worth a logit of the expected score.
    pub fn value_of_a_logit(&self, game: &G) -> f64 {
        1.0 / self.evaluator.logit(game, 1)
    }

    /// The best action of a game that is not over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn best<'a>(&mut self, game: &G, request: impl Into<Request<'a, G::Action>>) -> Found<G::Action>
    where
        G: 'a,
    {
        self.search(game, request.into(), &mut |_| ()).swap_remove(0)
    }
}
