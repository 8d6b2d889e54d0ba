//! Who plays: the contract between a match and everything that chooses actions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use chase_engine::{Game, Wdl};
use rand::rngs::Xoshiro256PlusPlus;

/// One choice to make: a game in progress, and the generator that any randomness in the choice is drawn from.
#[derive(Debug)]
pub struct Decision<'a, G: Game> {
    /// A game that is not over.
    pub game: &'a G,
    /// The game as it began.
    pub start: &'a G,
    /// All actions that led from `start` to `game`.
    pub actions: &'a [G::Action],
    /// The generator that belongs to this game and this side of it.
    pub rng: &'a mut Xoshiro256PlusPlus,
}

impl<'a, G: Game> Decision<'a, G> {
    /// A choice in a game of which nobody knows how it came to where it is. Agents in this process see the whole game
    /// all the same; one in another process is told of a game that begins here.
    pub const fn without_past(game: &'a G, rng: &'a mut Xoshiro256PlusPlus) -> Self {
        Self {
            game,
            start: game,
            actions: &[],
            rng,
        }
    }
}

/// Something that chooses actions.
///
/// An agent plays many games at once and has no memory: **what it chooses depends on the game and its generator alone**,
/// not on the other games of the batch, nor on what it chose before. That makes a match come out the same whatever the
/// number of threads and the size of the batches, and leaves nothing to reset between games. (Only an agent with a time
/// limit cannot promise it, and may keep what it knows of a game from one choice to the next.)
pub trait Agent<G: Game>: Send {
    /// One legal action for each decision, in their order.
    ///
    /// # Errors
    /// If the agent cannot go on playing, as one whose network gives no numbers.
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure>;

    /// The same choices, with what the agent expects of them where it says so.
    ///
    /// # Errors
    /// As [`Agent::choose_batch`].
    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let chosen = self.choose_batch(decisions)?.into_iter();
        Ok(chosen.map(|action| Choice { action, expects: None }).collect())
    }

    /// As [`Agent::choose_batch`], by an agent that may fail in single games: each decision has an action or the reason
    /// why its player loses.
    ///
    /// That is for programs of others, whose faults are theirs; a fault of an agent of ours is a failure, since a loss
    /// would hide it. By default nothing is ever forfeited.
    ///
    /// # Errors
    /// If the agent cannot go on playing.
    fn choose_or_forfeit(
        &mut self,
        decisions: &mut [Decision<'_, G>],
    ) -> Result<Vec<Result<G::Action, Forfeit>>, AgentFailure> {
        Ok(self.choose_batch(decisions)?.into_iter().map(Ok).collect())
    }

    /// Cuts searches short while `stop` is set: the agent then chooses by what it knows. Ignored by an agent that does not
    /// search for long, or cannot be interrupted.
    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        let _ = stop;
    }
}

/// What an agent chose, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice<A> {
    /// The action.
    pub action: A,
    /// The result that a search expects for the player to move; `None` if there was none: for an agent that judges
    /// nothing, or a single legal action.
    pub expects: Option<Wdl>,
}

/// Why an agent cannot go on playing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AgentFailure(pub String);

/// Why an agent loses a game at once: it gave no answer in time, broke down, or answered what is not legal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Forfeit(pub String);

impl<G: Game, A: Agent<G> + ?Sized> Agent<G> for Box<A> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<G::Action>, AgentFailure> {
        (**self).choose_batch(decisions)
    }

    fn judge_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        (**self).judge_batch(decisions)
    }

    fn choose_or_forfeit(
        &mut self,
        decisions: &mut [Decision<'_, G>],
    ) -> Result<Vec<Result<G::Action, Forfeit>>, AgentFailure> {
        (**self).choose_or_forfeit(decisions)
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        (**self).stop_when(stop);
    }
}

/// [`Agent::choose_batch`] for an agent that gains nothing from batches.
pub(crate) fn one_by_one<G: Game>(
    decisions: &mut [Decision<'_, G>],
    mut choose: impl FnMut(&G, &mut Xoshiro256PlusPlus) -> G::Action,
) -> Result<Vec<G::Action>, AgentFailure> {
    let chosen = decisions.iter_mut().map(|decision| choose(decision.game, decision.rng));
    Ok(chosen.collect())
}

type Make<G> = dyn Fn() -> Box<dyn Agent<G>> + Send + Sync;

/// A participant of a match: a name, and how to make agents that all play alike, one for each thread.
pub struct Contestant<G: Game> {
    name: String,
    make: Box<Make<G>>,
}

impl<G: Game> Contestant<G> {
    /// A contestant whose agents are made by `make`, on the thread that uses them.
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

    /// The name in results and tables.
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
