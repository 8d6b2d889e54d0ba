//! Agents: the contract between a match and anything that chooses actions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chase_engine::search::Search;
use chase_engine::{Game, Playable, Wdl};
use rand::rngs::Xoshiro256PlusPlus;

use super::effort::Effort;
use super::spec::SearchLimits;
use crate::analysis::{AnalysisReport, ReportOptions};

/// A choice to make: a game in progress, and the generator for any randomness in the choice.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// A game that is not over.
    pub game: &'a G,
    /// The initial state of the game.
    pub start: &'a G,
    /// All actions from `start` to `game`.
    pub actions: &'a [G::Action],
    /// The generator of this game and this side.
    pub rng: &'a mut Xoshiro256PlusPlus,
}

impl<'a, G: Game> Decision<'a, G> {
    /// A choice in a game whose past is unknown. Agents in this process see the whole game anyway; an agent in another
    /// process gets a game that begins here.
    pub const fn without_past(game: &'a G, rng: &'a mut Xoshiro256PlusPlus) -> Self {
        Self {
            game,
            start: game,
            actions: &[],
            rng,
        }
    }

    /// The same choice once more.
    pub(crate) const fn again(&mut self) -> Decision<'_, G> {
        Decision {
            game: self.game,
            start: self.start,
            actions: self.actions,
            rng: self.rng,
        }
    }
}

/// An agent that chooses actions.
///
/// An agent plays many games at once and has no memory: **its choice depends on the game and its generator alone**, not
/// on the other games of the batch, nor on earlier choices. So the results of a match are independent of the number of
/// threads and of the size of batches, and nothing has to be reset between games. (Only an agent with a time limit
/// cannot guarantee this, and may keep information about a game from one choice to the next.)
pub trait Agent<G: Game>: Send {
    /// Chooses a legal action for each decision, in order, within the agent's own limits.
    ///
    /// # Errors
    /// If the agent cannot continue, such as one whose network returns NaN.
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure>;

    /// Chooses like [`Agent::choose_batch`], for an agent that may fail in single games: each decision has a choice or
    /// the reason that its player loses.
    ///
    /// This is for external programs, which are responsible for their faults; a fault of one of our agents is a
    /// failure, since a loss would hide it. By default nothing is ever forfeited.
    ///
    /// # Errors
    /// If the agent cannot continue.
    fn choose_or_forfeit(
        &mut self,
        decisions: &mut [Decision<'_, G>],
    ) -> Result<Vec<ChoiceOrForfeit<G::Action>>, AgentFailure> {
        Ok(self.choose_batch(decisions)?.into_iter().map(Ok).collect())
    }

    /// Searches one position, reports on the way, and can be stopped: what a runner, an analysis and the page ask for. The
    /// game may be over; there is no action then.
    ///
    /// By default, for an agent that does not search, this is its choice.
    ///
    /// # Errors
    /// If the agent cannot continue.
    fn search(
        &mut self,
        decision: Decision<'_, G>,
        task: &mut SearchTask<'_>,
    ) -> Result<Searched<G::Action>, AgentFailure>
    where
        G: Playable,
    {
        _ = task;
        let game = decision.game;
        if game.outcome().is_some() {
            return Ok((None, AnalysisReport::without_search(game)));
        }
        let choice = self.choose_or_forfeit(&mut [decision])?.swap_remove(0);
        let choice = choice.map_err(|Forfeit(reason)| AgentFailure(reason))?;
        Ok((Some(choice.action), AnalysisReport::of_choice(game, &choice)))
    }

    /// Cuts searches short while `stop` is set: the agent then chooses by its results so far. Ignored by an agent that
    /// does not search for long, or cannot be interrupted.
    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        let _ = stop;
    }
}

/// What a search of one position is asked for.
pub struct SearchTask<'a> {
    /// Limits of this search; those of the player hold as well. Without any limit a search does the usual for its kind.
    pub limits: SearchLimits,
    /// True to search until stopped, if there is no limit.
    pub infinite: bool,
    /// True to end at once if there is a single legal action.
    pub brief_if_forced: bool,
    /// Actions and lines in the reports.
    pub options: ReportOptions,
    /// What is known from earlier searches.
    pub keep: Keep,
    /// Most bytes of a tree.
    pub memory: usize,
    /// Least time between two reports; by default there is one after each depth of alpha-beta, and one each half a second of a
    /// tree search.
    pub every: Option<Duration>,
    /// The search ends soon after this is set.
    pub stop: &'a AtomicBool,
    /// Sees the reports before the last one.
    pub watch: &'a mut dyn FnMut(&AnalysisReport),
}

/// The trees of earlier searches that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// None: the result depends on the position alone.
    Nothing,
    /// Under a limit of time that of the player's last decision in the same game.
    OfPlayer,
    /// That of the last search in the same game, or of the same position, whose simulations are added to.
    OfGame,
}

/// The action that a search leads to, unless the game is over, and its last report.
pub type Searched<A> = (Option<A>, AnalysisReport);

impl<'a> SearchTask<'a> {
    /// The search of a position by itself until a limit is reached or `stop` is set.
    pub fn new(
        limits: SearchLimits,
        options: ReportOptions,
        stop: &'a AtomicBool,
        watch: &'a mut dyn FnMut(&AnalysisReport),
    ) -> Self {
        Self {
            limits,
            infinite: false,
            brief_if_forced: false,
            options,
            keep: Keep::Nothing,
            memory: Search::<chase_engine::Chase>::DEFAULT_MEMORY_LIMIT,
            every: None,
            stop,
            watch,
        }
    }
}

/// An agent's choice, with its expectation and effort.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// The action.
    pub action: A,
    /// The result that a search expects for the player to move; `None` without a search: for an agent that does not
    /// evaluate, or a single legal action.
    pub expects: Option<Wdl>,
    /// The effort of the choice.
    pub effort: Effort,
}

impl<A> From<A> for Choice<A> {
    /// A choice without further information.
    fn from(action: A) -> Self {
        Self {
            action,
            expects: None,
            effort: Effort::default(),
        }
    }
}

/// An agent's choice, or the reason that it loses the game.
pub type ChoiceOrForfeit<A> = Result<Choice<A>, Forfeit>;

/// Reason that an agent cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AgentFailure(pub String);

/// Reason that an agent loses a game at once: it did not answer in time, crashed, or chose an illegal action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Forfeit(pub String);

type Make<G> = dyn Fn() -> Box<dyn Agent<G>> + Send + Sync;

/// A contestant in a match: a name, and a factory of agents that all play alike, one for each thread.
pub struct Contestant<G: Game> {
    name: String,
    make: Box<Make<G>>,
}

impl<G: Game> Contestant<G> {
    /// Creates a contestant whose agents are made by `make`, on the thread that uses them.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Box<dyn Agent<G>> + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            make: Box::new(make),
        }
    }

    /// The same contestant under another name.
    #[must_use]
    pub fn named(self, name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..self
        }
    }

    /// Its name in results and tables.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A new agent.
    pub fn agent(&self) -> Box<dyn Agent<G>> {
        (self.make)()
    }
}

impl<G: Game> std::fmt::Debug for Contestant<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Contestant").field(&self.name).finish()
    }
}
