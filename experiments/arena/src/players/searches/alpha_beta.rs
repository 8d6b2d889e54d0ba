//! Alpha-beta search.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use chase_engine::alpha_beta::{AlphaBeta, ByHeuristic, Evaluator, Found, Limits, MAX_DEPTH, Request, Watch};
use chase_engine::{Game, Moment, Playable, Wdl};

use super::{MakeAgent, SearchForm, Unit, forced};
use crate::analysis::{AnalysisEnd, AnalysisReport};
use crate::players::agent::{Agent, AgentFailure, Choice, Decision, SearchTask, Searched};
use crate::players::contestant::{Place, need_heuristic};
use crate::players::effort::Effort;
use crate::players::networks;
use crate::players::spec::{EvaluatorSpec, SearchLimits, SearchSpec};

pub(super) const FORM: SearchForm = SearchForm {
    name: "alpha-beta",
    meaning: "Principal variation search with iterative deepening, a transposition table, reductions and pruning.",
    options: &["depth", "nodes", "table", "without"],
    unit: Unit::Nodes,
    usual: 20_000,
    // About a second with an efficiently updatable network.
    analysis: 1_000_000,
    strategy: None,
    plans: false,
    refuses: |evaluator| match evaluator {
        EvaluatorSpec::Rollouts { .. } => Some(
            "alpha-beta follows the best of many values, which among results of random games is the luckiest; use search=puct",
        ),
        EvaluatorSpec::Uniform => Some("alpha-beta compares values, and uniform has none; use search=puct"),
        _ => None,
    },
};

/// Actions listed in a report if no number is asked for. Each is searched for by itself, so ten take several times as long
/// as one.
const ACTIONS: usize = 5;

pub(super) fn agents<G: Playable>(spec: &SearchSpec, place: &Place<'_, G>) -> anyhow::Result<MakeAgent<G>> {
    Ok(match &spec.evaluator {
        EvaluatorSpec::Heuristic => {
            need_heuristic::<G>()?;
            agents_with(spec, |_| Ok(ByHeuristic))
        }
        EvaluatorSpec::Network(network) => networks::lines(network, spec, place)?,
        EvaluatorSpec::Rollouts { .. } | EvaluatorSpec::Uniform => unreachable!("the grammar refuses them"),
    })
}

/// A function that returns new agents of a player, each with an evaluator that tells there if it has failed.
pub(crate) fn agents_with<G: Playable, E: Evaluator<G> + Send + 'static>(
    spec: &SearchSpec,
    make: impl Fn(Arc<OnceLock<String>>) -> Result<E, String> + Send + Sync + 'static,
) -> MakeAgent<G> {
    let spec = spec.clone();
    Box::new(move || {
        let failure = Arc::new(OnceLock::new());
        match make(Arc::clone(&failure)) {
            Ok(evaluator) => Box::new(AlphaBetaAgent {
                search: AlphaBeta::new(evaluator, spec.alpha_beta),
                spec: spec.clone(),
                stop: Arc::default(),
                failure,
            }),
            Err(reason) => Box::new(super::Broken(reason)),
        }
    })
}

/// An agent that searches each decision by itself, from an empty table.
struct AlphaBetaAgent<G: Game, E> {
    search: AlphaBeta<G, E>,
    /// The player.
    spec: SearchSpec,
    stop: Arc<AtomicBool>,
    /// Set once the evaluator has failed.
    failure: Arc<OnceLock<String>>,
}

impl From<SearchLimits> for Limits {
    fn from(limits: SearchLimits) -> Self {
        Self {
            depth: limits.depth.unwrap_or(MAX_DEPTH),
            nodes: limits.nodes,
            time: limits.time,
        }
    }
}

impl<G: Game, E: Evaluator<G>> AlphaBetaAgent<G, E> {
    /// True for the baseline: which of several equally good actions it chooses depends on the generator, it searches
    /// also where there is no choice, and says nothing about the result. `tests/choices.json` of the baselines holds it fast.
    fn is_baseline(&self) -> bool {
        self.spec.evaluator == EvaluatorSpec::Heuristic
    }

    /// The best lines for a decision, whose generator says what is drawn. Chance is in the choice of one action, not in those
    /// after it, so that there is one line then.
    fn found(
        &mut self,
        decision: &mut Decision<'_, G>,
        limits: SearchLimits,
        lines: usize,
        stop: &AtomicBool,
        watch: &mut Watch<'_, G::Action>,
    ) -> Result<Vec<Found<G::Action>>, AgentFailure> {
        let (chance, is_baseline) = (self.spec.chance(), self.is_baseline());
        let game = decision.game;
        let request = Request::new(limits.into()).stopped_by(stop);
        let found = if chance.is_in(game) {
            let mut bonus = chance.bonuses(self.search.value_of_a_logit(game), decision.rng);
            self.search.search(game, request.with_bonus(&mut bonus), watch)
        } else if is_baseline {
            self.search
                .search(game, request.lines(lines).shuffled(decision.rng), watch)
        } else {
            self.search.search(game, request.lines(lines), watch)
        };
        match self.failure.get() {
            Some(reason) => Err(AgentFailure(reason.clone())),
            None => Ok(found),
        }
    }

    fn choose(&mut self, decision: &mut Decision<'_, G>) -> Result<Choice<G::Action>, AgentFailure> {
        let is_baseline = self.is_baseline();
        if let Some(only) = forced(decision.game).filter(|_| !is_baseline) {
            return Ok(only.into());
        }
        let limits = self.spec.limits();
        let begin = limits.begin();
        let stop = Arc::clone(&self.stop);
        let found = self.found(decision, limits, 1, &stop, &mut |_| ())?.swap_remove(0);
        let win = found.score as f32;
        Ok(Choice {
            action: found.action,
            // The values do not tell draws from wins and losses.
            expects: (!is_baseline).then(|| Wdl::new(win, 0.0, 1.0 - win)),
            effort: Effort::of_search(found.depth as usize, found.nodes).timed(begin),
        })
    }
}

impl<G: Game, E: Evaluator<G> + Send> Agent<G> for AlphaBetaAgent<G, E> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        decisions.iter_mut().map(|decision| self.choose(decision)).collect()
    }

    fn search(
        &mut self,
        mut decision: Decision<'_, G>,
        task: &mut SearchTask<'_>,
    ) -> Result<Searched<G::Action>, AgentFailure>
    where
        G: Playable,
    {
        let game = decision.game;
        if game.outcome().is_some() {
            return Ok((None, AnalysisReport::without_search(game)));
        }
        let began = Moment::now();
        let mut limits = self.spec.limits.and(task.limits);
        if !task.infinite {
            limits = limits.or_nodes(FORM.usual);
        }
        if task.brief_if_forced && forced(game).is_some() {
            limits.depth = Some(1);
        }
        let evaluation = (2.0 * self.search.judgement(game) - 1.0) as f32;
        let (options, mut told) = (task.options, began);
        let report = |lines: &[Found<G::Action>], end| {
            AnalysisReport::of_lines(game, lines, evaluation, &options, began.elapsed(), end)
        };
        let mut watch = |lines: &[Found<G::Action>]| {
            if task.every.is_none_or(|every| told.elapsed() >= every) {
                (task.watch)(&report(lines, None));
                told = Moment::now();
            }
        };
        let lines = options.top.unwrap_or(ACTIONS);
        let lines = self.found(&mut decision, limits, lines, task.stop, &mut watch)?;
        let end = if lines.iter().all(|found| found.plies_to_win().is_some()) {
            AnalysisEnd::Proven
        } else if task.stop.load(Ordering::Relaxed) {
            AnalysisEnd::Stopped
        } else if limits.nodes.is_some_and(|most| lines[0].nodes > most) {
            AnalysisEnd::Nodes
        } else if limits.time.is_some_and(|most| began.elapsed() >= most) {
            AnalysisEnd::Time
        } else {
            AnalysisEnd::Depth
        };
        Ok((Some(lines[0].action), report(&lines, Some(end))))
    }

    fn stop_when(&mut self, stop: &Arc<AtomicBool>) {
        self.stop = Arc::clone(stop);
    }
}
