//! Players behind a UGI engine: they obey limits, report while they search, and can be stopped.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chase_baselines::{AlphaBeta, Heuristic};
use chase_engine::alpha_beta::{Found, Limits, MAX_DEPTH, Request, Settings};
use chase_engine::search::Strategy;
use chase_engine::{Game, Value};

use crate::analysis::{Analysis, AnalysisLimits, AnalysisReport, Analyst, ReportOptions, WdlReport};
use crate::games::line_texts;
use crate::playable::Playable;
use crate::players::game_path::GamePath;
use crate::players::nnue::{Chance, LineSearch};
use crate::players::{Agent, AgentFailure, Decision};
use crate::players::{NnueSpec, SearchSettings};
use crate::ugi::UgiScore;

/// Limits of a search; it ends at the first one reached. The player's own limits hold as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkLimits {
    /// Nodes of alpha–beta, simulations of a tree search.
    pub nodes: Option<u64>,
    /// Plies: the depth of alpha–beta, the length of a tree search's expected line.
    pub depth: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
    /// True to think until stopped, even with a single legal action.
    pub infinite: bool,
}

/// Results of a thinker so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thought {
    /// Depth in plies.
    pub depth: u64,
    /// Nodes or simulations, as in [`ThinkLimits::nodes`].
    pub nodes: u64,
    /// The best lines, best first; none if the player does not evaluate.
    pub lines: Vec<ThoughtLine>,
}

/// A line of play, with its value for the player to move.
#[derive(Clone, Debug, PartialEq)]
pub struct ThoughtLine {
    /// Its value, in units of the player: see `docs/src/reference/ugi.md`.
    pub score: Option<UgiScore>,
    /// Probabilities of win, draw and loss, in thousandths that add up to 1000.
    pub wdl: Option<[u16; 3]>,
    /// The actions in exact form.
    pub moves: Vec<String>,
}

/// The observer of a search.
pub struct ThinkWatch<'a> {
    /// Set to ask the thinker to end.
    pub stop: &'a Arc<AtomicBool>,
    /// The most lines of interest, 1 or more.
    pub lines: usize,
    /// Called with intermediate results.
    pub tell: &'a mut dyn FnMut(&Thought),
}

/// A player that a runner drives.
pub trait Thinker<G: Game>: Send {
    /// A legal action, and the thought behind it.
    ///
    /// # Errors
    /// If the player fails.
    fn think(
        &mut self,
        decision: Decision<'_, G>,
        limits: &ThinkLimits,
        watch: &mut ThinkWatch<'_>,
    ) -> Result<(G::Action, Thought), AgentFailure>;
}

/// Time between two reports of a running search.
const INTERVAL: Duration = Duration::from_millis(500);

/// An agent with only its own limits: one that chooses at once, or that cannot be observed while it thinks.
pub struct AgentThinker<G: Game>(Box<dyn Agent<G>>);

impl<G: Game> AgentThinker<G> {
    /// Chooses as the agent does.
    pub fn new(agent: Box<dyn Agent<G>>) -> Self {
        Self(agent)
    }
}

impl<G: Game> Thinker<G> for AgentThinker<G> {
    fn think(
        &mut self,
        decision: Decision<'_, G>,
        _: &ThinkLimits,
        _: &mut ThinkWatch<'_>,
    ) -> Result<(G::Action, Thought), AgentFailure> {
        let game = decision.game;
        let chosen = self.0.choose_batch(&mut [decision])?;
        let action = chosen.into_iter().next();
        let action = action.ok_or_else(|| AgentFailure("the agent chose nothing".into()))?;
        let line = ThoughtLine {
            score: None,
            wdl: None,
            moves: vec![game.action_text(action)],
        };
        let thought = Thought {
            lines: vec![line],
            ..Thought::default()
        };
        Ok((action, thought))
    }
}

/// Alpha–beta search, whose unit of value is the tenth die.
#[derive(Clone, Copy, Debug)]
pub struct AlphaBetaThinker<H> {
    heuristic: H,
    settings: Settings,
    limits: Limits,
}

impl<H> AlphaBetaThinker<H> {
    /// Depth if there are no limits.
    const DEPTH: u32 = 4;

    /// Creates a thinker with its own limits.
    pub const fn new(heuristic: H, settings: Settings, limits: Limits) -> Self {
        Self {
            heuristic,
            settings,
            limits,
        }
    }
}

impl<G: Game, H: Heuristic<G> + Clone> Thinker<G> for AlphaBetaThinker<H> {
    fn think(
        &mut self,
        decision: Decision<'_, G>,
        limits: &ThinkLimits,
        watch: &mut ThinkWatch<'_>,
    ) -> Result<(G::Action, Thought), AgentFailure> {
        let forced = is_forced(decision.game) && !limits.infinite;
        let own = self.limits;
        let unlimited = own.depth == MAX_DEPTH && own.nodes.is_none() && own.time.is_none();
        let most = match (forced, unlimited && *limits == ThinkLimits::default()) {
            (true, _) => 1,
            (false, true) => Self::DEPTH,
            (false, false) => MAX_DEPTH,
        };
        let depth = limits.depth.unwrap_or(most.into()).clamp(1, most.into()) as u32;
        let limits = Limits {
            depth: own.depth.min(depth),
            nodes: least(own.nodes, limits.nodes),
            time: least(own.time, limits.time),
        };
        let search = AlphaBeta::with_settings(self.heuristic.clone(), self.settings, limits);
        let mut search = search.stopped_by(Arc::clone(watch.stop));
        let game = decision.game;
        let found = search.search_watched(game, decision.rng, |found| (watch.tell)(&of_found(game, found)));
        Ok((found.action, of_found(game, &found)))
    }
}

fn of_found<G: Game>(game: &G, found: &Found<G::Action>) -> Thought {
    let moves = vec![game.action_text(found.action)];
    one_line(
        found.depth,
        found.nodes,
        found.plies_to_win(),
        found.value.into(),
        moves,
    )
}

/// The thought of alpha–beta search, which has one line. Its score is in plies where the game is won or lost, else in
/// hundredths.
fn one_line(depth: u32, nodes: u64, plies: Option<i32>, hundredths: i64, moves: Vec<String>) -> Thought {
    Thought {
        depth: depth.into(),
        nodes,
        lines: vec![ThoughtLine::of(plies, hundredths, moves)],
    }
}

impl ThoughtLine {
    /// A line of alpha–beta search.
    fn of(plies: Option<i32>, hundredths: i64, moves: Vec<String>) -> Self {
        Self {
            score: Some(plies.map_or(UgiScore::Cp(hundredths), |plies| UgiScore::Mate(plies.into()))),
            wdl: None,
            moves,
        }
    }
}

/// Alpha–beta search with a network of the second family, whose unit of value is a won game.
pub struct NnueThinker<G: Game> {
    search: LineSearch<G>,
    limits: Limits,
    chance: Chance,
}

impl<G: Game> NnueThinker<G> {
    /// Creates a thinker with its own limits.
    pub const fn new(search: LineSearch<G>, limits: Limits, chance: Chance) -> Self {
        Self { search, limits, chance }
    }

    fn limits(&self, game: &G, limits: &ThinkLimits) -> Limits {
        let own = self.limits;
        let unlimited = own == Limits::default() && *limits == ThinkLimits::default();
        let most = match is_forced(game) && !limits.infinite {
            true => 1,
            false => own.depth,
        };
        let depth = limits.depth.unwrap_or(most.into()).clamp(1, most.into());
        Limits {
            depth: depth as u32,
            nodes: match unlimited {
                true => Some(NnueSpec::NODES),
                false => least(own.nodes, limits.nodes),
            },
            time: least(own.time, limits.time),
        }
    }
}

impl<G: Game> Thinker<G> for NnueThinker<G> {
    fn think(
        &mut self,
        decision: Decision<'_, G>,
        limits: &ThinkLimits,
        watch: &mut ThinkWatch<'_>,
    ) -> Result<(G::Action, Thought), AgentFailure> {
        let game = decision.game;
        let limits = self.limits(game, limits);
        let tell = &mut watch.tell;
        let mut told = |lines: &[Found<G::Action>]| tell(&of_nnue(game, lines));
        let request = Request::new(limits).stopped_by(watch.stop);
        let lines = match watch.lines > 1 && !self.chance.is_in(game) {
            true => self.search.search(game, request.lines(watch.lines), &mut told),
            // Chance is in the choice of one action, not in those after it.
            false => {
                let mut bonus = self.chance.bonuses(game, decision.rng);
                self.search.search(game, request.with_bonus(&mut bonus), &mut told)
            }
        };
        Ok((lines[0].action, of_nnue(game, &lines)))
    }
}

fn of_nnue<G: Game>(game: &G, lines: &[Found<G::Action>]) -> Thought {
    let line = |found: &Found<G::Action>| {
        let moves = line_texts(game, found.line.iter().copied(), G::action_text);
        ThoughtLine::of(
            found.plies_to_win(),
            hundredths(Value(2.0 * found.score as f32 - 1.0)),
            moves,
        )
    };
    Thought {
        depth: lines[0].depth.into(),
        nodes: lines[0].nodes,
        lines: lines.iter().map(line).collect(),
    }
}

/// Tree search, whose unit of value is a won game.
#[derive(Debug)]
pub struct TreeThinker<G: Game> {
    analyst: Analyst<G>,
    strategy: Strategy,
    own: AnalysisLimits,
    settings: SearchSettings,
    /// The last search of a game under a time limit: the next one of the same game continues with its tree.
    kept: Option<(GamePath<G>, Analysis<G>)>,
}

impl<G: Playable> TreeThinker<G> {
    /// Simulations if there are no limits.
    const SIMULATIONS: u32 = 200;

    /// Creates a tree search with this evaluator and these settings; the limits in `own` hold whatever the runner sets.
    pub fn new(analyst: Analyst<G>, settings: SearchSettings, own: AnalysisLimits) -> Self {
        Self {
            analyst,
            strategy: settings.params.strategy,
            own,
            settings,
            kept: None,
        }
    }

    /// The search for a decision. Under a time limit it begins with the tree of the last search of the same game, like
    /// a player in a match; otherwise with an empty tree, and its result depends on the position alone.
    fn analysis(&mut self, decision: &Decision<'_, G>, limits: AnalysisLimits) -> Analysis<G> {
        let kept = self.kept.take().filter(|_| limits.time.is_some());
        let kept = kept.filter(|(path, _)| path.start().turns() == decision.start.turns());
        if let Some((path, mut analysis)) = kept
            && let Some(actions) = path.leading_to(decision)
            && actions.iter().all(|&action| analysis.play(action, limits))
        {
            return analysis;
        }
        Analysis::new(decision.game.clone(), limits).with_strategy(self.strategy)
    }

    fn limits(&self, game: &G, limits: &ThinkLimits) -> AnalysisLimits {
        let nodes = limits.nodes.map(|nodes| u32::try_from(nodes).unwrap_or(u32::MAX));
        let simulations = least(self.own.simulations, nodes);
        let time = least(self.own.time, limits.time);
        let open = limits.infinite || limits.depth.is_some() || time.is_some();
        AnalysisLimits {
            simulations: match simulations {
                // The evaluator's own value is enough.
                _ if is_forced(game) && !limits.infinite => Some(0),
                None if !open => Some(Self::SIMULATIONS),
                simulations => simulations,
            },
            time,
        }
    }
}

impl<G: Playable> Thinker<G> for TreeThinker<G> {
    fn think(
        &mut self,
        decision: Decision<'_, G>,
        limits: &ThinkLimits,
        watch: &mut ThinkWatch<'_>,
    ) -> Result<(G::Action, Thought), AgentFailure> {
        let game = decision.game;
        let limits_of_search = self.limits(game, limits);
        let mut analysis = self.analysis(&decision, limits_of_search);
        let mut told = Instant::now();
        let ran = self.analyst.run(&mut analysis, |analysis| {
            if told.elapsed() >= INTERVAL {
                (watch.tell)(&of_report(&analysis.report(&options(watch.lines))));
                told = Instant::now();
            }
            let expected = || analysis.result().principal_variation().len() as u64;
            let deep = limits.depth.is_some_and(|depth| expected() >= depth);
            match deep || watch.stop.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        ran.map_err(|error| AgentFailure(error.to_string()))?;
        let temperature = self.settings.temperature(game);
        let action = analysis.result().sample_action(temperature, decision.rng);
        let action = action.ok_or_else(|| AgentFailure("the search chose nothing".into()))?;
        let thought = of_report(&analysis.report(&options(watch.lines)));
        if limits_of_search.time.is_some() {
            self.kept = Some((GamePath::to(&decision), analysis));
        }
        Ok((action, thought))
    }
}

const fn options(lines: usize) -> ReportOptions {
    ReportOptions {
        top: Some(lines),
        lines: true,
    }
}

fn of_report(report: &AnalysisReport) -> Thought {
    let line = |q: f32, wdl, moves: &[String]| ThoughtLine {
        score: Some(UgiScore::Cp(hundredths(Value(q)))),
        wdl: Some(thousandths(wdl)),
        moves: moves.to_vec(),
    };
    let known = |action: &crate::analysis::ActionReport| {
        let moves = action.line.as_deref().unwrap_or_default();
        Some(line(action.q?, action.wdl?, moves))
    };
    let mut lines: Vec<_> = report.actions.iter().filter_map(known).collect();
    if lines.is_empty() {
        // No action has been tried: only the evaluator's own value is known.
        let opinion = report.value.zip(report.wdl);
        lines.extend(opinion.map(|(value, wdl)| line(value, wdl, &report.principal_variation)));
    }
    Thought {
        depth: report.principal_variation.len() as u64,
        nodes: report.simulations.into(),
        lines,
    }
}

/// A value from −1 to 1 in hundredths.
fn hundredths(Value(value): Value) -> i64 {
    (100.0 * value).round() as i64
}

/// Probabilities in thousandths, rounded so that they add up to 1000.
fn thousandths(WdlReport { win, loss, .. }: WdlReport) -> [u16; 3] {
    let round = |share: f32| (1000.0 * share.clamp(0.0, 1.0)).round() as u16;
    // Cumulative sums are rounded, so that no part is off by more than one.
    let (wins, decided) = (round(win), round(win + loss));
    [wins, 1000 - decided, decided - wins]
}

fn is_forced<G: Game>(game: &G) -> bool {
    let mut actions = Vec::new();
    game.legal_actions(&mut actions);
    actions.len() == 1
}

/// The smaller one of the limits that are set.
pub(super) fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use chase_engine::Chase;
    use chase_engine::alpha_beta::WIN;
    use chase_engine::chase::Rules;
    use chase_engine::search::{SearchParams, UniformEvaluator};

    use super::*;

    #[test]
    fn thousandths_have_the_sum_1000() {
        let chances = |win, draw, loss| thousandths(WdlReport { win, draw, loss });
        assert_eq!(chances(0.3335, 0.333, 0.3335), [334, 333, 333]);
        assert_eq!(chances(0.9996, 0.0, 0.0005), [1000, 0, 0]);
        assert_eq!(chances(0.0, 0.0, 1.0), [0, 0, 1000]);
        assert_eq!(chances(0.25, 0.5, 0.25), [250, 500, 250]);
    }

    #[test]
    fn a_tree_is_kept_from_one_choice_to_the_next_under_a_limit_of_time_alone() {
        let analyst = Analyst::with_evaluator("uniform".to_owned(), Box::new(UniformEvaluator));
        let params = SearchParams::default();
        let mut thinker = TreeThinker::new(analyst, params.into(), AnalysisLimits::default());
        let start = Chase::new(&Rules::default());
        let stop = Arc::new(AtomicBool::new(false));
        // Checks if the position after a choice and the expected reply has visits before its search.
        let mut known = |time: Option<Duration>| {
            let limits = ThinkLimits {
                nodes: Some(3000),
                time,
                ..ThinkLimits::default()
            };
            let mut line = Vec::new();
            let mut watch = ThinkWatch {
                stop: &stop,
                lines: 1,
                tell: &mut |_| (),
            };
            let rng = &mut chase_statistics::generator(1, &[]);
            let first = Decision {
                game: &start,
                start: &start,
                actions: &[],
                rng,
            };
            let (action, thought) = thinker.think(first, &limits, &mut watch).expect("a choice");
            let mut game = start.clone();
            for text in thought.lines[0].moves.iter().take(2) {
                let action = game.parse_action(text).expect("legal");
                line.push(action);
                game.apply(action);
            }
            assert_eq!(line[0], action);
            let second = Decision {
                game: &game,
                start: &start,
                actions: &line,
                rng: &mut chase_statistics::generator(1, &[]),
            };
            let limits = thinker.limits(&game, &limits);
            thinker.analysis(&second, limits).result().wdl().is_some()
        };
        assert!(known(Some(Duration::from_secs(3600))));
        assert!(!known(None));
    }

    #[test]
    fn wins_are_told_in_plies() {
        let score = |value| {
            let game = Chase::new(&Default::default());
            let found = Found {
                action: "A3NW".parse().expect("an action"),
                value,
                score: 0.5,
                depth: 1,
                nodes: 1,
                line: Vec::new(),
            };
            of_found(&game, &found).lines[0].score
        };
        assert_eq!(score(WIN - 3), Some(UgiScore::Mate(3)));
        assert_eq!(score(4 - WIN), Some(UgiScore::Mate(-4)));
        assert_eq!(score(-250), Some(UgiScore::Cp(-250)));
    }
}
