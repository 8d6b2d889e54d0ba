//! Tree search: a tree for each position, and one evaluation of all their leaves at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chase_engine::search::{self, Evaluations, Evaluator, PuctParams, Search, SearchParams, Stop, Strategy};
use chase_engine::{Game, Moment, Playable};
use rand::rngs::Xoshiro256PlusPlus;

use super::kept_trees::KeptTrees;
use super::{Broken, MakeAgent, forced};
use crate::analysis::{AnalysisEnd, AnalysisReport};
use crate::players::agent::{Agent, AgentFailure, Choice, Decision, Keep, SearchTask, Searched};
use crate::players::chance::Chance;
use crate::players::contestant::Place;
use crate::players::effort::Effort;
use crate::players::evaluators;
use crate::players::spec::{EvaluatorSpec, SearchLimits, SearchSpec};

/// Simulations between two readings of the clock if no leaf needs an evaluation, as in positions that are nearly
/// proven.
const CHUNK: u32 = 1024;
/// Time between two reports of a running search, if it is asked for no other.
const INTERVAL: Duration = Duration::from_millis(500);

/// Settings of an agent's search and choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// The strategy.
    pub strategy: Strategy,
    /// The limits of one decision. With a limit of time, decisions are searched one after the other, not in lock-step, so
    /// that each has its full time, and begin with the tree of the last search of the same game; results depend on the
    /// machine.
    pub limits: SearchLimits,
    /// Chance in the first plies, in which actions are drawn from the visits. Later the best action is chosen.
    pub chance: Chance,
    /// True if the agent says what result it expects.
    pub expects: bool,
    /// Simulations of a decision without any limit.
    pub usual: u64,
    /// Random games from each leaf, if they judge it: they draw from the generator of the decision.
    pub rollouts: Option<u32>,
}

impl From<SearchParams> for SearchSettings {
    /// So many simulations, no other limit, and always the best action.
    fn from(params: SearchParams) -> Self {
        Self {
            strategy: params.strategy,
            limits: SearchLimits::nodes(params.simulations.into()),
            chance: Chance::default(),
            expects: true,
            usual: params.simulations.into(),
            rollouts: None,
        }
    }
}

impl SearchSettings {
    fn of(spec: &SearchSpec, strategy: Strategy) -> Self {
        Self {
            strategy,
            limits: spec.limits,
            chance: spec.chance(),
            // What hand-written judgements and random games expect is no forecast of results.
            expects: spec.evaluator.network().is_some(),
            usual: spec.search.form().usual,
            rollouts: match spec.evaluator {
                EvaluatorSpec::Rollouts { games } => Some(games),
                _ => None,
            },
        }
    }
}

impl SearchSpec {
    /// The parameters of its tree search in matches; `None` if it grows no tree.
    pub fn params(&self) -> Option<SearchParams> {
        let simulations = self.limits().nodes.map_or(u32::MAX, narrow);
        Some(SearchParams {
            simulations,
            strategy: (self.search.form().strategy?)(self, 1),
            skip_forced: true,
        })
    }
}

fn narrow(nodes: u64) -> u32 {
    u32::try_from(nodes).unwrap_or(u32::MAX)
}

pub(super) fn agents<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeAgent<G>> {
    let strategy = spec.search.form().strategy.expect("a search that grows a tree");
    let leaves = match &spec.evaluator {
        EvaluatorSpec::Network(network) => {
            (network.form().arithmetic)(spec, &network.checkpoint()?, place.device, place.usage).leaves
        }
        _ => 1,
    };
    let settings = SearchSettings::of(spec, strategy(spec, leaves));
    let make = evaluators::of_leaves(spec, place)?;
    Ok(Box::new(move || TreeAgent::made(make(), settings)))
}

/// The search of one position, in steps.
struct Running<'a, G: Game> {
    search: &'a mut Search<G>,
    limits: SearchLimits,
    /// Most simulations, and those until the next reading of the clock.
    simulations: u32,
    chunk: u32,
    plans: bool,
    began: Moment,
    end: Option<AnalysisEnd>,
}

impl<'a, G: Game> Running<'a, G> {
    /// Begins with the tree that is kept in the search.
    fn start(
        search: &'a mut Search<G>,
        game: &G,
        (strategy, limits): (Strategy, SearchLimits),
        chunk: u32,
        skip_forced: bool,
        rng: &mut Xoshiro256PlusPlus,
    ) -> Result<Self, AgentFailure> {
        let began = Moment::now();
        let strategy = match strategy {
            // Sequential halving plans with a number of simulations.
            Strategy::Gumbel(params) if limits.nodes.is_none() => Strategy::Puct(PuctParams {
                policy_temperature: params.policy_temperature,
                ..PuctParams::default()
            }),
            other => other,
        };
        let plans = matches!(strategy, Strategy::Gumbel(_));
        let simulations = limits.nodes.map_or(u32::MAX, narrow);
        let params = SearchParams {
            // A plan cannot be divided into chunks.
            simulations: if plans { simulations } else { simulations.min(chunk) },
            strategy,
            skip_forced,
        };
        search.start(game, &params, rng).map_err(failure)?;
        Ok(Self {
            search,
            limits,
            simulations,
            chunk,
            plans,
            began,
            end: None,
        })
    }

    /// Advances to the next leaves that need an evaluation, and returns the search that waits for it; `None` once the
    /// search has ended, or `stop` is set. The position itself is always evaluated, so that an action can be chosen.
    fn select(&mut self, stop: &AtomicBool) -> Option<&mut Search<G>> {
        while self.end.is_none() {
            // Where the length limit ends all lines, no leaf needs an evaluation, and chunk follows chunk.
            if self.search.root().is_some() && stop.load(Ordering::Relaxed) {
                self.end = Some(AnalysisEnd::Stopped);
            } else if self.search.root().is_some() && self.is_late() {
                self.end = Some(AnalysisEnd::Time);
            } else if self.search.root().is_some() && self.is_deep() {
                self.end = Some(AnalysisEnd::Depth);
            } else if self.search.select().is_some() {
                return Some(self.search);
            } else {
                self.go_on_or_end();
            }
        }
        None
    }

    fn is_late(&self) -> bool {
        self.limits.time.is_some_and(|limit| self.began.elapsed() >= limit)
    }

    fn is_deep(&self) -> bool {
        let expected = || self.search.result().principal_variation().len();
        self.limits.depth.is_some_and(|depth| expected() >= depth as usize)
    }

    /// Starts another chunk if the search has ended only because the last one was used up.
    fn go_on_or_end(&mut self) {
        let left = self.simulations - self.search.simulations();
        self.end = Some(match self.search.stop() {
            Some(Stop::Proven) => AnalysisEnd::Proven,
            Some(Stop::MemoryFull) => AnalysisEnd::Memory,
            Some(Stop::GameOver) => AnalysisEnd::GameOver,
            Some(Stop::Forced) => AnalysisEnd::Depth,
            Some(Stop::Simulations) | None if left == 0 || self.plans => AnalysisEnd::Simulations,
            Some(Stop::Simulations) | None => return self.search.extend(left.min(self.chunk)),
        });
    }
}

/// Runs searches to their ends, with one evaluation of all their leaves at a time, or until `stop` is set; `watch` sees the
/// first one after each step.
fn run<G: Game>(
    running: &mut [Running<'_, G>],
    evaluator: &mut (dyn Evaluator<G> + Send),
    evaluations: &mut Evaluations,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(&Running<'_, G>),
) -> Result<(), AgentFailure> {
    loop {
        let mut searches: Vec<_> = running.iter_mut().filter_map(|running| running.select(stop)).collect();
        if search::step(&mut searches, evaluator, evaluations).map_err(failure)? == 0 {
            return Ok(());
        }
        watch(&running[0]);
    }
}

fn failure(error: impl std::fmt::Display) -> AgentFailure {
    AgentFailure(error.to_string())
}

/// Chooses the action that a search prefers. The games of a batch are searched in lock-step, so that an evaluator gets
/// a leaf of each at once.
///
/// Trees are not kept from one decision to the next, since an agent has no memory. The exceptions are a time limit, with
/// which choices need not be reproducible, and whoever asks for it ([`Keep`]).
pub struct TreeAgent<G: Playable> {
    evaluator: Box<dyn Evaluator<G> + Send>,
    settings: SearchSettings,
    searches: Vec<Search<G>>,
    trees: KeptTrees<G>,
    evaluations: Evaluations,
    /// Set to cut searches short.
    stop: Arc<AtomicBool>,
}

impl<G: Playable> TreeAgent<G> {
    /// Creates an agent that searches with these settings.
    pub fn new(evaluator: impl Evaluator<G> + Send + 'static, settings: impl Into<SearchSettings>) -> Self {
        Self::boxed(Box::new(evaluator), settings.into())
    }

    fn boxed(evaluator: Box<dyn Evaluator<G> + Send>, settings: SearchSettings) -> Self {
        Self {
            evaluator,
            settings,
            searches: Vec::new(),
            trees: KeptTrees::default(),
            evaluations: Evaluations::new(),
            stop: Arc::default(),
        }
    }

    /// An agent with an evaluator, if there is one.
    pub(crate) fn made(
        evaluator: Result<Box<dyn Evaluator<G> + Send>, String>,
        settings: SearchSettings,
    ) -> Box<dyn Agent<G>> {
        match evaluator {
            Ok(evaluator) => Box::new(Self::boxed(evaluator, settings)),
            Err(reason) => Box::new(Broken(reason)),
        }
    }

    fn choice(
        &self,
        search: &Search<G>,
        decision: &mut Decision<'_, G>,
        begin: Option<Moment>,
    ) -> Result<Choice<G::Action>, AgentFailure> {
        let result = search.result();
        let action = result.sample_action(self.settings.chance.at(decision.game), decision.rng);
        let effort = Effort::of_search(result.principal_variation().len(), search.simulations());
        Ok(Choice {
            action: action.ok_or_else(|| AgentFailure("the search chose nothing".into()))?,
            expects: result.wdl().filter(|_| self.settings.expects),
            effort: effort.timed(begin),
        })
    }

    /// Searches all positions in lock-step. Its trees are taken out meanwhile.
    fn choose_together(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let begin = self.settings.limits.begin();
        let limits = self.settings.limits.or_nodes(self.settings.usual);
        let mut searches = std::mem::take(&mut self.searches);
        if searches.len() < decisions.len() {
            searches.resize_with(decisions.len(), Search::new);
        }
        let mut running = Vec::with_capacity(decisions.len());
        let mut seeded = None;
        for (search, decision) in searches.iter_mut().zip(decisions.iter_mut()) {
            if let Some(games) = self.settings.rollouts {
                seeded = Some(evaluators::seeded(games, decision.rng));
            }
            search.clear();
            let of = (self.settings.strategy, limits);
            running.push(Running::start(search, decision.game, of, u32::MAX, true, decision.rng)?);
        }
        let evaluator: &mut (dyn Evaluator<G> + Send) = match &mut seeded {
            Some(seeded) => seeded,
            None => &mut *self.evaluator,
        };
        run(&mut running, evaluator, &mut self.evaluations, &self.stop, &mut |_| ())?;
        drop(running);
        let choices = searches.iter().zip(decisions);
        let choices = choices
            .map(|(search, decision)| self.choice(search, decision, begin))
            .collect();
        self.searches = searches;
        choices
    }

    /// Searches one position for some time, beginning with the tree of its game.
    fn choose_alone(&mut self, decision: &mut Decision<'_, G>) -> Result<Choice<G::Action>, AgentFailure> {
        let begin = self.settings.limits.begin();
        let mut trees = std::mem::take(&mut self.trees);
        let search = trees.search(decision, true, Search::<G>::DEFAULT_MEMORY_LIMIT);
        let of = (self.settings.strategy, self.settings.limits);
        let running = Running::start(search, decision.game, of, CHUNK, true, decision.rng)?;
        run(
            &mut [running],
            &mut *self.evaluator,
            &mut self.evaluations,
            &self.stop,
            &mut |_| (),
        )?;
        let choice = self.choice(search, decision, begin);
        self.trees = trees;
        choice
    }

    /// The limits of a task for a game.
    fn limits(&self, game: &G, task: &SearchTask<'_>) -> SearchLimits {
        let mut limits = self.settings.limits.and(task.limits);
        if !task.infinite {
            limits = limits.or_nodes(self.settings.usual);
        }
        if task.brief_if_forced && forced(game).is_some() {
            // The evaluator's own value is enough.
            limits.nodes = Some(0);
        }
        limits
    }
}

impl<G: Playable> Agent<G> for TreeAgent<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        if self.settings.limits.time.is_some() {
            return decisions
                .iter_mut()
                .map(|decision| self.choose_alone(decision))
                .collect();
        }
        // Random games of different decisions draw from different generators.
        let together = if self.settings.rollouts.is_some() {
            1
        } else {
            decisions.len().max(1)
        };
        let mut choices = Vec::with_capacity(decisions.len());
        for decisions in decisions.chunks_mut(together) {
            choices.extend(self.choose_together(decisions)?);
        }
        Ok(choices)
    }

    fn search(
        &mut self,
        decision: Decision<'_, G>,
        task: &mut SearchTask<'_>,
    ) -> Result<Searched<G::Action>, AgentFailure>
    where
        G: Playable,
    {
        let game = decision.game;
        let limits = self.limits(game, task);
        let keeps = task.keep == Keep::OfGame || task.keep == Keep::OfPlayer && limits.time.is_some();
        let mut alone = (!keeps).then(|| Search::with_memory_limit(task.memory));
        let search = match &mut alone {
            Some(search) => search,
            None => self.trees.search(&decision, task.keep == Keep::OfPlayer, task.memory),
        };
        let of = (self.settings.strategy, limits);
        // An analysis needs a value even if there is only one legal action.
        let mut running = [Running::start(search, game, of, CHUNK, false, decision.rng)?];
        let report = |running: &Running<'_, G>| {
            AnalysisReport::of_tree(
                game,
                running.search,
                &task.options,
                running.began.elapsed(),
                running.end,
            )
        };
        let (every, mut told) = (task.every.unwrap_or(INTERVAL), running[0].began);
        let mut watch = |running: &Running<'_, G>| {
            if told.elapsed() >= every {
                (task.watch)(&report(running));
                told = Moment::now();
            }
        };
        run(
            &mut running,
            &mut *self.evaluator,
            &mut self.evaluations,
            task.stop,
            &mut watch,
        )?;
        let report = report(&running[0]);
        let temperature = self.settings.chance.at(game);
        let action = running[0].search.result().sample_action(temperature, decision.rng);
        Ok((action.filter(|_| game.outcome().is_none()), report))
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }
}
