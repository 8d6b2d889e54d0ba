//! Reports on a position, as programs get them.

use std::time::Duration;

use chase_engine::alpha_beta::Found;
use chase_engine::search::{EdgeView, Search};
use chase_engine::{Game, Outcome, Playable, Player, Wdl};
use serde::Serialize;

use super::AnalysisEnd;
use super::request::ReportOptions;
use crate::games::line_texts;
use crate::players::Choice;

/// Results for a position. Values are for [`AnalysisReport::to_move`].
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct AnalysisReport {
    /// The position; in Chase as CFEN.
    pub position: String,
    /// `white` or `black`, or the game's names of the players.
    pub to_move: &'static str,
    /// The end of the game, `white`, `black`, `draw` or `truncated`, if it is over.
    pub outcome: Option<&'static str>,
    /// The reason for the end of the game.
    pub end_reason: Option<&'static str>,
    /// The best action, in exact form; `None` if the game is over or there is no result yet.
    pub best_action: Option<String>,
    /// The same action in the article's form.
    pub best_text: Option<String>,
    /// The expected result, win − loss, from −1 to 1: the mean over the visits; exact if proven.
    pub value: Option<f32>,
    /// Probabilities of the result; the value is their mean. `None` in an alpha-beta search, which does not tell draws
    /// from wins and losses.
    pub wdl: Option<WdlReport>,
    /// The evaluator's own value of the position, without a search.
    pub evaluation: Option<f32>,
    /// The result of perfect play, `white`, `black` or `draw`, if proven.
    pub proven: Option<&'static str>,
    /// The expected line, in exact form.
    pub principal_variation: Vec<String>,
    /// The same line in the article's form.
    pub principal_variation_text: Vec<String>,
    /// The legal actions: the best one, then the others by visits, Q and prior; by Q in an alpha-beta search, which lists
    /// only those that it was asked for.
    pub actions: Vec<ActionReport>,
    /// Legal actions in the position, listed or not.
    pub legal_actions: usize,
    /// Simulations since the analysis was begun or continued; 0 in an alpha-beta search.
    pub simulations: u32,
    /// Visits of the position in the tree, including earlier simulations that were kept, and its own evaluation; 0 in an
    /// alpha-beta search.
    pub visits: u32,
    /// Nodes of an alpha-beta search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies that an alpha-beta search has looked ahead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Time of the simulations, in seconds.
    pub seconds: f64,
    /// The reason for the end of the analysis; `None` while it runs.
    pub stop: Option<AnalysisEnd>,
}

/// Results for one action. Values are for the player to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ActionReport {
    /// The action, in exact form.
    pub action: String,
    /// The same action in the article's form.
    pub text: String,
    /// Its prior: the square root of its probability in the evaluator's policy, over the sum of these square roots;
    /// `None` in an alpha-beta search.
    pub prior: Option<f32>,
    /// Visits; 0 in an alpha-beta search.
    pub visits: u32,
    /// The expected result Q, from −1 to 1: the mean over the visits; exact if proven; `None` without visits.
    pub q: Option<f32>,
    /// Probabilities of the result, whose mean is Q; `None` without visits.
    pub wdl: Option<WdlReport>,
    /// The result of perfect play after it, `white`, `black` or `draw`, if proven.
    pub proven: Option<&'static str>,
    /// Plies that an alpha-beta search has looked ahead for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Plies until the proven win of the player to move, negative until a proven loss, by an alpha-beta search.
    #[serde(skip)]
    pub plies_to_win: Option<i32>,
    /// The expected line, in exact form, beginning with the action itself; only on request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Vec<String>>,
}

/// Probabilities of the result for one player; their sum is 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WdlReport {
    /// Probability of a win.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability of a loss.
    pub loss: f32,
}

impl From<Wdl> for WdlReport {
    fn from(Wdl { win, draw, loss }: Wdl) -> Self {
        // A residue without any draws is rounding.
        let draw = if draw < 1e-9 { 0.0 } else { draw };
        Self { win, draw, loss }
    }
}

impl AnalysisReport {
    /// The report on a tree search.
    pub(crate) fn of_tree<G: Playable>(
        game: &G,
        search: &Search<G>,
        options: &ReportOptions,
        took: Duration,
        stop: Option<AnalysisEnd>,
    ) -> Self {
        let player = game.to_move();
        let result = search.result();
        let best = result.best_action().filter(|_| game.outcome().is_none());
        let line = match best {
            Some(_) => result.principal_variation(),
            None => Vec::new(),
        };
        let root = search.root().filter(|_| game.outcome().is_none());
        let mut edges: Vec<_> = root.into_iter().flat_map(|root| root.edges()).collect();
        edges.sort_by(|one, other| {
            let order = rank(other, best).partial_cmp(&rank(one, best));
            order.expect("values and priors are numbers")
        });
        edges.truncate(options.top.unwrap_or(usize::MAX));
        let ended = Self::without_search(game);
        Self {
            value: root.and(result.value()).map(|value| value.0).or(ended.value),
            wdl: root.map(|root| root.wdl(player).into()).or(ended.wdl),
            evaluation: root.map(|root| root.evaluation().0),
            proven: root.and_then(|root| root.proven()).map(G::outcome_name),
            actions: edges
                .iter()
                .map(|edge| ActionReport::of(edge, game, options.lines))
                .collect(),
            simulations: search.simulations(),
            visits: root.map_or(0, |root| root.visits()),
            seconds: took.as_secs_f64(),
            stop,
            ..ended.with_line(game, &line)
        }
    }

    /// The report on an alpha-beta search with these lines, best first.
    pub(crate) fn of_lines<G: Playable>(
        game: &G,
        lines: &[Found<G::Action>],
        evaluation: f32,
        options: &ReportOptions,
        took: Duration,
        stop: Option<AnalysisEnd>,
    ) -> Self {
        let best = &lines[0];
        let actions = lines.iter().take(options.top.unwrap_or(usize::MAX));
        Self {
            value: Some(value(best)),
            evaluation: Some(evaluation),
            proven: proven(game, best),
            actions: actions
                .map(|found| ActionReport::of_line(found, game, options.lines))
                .collect(),
            nodes: Some(best.nodes),
            depth: Some(best.depth),
            seconds: took.as_secs_f64(),
            stop,
            ..Self::without_search(game).with_line(game, &best.line)
        }
    }

    /// The report of a player that does not say how it has searched.
    pub(crate) fn of_choice<G: Playable>(game: &G, choice: &Choice<G::Action>) -> Self {
        Self {
            value: choice.expects.map(|wdl| wdl.value().0),
            wdl: choice.expects.map(Into::into),
            nodes: choice.effort.nodes,
            depth: choice.effort.depth,
            ..Self::without_search(game).with_line(game, &[choice.action])
        }
    }

    /// The report on a position that has not been searched: what the rules say.
    pub(crate) fn without_search<G: Playable>(game: &G) -> Self {
        let (player, outcome) = (game.to_move(), game.outcome());
        let mut legal = Vec::new();
        game.legal_actions(&mut legal);
        Self {
            position: game.position_text(),
            to_move: G::PLAYERS[player],
            outcome: outcome.map(G::outcome_name),
            end_reason: game.end_reason(),
            value: outcome
                .and_then(|outcome| outcome.value_for(player))
                .map(|value| value.0),
            wdl: outcome.and_then(|outcome| certain(outcome, player)).map(Into::into),
            legal_actions: legal.len(),
            stop: outcome.map(|_| AnalysisEnd::GameOver),
            ..Self::default()
        }
    }

    /// The same with an expected line, which begins with the best action.
    fn with_line<G: Playable>(self, game: &G, line: &[G::Action]) -> Self {
        let best = line.first();
        Self {
            best_action: best.map(|&action| game.action_text(action)),
            best_text: best.map(|&action| game.people_text(action)),
            principal_variation: line_texts(game, line.iter().copied(), G::action_text),
            principal_variation_text: line_texts(game, line.iter().copied(), G::people_text),
            ..self
        }
    }
}

/// The expected result of a line, from −1 to 1.
const fn value<A>(found: &Found<A>) -> f32 {
    2.0 * found.score as f32 - 1.0
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

impl ActionReport {
    fn of<G: Playable>(edge: &EdgeView<'_, G>, game: &G, lines: bool) -> Self {
        let line = || {
            let rest = edge.child.into_iter().flat_map(|child| child.principal_variation());
            line_texts(game, std::iter::once(edge.action).chain(rest), G::action_text)
        };
        Self {
            action: game.action_text(edge.action),
            text: game.people_text(edge.action),
            prior: Some(edge.prior),
            visits: edge.visits,
            q: edge.q.map(|q| q.0),
            wdl: edge.child.map(|child| child.wdl(game.to_move()).into()),
            proven: edge.proven.map(G::outcome_name),
            depth: None,
            plies_to_win: None,
            line: lines.then(line),
        }
    }

    fn of_line<G: Playable>(found: &Found<G::Action>, game: &G, lines: bool) -> Self {
        Self {
            action: game.action_text(found.action),
            text: game.people_text(found.action),
            prior: None,
            visits: 0,
            q: Some(value(found)),
            wdl: None,
            proven: proven(game, found),
            depth: Some(found.depth),
            plies_to_win: found.plies_to_win(),
            line: lines.then(|| line_texts(game, found.line.iter().copied(), G::action_text)),
        }
    }
}

/// Sort key of listed actions, highest first.
fn rank<G: Game>(edge: &EdgeView<'_, G>, best: Option<G::Action>) -> (bool, u32, f32, f32) {
    let q = edge.q.map_or(-1.0, |q| q.0);
    (best == Some(edge.action), edge.visits, q, edge.prior)
}

/// The exact value of the end of a game; `None` for a truncated game.
fn certain(outcome: Outcome, player: Player) -> Option<Wdl> {
    match outcome {
        Outcome::Win(winner) if winner == player => Some(Wdl::WIN),
        Outcome::Win(_) => Some(Wdl::LOSS),
        Outcome::Draw => Some(Wdl::DRAW),
        Outcome::Truncated => None,
    }
}
