//! A game without its type: what the classes of Python hold. [`crate::play`] and its neighbours implement these traits
//! once, for every game.

use std::any::Any;
use std::sync::Arc;

use chase_engine::alpha_beta::{Limits, Settings};
use chase_engine::search::SearchParams;
use chase_engine::{Outcome, Player};
use pyo3::{PyResult, Python};

use crate::baselines::Assessed;
use crate::evaluate::Evaluate;
use crate::ruled::Facts;
use crate::search::Found;
use crate::self_play::{AnySelfPlay, Plan};
use crate::updatable::Updatable;
use crate::vector::AnyVector;

/// A game with its conventions and its encoding.
pub trait AnyGame: Any + Send + Sync {
    fn facts(&self) -> &Facts;

    /// A game that begins, from a position as text or from the initial one; where games begin at random, from the one
    /// that the seed draws, or from one that is always the same.
    ///
    /// # Errors
    /// If the text is not a position.
    fn begin(self: Arc<Self>, position: Option<&str>, seed: Option<u64>) -> Result<Box<dyn AnyPlay>, String>;

    /// All records of a text: their tags, and the games.
    ///
    /// # Errors
    /// If the text has no records of this game.
    fn read_records(self: Arc<Self>, text: &str) -> Result<Recordings, String>;

    /// So many games in lock-step.
    fn vector(self: Arc<Self>, games: usize, seed: u64, planes: bool) -> Result<Box<dyn AnyVector>, String>;

    /// Searches all positions, which must be of this game, side by side.
    ///
    /// # Errors
    /// If a position is of another game, a parameter is out of its range, or the evaluator fails.
    fn search(
        &self,
        py: Python<'_>,
        positions: &[&dyn AnyPlay],
        params: &SearchParams,
        evaluate: &Evaluate,
        seed: u64,
        threads: usize,
    ) -> PyResult<Vec<Found>>;

    /// Random play: a policy index for each position. None of them may be over, here and below.
    ///
    /// # Errors
    /// If a position is of another game.
    fn random(&self, py: Python<'_>, positions: &[&dyn AnyPlay], seed: u64, threads: usize) -> PyResult<Vec<u32>>;

    /// Greedy play: a policy index for each position.
    ///
    /// # Errors
    /// If a position is of another game, or this game has no heuristic.
    fn greedy(&self, py: Python<'_>, positions: &[&dyn AnyPlay], seed: u64, threads: usize) -> PyResult<Vec<u32>>;

    /// Alpha–beta search of each position, by a network or else by the heuristic.
    ///
    /// # Errors
    /// If a position is of another game, this game cannot be judged so, or a signal ends the search.
    fn alpha_beta(
        &self,
        py: Python<'_>,
        positions: &[&dyn AnyPlay],
        judge: (Option<&Updatable>, Settings),
        limits: Limits,
        seed: u64,
        threads: usize,
    ) -> PyResult<Vec<Assessed>>;

    /// Value of each position for the player to move.
    ///
    /// # Errors
    /// If a position is of another game, or this game has no heuristic.
    fn heuristic(&self, positions: &[&dyn AnyPlay]) -> PyResult<Vec<i32>>;

    /// Whole games of searches.
    ///
    /// # Errors
    /// If a parameter is out of its range.
    fn self_play(self: Arc<Self>, plan: Plan) -> Result<Box<dyn AnySelfPlay>, String>;
}

/// Names and values.
pub type Tags = Vec<(String, String)>;

/// Games that were recorded, each with its tags.
pub type Recordings = Vec<(Tags, Box<dyn AnyPlay>)>;

/// One game in progress, with its history. Actions are policy indices: from the view of the player to move.
pub trait AnyPlay: Any + Send + Sync {
    fn game(&self) -> Arc<dyn AnyGame>;
    fn as_any(&self) -> &dyn Any;
    fn copy(&self) -> Box<dyn AnyPlay>;

    /// Meaningless once the game is over.
    fn to_move(&self) -> Player;
    fn outcome(&self) -> Option<Outcome>;
    fn end_reason(&self) -> Option<&'static str>;
    fn key(&self) -> u128;

    /// In ascending order; empty once the game is over.
    fn legal(&self) -> Vec<u32>;

    /// # Errors
    /// If the action is not legal.
    fn apply(&mut self, index: u32) -> Result<(), String>;

    /// # Errors
    /// If the action is not legal.
    fn action_text(&self, index: u32) -> Result<String, String>;

    /// # Errors
    /// If the text names no legal action.
    fn action_index(&self, text: &str) -> Result<u32, String>;

    /// Writes the planes, which must be as many numbers as the shape says.
    fn encode(&self, planes: &mut [f32]);

    /// The position as one line; the one that the game began from, if it was set up.
    fn position(&self) -> String;
    fn start(&self) -> Option<&str>;

    /// The players and actions so far, each action as policy index and as text.
    fn history(&self) -> Vec<(Player, u32, String)>;

    fn text(&self) -> String;
    fn svg(&self) -> String;

    /// # Errors
    /// If a tag is none.
    fn record(&self, tags: Tags) -> Result<String, String>;
}
