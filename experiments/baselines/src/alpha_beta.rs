//! Alpha–beta search with a hand-written heuristic.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chase_engine::Game;
use chase_engine::alpha_beta::{self, Evaluator, Found, Limits, Request, Settings, logistic};
use rand::rngs::Xoshiro256PlusPlus;

use crate::heuristic::Heuristic;

/// A heuristic as what alpha–beta judges positions by.
#[derive(Clone, Debug)]
struct ByHeuristic<H>(H);

impl<G: Game, H: Heuristic<G>> Evaluator<G> for ByHeuristic<H> {
    fn value(&mut self, game: &G) -> i32 {
        self.0.evaluate(game, game.to_move())
    }

    fn score(&self, game: &G, value: i32) -> f64 {
        logistic(self.0.logit(game, value))
    }
}

/// Fixed rules of thought: [alpha–beta](alpha_beta) over a hand-written heuristic.
///
/// With the default settings, [`Settings::PLAIN`], a stored result is used only for the depth it was found at: the value of
/// a search of fixed depth without quiescence is that of plain minimax. The choice among several equally good first
/// actions depends on the generator.
pub struct AlphaBeta<G: Game, H> {
    search: alpha_beta::AlphaBeta<G, ByHeuristic<H>>,
    limits: Limits,
    stop: Option<Arc<AtomicBool>>,
}

impl<G: Game, H: Heuristic<G>> AlphaBeta<G, H> {
    /// A new player, with these limits of each search.
    pub fn new(heuristic: H, limits: Limits) -> Self {
        Self::with_settings(heuristic, Settings::PLAIN, limits)
    }

    /// A new player whose searches work in another way.
    pub fn with_settings(heuristic: H, settings: Settings, limits: Limits) -> Self {
        Self {
            search: alpha_beta::AlphaBeta::new(ByHeuristic(heuristic), settings),
            limits,
            stop: None,
        }
    }

    /// The same player, whose searches end soon after `stop` is set. One ply is always searched.
    #[must_use]
    pub fn stopped_by(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = Some(stop);
        self
    }

    /// Sets the limit of nodes of the searches that follow.
    pub const fn limit_nodes(&mut self, nodes: Option<u64>) {
        self.limits.nodes = nodes;
    }

    /// The limits of each search.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The best action of a game that is not over.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search(&mut self, game: &G, rng: &mut Xoshiro256PlusPlus) -> Found<G::Action> {
        self.search_watched(game, rng, |_| {})
    }

    /// As [`AlphaBeta::search`]; `watch` is called after every depth that was searched to its end.
    ///
    /// # Panics
    /// If the game is over.
    pub fn search_watched(
        &mut self,
        game: &G,
        rng: &mut Xoshiro256PlusPlus,
        mut watch: impl FnMut(&Found<G::Action>),
    ) -> Found<G::Action> {
        let request = Request::new(self.limits).shuffled(rng);
        let request = match &self.stop {
            Some(stop) => request.stopped_by(stop),
            None => request,
        };
        let mut found = self.search.search(game, request, &mut |found| watch(&found[0]));
        found.swap_remove(0)
    }
}
