//! Search with a network of the second family, in any game that has such networks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chase_engine::alpha_beta::{AlphaBeta, Found, Limits, Request, Settings};
use chase_engine::chase::Action;
use chase_engine::{Chase, Game, Value, Wdl};
use chase_nnue::{Kernel, LineEvaluator, Network, Searcher, score};

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct NnueFound<A> {
    /// The best action.
    pub action: A,
    /// Expected score of the player to move, from 0 to 1: a draw counts as half a win.
    pub score: f64,
    /// Plies until the proven win of the player to move, negative for a proven loss; `None` if neither is proven.
    pub plies_to_win: Option<i32>,
    /// Plies of the last search that was not broken off.
    pub depth: u32,
    /// Nodes visited.
    pub nodes: u64,
    /// The expected line, beginning with the action.
    pub line: Vec<A>,
}

impl<A> NnueFound<A> {
    /// The expected result of the player to move, from −1 to 1.
    pub fn value(&self) -> Value {
        Value(2.0 * self.score as f32 - 1.0)
    }

    /// The expected score as a result. The network does not tell draws from wins and losses: their probability is 0.
    pub(super) fn expects(&self) -> Wdl {
        let win = self.score as f32;
        Wdl::new(win, 0.0, 1.0 - win)
    }
}

/// Sees the best actions after each depth.
pub type LinesWatch<'a, A> = dyn FnMut(&[NnueFound<A>]) + 'a;

/// A search that judges positions by a network of the second family.
pub trait NnueSearch<G: Game>: Send {
    /// The action of a game that is not over with the best sum of its value and its `bonus`, in thousandths of a logit.
    /// `watch` is called with every depth that was searched to its end; the search ends soon after `stop` is set. The
    /// result depends on the game and the limits alone, unless there is a limit of time.
    fn search(
        &mut self,
        game: &G,
        limits: &Limits,
        bonus: &mut dyn FnMut(G::Action) -> i32,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&NnueFound<G::Action>),
    ) -> NnueFound<G::Action>;

    /// The `count` best actions, or all if there are fewer, best first, each with its own value and line. `watch` is
    /// called with every depth that was searched to its end for all of them.
    fn lines(
        &mut self,
        game: &G,
        limits: &Limits,
        count: usize,
        stop: &AtomicBool,
        watch: &mut LinesWatch<'_, G::Action>,
    ) -> Vec<NnueFound<G::Action>>;

    /// The expected score of the player to move, from 0 to 1, without a search.
    fn judge(&mut self, game: &G) -> f64;
}

/// A function that returns a search with a network and these settings.
pub type MakeNnueSearch<G> = fn(Arc<Network>, Settings) -> Box<dyn NnueSearch<G>>;

/// The search for Chase, as a [`MakeNnueSearch`].
pub fn nnue_search(network: Arc<Network>, settings: Settings) -> Box<dyn NnueSearch<Chase>> {
    let evaluator = LineEvaluator::shared(network, Kernel::best());
    Box::new(Searcher::new(evaluator, settings))
}

impl NnueSearch<Chase> for Searcher<'static> {
    fn search(
        &mut self,
        game: &Chase,
        limits: &Limits,
        bonus: &mut dyn FnMut(Action) -> i32,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(&NnueFound<Action>),
    ) -> NnueFound<Action> {
        let request = Request::new(*limits).with_bonus(bonus).stopped_by(stop);
        let mut found = AlphaBeta::search(self, game, request, &mut |found| watch(&found[0].clone().into()));
        found.swap_remove(0).into()
    }

    fn lines(
        &mut self,
        game: &Chase,
        limits: &Limits,
        count: usize,
        stop: &AtomicBool,
        watch: &mut LinesWatch<'_, Action>,
    ) -> Vec<NnueFound<Action>> {
        let of = |lines: &[Found<Action>]| lines.iter().cloned().map(NnueFound::from).collect::<Vec<_>>();
        let request = Request::new(*limits).lines(count).stopped_by(stop);
        let lines = AlphaBeta::search(self, game, request, &mut |lines| watch(&of(lines)));
        of(&lines)
    }

    fn judge(&mut self, game: &Chase) -> f64 {
        score(self.judgement(game))
    }
}

impl From<Found<Action>> for NnueFound<Action> {
    fn from(found: Found<Action>) -> Self {
        Self {
            action: found.action,
            score: score(found.value),
            plies_to_win: found.plies_to_win(),
            depth: found.depth,
            nodes: found.nodes,
            line: found.line,
        }
    }
}
