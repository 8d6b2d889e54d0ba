//! Analyses of positions by search, which can be observed, stopped and continued.
//!
//! | task | tool |
//! |---|---|
//! | one position, to its end | [`Analyst::run`] on an [`Analysis`] |
//! | one position, observed, broken off or continued | the same: it calls back after every step, and [`Analysis::go_on`] and [`Analysis::play`] keep the tree |
//! | many requests as JSON, batched with each other | a [`TreeDesk`] |
//! | one position, by alpha-beta search with a network of the second family | a [`LineAnalyst`] |
//! | many requests as JSON, by such searches at the same time | a [`LineDesk`] |
//!
//! # Points of view
//! Every value, Q and [`Wdl`](chase_engine::Wdl) is for the player to move in the analysed position, including those of
//! its actions: +1 is that player's win, −1 the opponent's. Outcomes (`white`, `black`, `draw`) are absolute, including
//! proven ones.

mod analyst;
mod desk;
mod evaluator;
mod line_desk;
mod lines;
mod report;
mod request;
mod tree_desk;

use std::time::{Duration, Instant};

use chase_engine::search::{PuctParams, Search, SearchParams, SearchResult, Stop, Strategy};
use chase_engine::{Chase, Game};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use serde::Serialize;

use crate::playable::Playable;
use crate::players::NetworkSpec;

pub use analyst::{Analyst, AnalystError, precision};
pub use desk::{Answer, Desk};
pub use evaluator::{EvaluatorSpec, EvaluatorSpecError};
pub use line_desk::LineDesk;
pub use lines::LineAnalyst;
pub use report::{ActionReport, AnalysisReport, WdlReport};
pub use request::{Message, ReportOptions, Request, RequestError};
pub use tree_desk::{TreeDesk, TreeDeskSettings};

/// Simulations between two readings of the clock if no leaf needs an evaluation, as in positions that are nearly
/// proven.
const CHUNK: u32 = 1024;

/// Limits of an analysis. It ends at the first one reached; without limits, when it is stopped, proven, or out of
/// memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnalysisLimits {
    /// Simulations. With 0 there is only the evaluator's own value.
    pub simulations: Option<u32>,
    /// Time from the first step on; the position itself is always evaluated.
    pub time: Option<Duration>,
}

/// The reason for the end of an analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnalysisEnd {
    /// All simulations are done.
    Simulations,
    /// All nodes of an alpha-beta search are visited.
    Nodes,
    /// An alpha-beta search has nothing left to deepen: its depth is reached, or there is a single legal action.
    Depth,
    /// The time is up.
    Time,
    /// The result of perfect play is proven.
    Proven,
    /// The tree has reached its limit of memory.
    Memory,
    /// The game is over in the position.
    GameOver,
    /// It was stopped.
    Stopped,
}

/// The search of one position, in steps: PUCT without noise, unless [`Analysis::with_strategy`] sets another strategy.
///
/// Equal positions, limits of simulations and evaluators give equal results; with a time limit results vary.
#[derive(Debug)]
pub struct Analysis<G: Game = Chase> {
    game: G,
    search: Search<G>,
    strategy: Strategy,
    limits: AnalysisLimits,
    /// Time of the first step under these limits.
    began: Option<Instant>,
    /// Duration from then to the end, once it has ended.
    took: Duration,
    end: Option<AnalysisEnd>,
}

impl<G: Game> Analysis<G> {
    /// Creates the analysis of a position.
    pub fn new(game: G, limits: AnalysisLimits) -> Self {
        Self::with_memory_limit(game, limits, Search::<G>::DEFAULT_MEMORY_LIMIT)
    }

    /// Creates an analysis with a limit on the bytes of the tree: see [`Search::with_memory_limit`].
    pub fn with_memory_limit(game: G, limits: AnalysisLimits, bytes: usize) -> Self {
        let mut analysis = Self {
            game,
            search: Search::with_memory_limit(bytes),
            strategy: without_noise(1),
            limits,
            began: None,
            took: Duration::ZERO,
            end: None,
        };
        analysis.begin();
        analysis
    }

    /// Sets another strategy, without noise. Must be called before the first step.
    ///
    /// Gumbel plans with the number of simulations; without a limit on them the search is by PUCT.
    #[must_use]
    pub fn with_strategy(mut self, strategy: Strategy) -> Self {
        let planned = self.limits.simulations.is_some() || matches!(strategy, Strategy::Puct(_));
        if planned {
            self.strategy = strategy;
            self.begin();
        }
        self
    }

    /// Evaluates up to this many leaves at a time. Must be called before the first step; the result differs from that of
    /// single leaves, but is equally deterministic.
    #[must_use]
    fn with_leaves(self, leaves: u32) -> Self {
        self.with_strategy(without_noise(leaves))
    }

    /// Continues the analysis, with its tree, as long as the new limits allow.
    pub fn go_on(&mut self, limits: AnalysisLimits) {
        self.search.stay();
        self.restart(limits);
    }

    /// Moves to the position after an action, keeping its part of the tree. Returns true if the action is legal;
    /// otherwise nothing changes.
    pub fn play(&mut self, action: G::Action, limits: AnalysisLimits) -> bool {
        if !self.game.is_legal(action) {
            return false;
        }
        self.search.advance(action);
        self.game.apply(action);
        self.restart(limits);
        true
    }

    /// Ends the analysis; its results stay.
    pub fn stop(&mut self) {
        if self.end.is_none() {
            self.finish(AnalysisEnd::Stopped);
        }
    }

    /// The game whose position is analysed.
    pub const fn game(&self) -> &G {
        &self.game
    }

    /// The reason for the end of the analysis; `None` while it runs.
    pub const fn end(&self) -> Option<AnalysisEnd> {
        self.end
    }

    /// Simulations done since the limits were set.
    pub fn simulations(&self) -> u32 {
        self.search.simulations()
    }

    /// Time since the first step under these limits, until now or until the end.
    pub fn time(&self) -> Duration {
        match (self.end, self.began) {
            (None, Some(began)) => began.elapsed(),
            _ => self.took,
        }
    }

    /// The current result of the search.
    pub fn result(&self) -> SearchResult<'_, G> {
        self.search.result()
    }

    /// The current results as a report.
    pub fn report(&self, options: &ReportOptions) -> AnalysisReport
    where
        G: Playable,
    {
        AnalysisReport::of(self, options)
    }

    fn restart(&mut self, limits: AnalysisLimits) {
        self.limits = limits;
        self.began = None;
        self.took = Duration::ZERO;
        self.end = None;
        self.begin();
    }

    /// Begins the first chunk of simulations.
    fn begin(&mut self) {
        let params = SearchParams {
            simulations: match self.strategy {
                Strategy::Puct(_) => self.chunk_after(0),
                // Sequential halving cannot be divided into chunks.
                Strategy::Gumbel(_) => self.limits.simulations.unwrap_or(CHUNK),
            },
            strategy: self.strategy,
            // An analysis needs a value even if there is only one legal action.
            skip_forced: false,
        };
        // Never used, since there is no noise.
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let started = self.search.start(&self.game, &params, &mut rng);
        debug_assert!(started.is_ok(), "parameters of players are in their ranges");
    }

    /// Number of simulations until the next reading of the clock, after `done` of them.
    fn chunk_after(&self, done: u32) -> u32 {
        self.limits.simulations.map_or(CHUNK, |limit| CHUNK.min(limit - done))
    }

    /// Advances to the next leaves that need an evaluation, and returns the search that waits for it; `None` once the
    /// analysis has ended.
    fn select(&mut self) -> Option<&mut Search<G>> {
        let began = *self.began.get_or_insert_with(Instant::now);
        while self.end.is_none() {
            let late = self.limits.time.is_some_and(|limit| began.elapsed() >= limit);
            if late && self.search.root().is_some() {
                self.finish(AnalysisEnd::Time);
            } else if self.search.select().is_some() {
                return Some(&mut self.search);
            } else {
                self.go_on_or_finish();
            }
        }
        None
    }

    /// Starts another chunk if the search has ended only because the last one was used up.
    fn go_on_or_finish(&mut self) {
        let end = match self.search.stop() {
            Some(Stop::Proven) => AnalysisEnd::Proven,
            Some(Stop::MemoryFull) => AnalysisEnd::Memory,
            Some(Stop::GameOver) => AnalysisEnd::GameOver,
            Some(Stop::Simulations | Stop::Forced) | None => {
                if self.limits.simulations == Some(self.simulations()) {
                    AnalysisEnd::Simulations
                } else {
                    return self.search.extend(self.chunk_after(self.simulations()));
                }
            }
        };
        self.finish(end);
    }

    fn finish(&mut self, end: AnalysisEnd) {
        self.took = self.time();
        self.end = Some(end);
    }
}

/// The PUCT strategy of players, with at most this many leaves at a time.
fn without_noise(leaves: u32) -> Strategy {
    Strategy::Puct(PuctParams {
        leaves,
        policy_temperature: NetworkSpec::POLICY_TEMPERATURE,
        ..PuctParams::default()
    })
}
