//! Analyses by alpha-beta search with a network of the second family.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chase_engine::alpha_beta::{Found, Limits, Request};
use chase_engine::{Chase, Game, Outcome};

use super::report::certain;
use super::{ActionReport, AnalysisEnd, AnalysisReport, ReportOptions};
use crate::games::line_texts;
use crate::playable::Playable;
use crate::players::NnueSpec;
use crate::players::nnue::{LineSearch, NnueError};

/// Analyses positions one after the other: the best actions, each with its own value and line.
///
/// Each action listed is searched for by itself, so ten take several times as long as one; the others have no values.
/// Equal positions, limits without time and numbers of actions give equal results.
pub struct LineAnalyst<G: Game = Chase> {
    name: String,
    search: LineSearch<G>,
}

impl<G: Game> fmt::Debug for LineAnalyst<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LineAnalyst").field(&self.name).finish()
    }
}

impl<G: Playable> LineAnalyst<G> {
    /// Nodes if there is no limit: about a second.
    pub const NODES: u64 = 1_000_000;
    /// Actions listed if no number is asked for.
    pub const ACTIONS: usize = 5;

    /// Creates an analyst with a player's network and search, in the game of type `G` with this [name](Game::name). The
    /// player's limits and its chance do not count.
    ///
    /// # Errors
    /// If there are no such networks for the game, or there is none at the path.
    pub fn new(spec: &NnueSpec, game: &str) -> Result<Self, NnueError> {
        Ok(Self::makes(spec, game)?())
    }

    /// A function that makes such analysts, all of which share the network.
    ///
    /// # Errors
    /// As [`LineAnalyst::new`].
    pub fn makes(spec: &NnueSpec, game: &str) -> Result<impl Fn() -> Self + Send + use<G>, NnueError> {
        let (name, searches) = (spec.to_string(), spec.searches::<G>(game)?);
        Ok(move || Self {
            name: name.clone(),
            search: searches(),
        })
    }

    /// The network, as text.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Searches a position until a limit is reached, the results of all actions listed are proven, or `stop` is set.
    /// `watch` gets a report after each depth.
    pub fn analyse(
        &mut self,
        game: &G,
        limits: &Limits,
        options: &ReportOptions,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(AnalysisReport),
    ) -> AnalysisReport {
        let began = Instant::now();
        if let Some(outcome) = game.outcome() {
            return ended(game, outcome);
        }
        let evaluation = (2.0 * self.search.judgement(game) - 1.0) as f32;
        let report = |lines: &[Found<G::Action>], end| report(game, lines, evaluation, options, began.elapsed(), end);
        let count = options.top.unwrap_or(Self::ACTIONS);
        let mut told = |lines: &[Found<G::Action>]| watch(report(lines, None));
        let request = Request::new(*limits).lines(count).stopped_by(stop);
        let lines = self.search.search(game, request, &mut told);
        let reached = limits.nodes.is_some_and(|most| lines[0].nodes > most);
        let late = limits.time.is_some_and(|most| began.elapsed() >= most);
        let end = if lines.iter().all(|found| found.plies_to_win().is_some()) {
            AnalysisEnd::Proven
        } else if stop.load(Ordering::Relaxed) {
            AnalysisEnd::Stopped
        } else if reached {
            AnalysisEnd::Nodes
        } else if late {
            AnalysisEnd::Time
        } else {
            AnalysisEnd::Depth
        };
        report(&lines, Some(end))
    }
}

/// The report on a search that was stopped before it began.
pub(super) fn not_begun<G: Playable>(game: &G) -> AnalysisReport {
    match game.outcome() {
        Some(outcome) => ended(game, outcome),
        None => AnalysisReport {
            stop: Some(AnalysisEnd::Stopped),
            ..empty(game)
        },
    }
}

/// The winner's name, if a win is proven for one of the players.
fn proven<G: Playable>(game: &G, found: &Found<G::Action>) -> Option<&'static str> {
    let mover = game.to_move();
    let winner = if found.plies_to_win()? > 0 {
        mover
    } else {
        mover.opponent()
    };
    Some(G::outcome_name(Outcome::Win(winner)))
}

fn report<G: Playable>(
    game: &G,
    lines: &[Found<G::Action>],
    evaluation: f32,
    options: &ReportOptions,
    took: Duration,
    stop: Option<AnalysisEnd>,
) -> AnalysisReport {
    let best = &lines[0];
    let value = |found: &Found<G::Action>| Some(2.0 * found.score as f32 - 1.0);
    let action = |found: &Found<G::Action>| ActionReport {
        action: game.action_text(found.action),
        text: game.people_text(found.action),
        prior: None,
        visits: 0,
        q: value(found),
        wdl: None,
        proven: proven(game, found),
        depth: Some(found.depth),
        line: options
            .lines
            .then(|| line_texts(game, found.line.iter().copied(), G::action_text)),
    };
    AnalysisReport {
        best_action: Some(game.action_text(best.action)),
        best_text: Some(game.people_text(best.action)),
        value: value(best),
        evaluation: Some(evaluation),
        proven: proven(game, best),
        principal_variation: line_texts(game, best.line.iter().copied(), G::action_text),
        principal_variation_text: line_texts(game, best.line.iter().copied(), G::people_text),
        actions: lines
            .iter()
            .take(options.top.unwrap_or(usize::MAX))
            .map(action)
            .collect(),
        nodes: Some(best.nodes),
        depth: Some(best.depth),
        seconds: took.as_secs_f64(),
        stop,
        ..empty(game)
    }
}

/// The report on a game that is over.
fn ended<G: Playable>(game: &G, outcome: Outcome) -> AnalysisReport {
    let player = game.to_move();
    AnalysisReport {
        outcome: Some(G::outcome_name(outcome)),
        end_reason: game.end_reason(),
        value: outcome.value_for(player).map(|value| value.0),
        wdl: certain(outcome, player).map(Into::into),
        stop: Some(AnalysisEnd::GameOver),
        ..empty(game)
    }
}

/// The report of a search that knows nothing yet.
fn empty<G: Playable>(game: &G) -> AnalysisReport {
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    AnalysisReport {
        position: game.position_text(),
        to_move: G::PLAYERS[game.to_move()],
        legal_actions: legal.len(),
        nodes: Some(0),
        depth: Some(0),
        ..AnalysisReport::default()
    }
}
