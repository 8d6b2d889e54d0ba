//! A game as the page sees it. The page knows no rules: it requests legal actions, the paths of dice, and results.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use chase_engine::chase::notation::{Cause, Course, Leg};
use chase_engine::chase::{Action, Cell, EndReason, Position, Rules};
use chase_engine::{Chase, Game, Outcome, Player};
use serde::{Deserialize, Serialize};

use super::refusal::Refusal;

/// More plies than the conventions allow a game to have, including choices of absorbing dice.
const MAX_PLIES: usize = 2000;

/// A game as the page describes it: its initial position, and its actions.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRequest {
    /// CFEN; the initial position if missing.
    start: Option<String>,
    /// Draw and length conventions in the form of records; the standard ones if missing.
    rules: Option<String>,
    /// Actions in exact or article form.
    #[serde(default)]
    moves: Vec<String>,
    /// Number of plies to replay; all of them if missing.
    at: Option<usize>,
}

/// A replayed game.
#[derive(Debug)]
pub struct Replay {
    pub start: Position,
    pub plies: Vec<Ply>,
    /// The game after the requested number of plies.
    pub game: Chase,
    at: usize,
}

/// One ply of a game.
#[derive(Clone, Copy, Debug)]
pub struct Ply {
    pub before: Position,
    pub action: Action,
}

impl GameRequest {
    /// Replays the game.
    pub fn replay(&self) -> Result<Replay, Refusal> {
        let start = match &self.start {
            None => Position::initial(),
            Some(text) => text.trim().parse().map_err(Refusal::bad)?,
        };
        let rules = match &self.rules {
            None => Rules::default(),
            Some(text) => text.parse().map_err(Refusal::bad)?,
        };
        let too_long = || Refusal::bad(format!("expected at most {MAX_PLIES} plies"));
        let mut last = Chase::from_position(start, rules);
        let mut plies: Vec<Ply> = Vec::new();
        let mut game = last.clone();
        let at = self.at.unwrap_or(usize::MAX);
        for (index, text) in self.moves.iter().enumerate() {
            let number = index + 1;
            // An article text can contain the opponent's choices too. Neither form has lower-case letters.
            let actions = last.position().parse_article(&text.trim().to_ascii_uppercase());
            let actions = actions.map_err(|error| Refusal::bad(format!("move {number}, {text:?}: {}", error.kind)))?;
            for action in actions {
                if let Some((_, reason)) = last.end() {
                    return Err(Refusal::bad(format!(
                        "move {number}, {text:?}: the game has ended ({reason})"
                    )));
                }
                if plies.len() == MAX_PLIES {
                    return Err(too_long());
                }
                plies.push(Ply {
                    before: *last.position(),
                    action,
                });
                last.apply(action);
                if plies.len() <= at {
                    game.clone_from(&last);
                }
            }
        }
        let at = at.min(plies.len());
        Ok(Replay { start, plies, game, at })
    }
}

/// The view of a game on the page.
#[derive(Debug, Serialize)]
pub struct GameView {
    start: String,
    /// Conventions.
    rules: String,
    plies: Vec<PlyView>,
    /// Number of plies before the position described below.
    at: usize,
    position: String,
    dice: Vec<DieView>,
    to_move: &'static str,
    turn: u32,
    quiet_turns: u32,
    /// Number of occurrences of the position, including this one.
    occurrences: u32,
    /// Points that the player to move has to absorb with a die of choice.
    missing: u8,
    /// The task or the winner, as text.
    task: String,
    /// The last ply.
    last: Option<ActionView>,
    actions: Vec<ActionView>,
    end: Option<EndView>,
}

#[derive(Debug, Serialize)]
struct PlyView {
    /// Exact form.
    action: String,
    /// Article form, with the dice that absorb without a choice.
    text: String,
    player: &'static str,
    turn: u32,
}

#[derive(Debug, Serialize)]
struct DieView {
    cell: String,
    player: &'static str,
    pips: u8,
}

/// A legal action and all its effects.
#[derive(Debug, Serialize)]
pub struct ActionView {
    /// Exact form.
    action: String,
    /// Article form.
    text: String,
    kind: &'static str,
    from: String,
    /// The target of the acting die, or the receiver of an exchange; the die itself if it absorbs.
    to: String,
    /// Number of pips that change hands.
    points: Option<u8>,
    legs: Vec<LegView>,
    /// Cells whose die changes, including forced absorption.
    changes: Vec<ChangeView>,
}

/// The path of one die.
#[derive(Debug, Serialize)]
struct LegView {
    from: String,
    to: String,
    /// Each step on the unrolled board: half cells to the east, rows towards I.
    steps: Vec<[i32; 2]>,
    captures: bool,
    cause: &'static str,
    /// Speed of a die that leaves the Chamber.
    speed: Option<u8>,
}

#[derive(Debug, Serialize)]
struct ChangeView {
    cell: String,
    die: Option<(&'static str, u8)>,
}

/// The end of a game.
#[derive(Debug, Serialize)]
pub struct EndView {
    /// `white`, `black`, `draw` or `truncated`.
    result: &'static str,
    reason: &'static str,
}

impl From<(Outcome, EndReason)> for EndView {
    fn from((outcome, reason): (Outcome, EndReason)) -> Self {
        Self {
            result: outcome.name(),
            reason: reason.name(),
        }
    }
}

impl Replay {
    /// The actions that lead to [`Replay::game`].
    pub fn played(&self) -> Vec<Action> {
        self.plies.iter().take(self.at).map(|ply| ply.action).collect()
    }

    fn view(&self) -> GameView {
        let game = &self.game;
        let position = game.position();
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        let last = self.at.checked_sub(1).and_then(|index| self.plies.get(index));
        GameView {
            start: self.start.to_string(),
            rules: game.rules().to_string(),
            plies: self.plies.iter().map(PlyView::of).collect(),
            at: self.at,
            position: position.to_string(),
            dice: position
                .all_dice()
                .map(|(cell, die)| DieView {
                    cell: cell.to_string(),
                    player: die.player.name(),
                    pips: die.speed.pips(),
                })
                .collect(),
            to_move: position.to_move().name(),
            turn: position.turn(),
            quiet_turns: position.quiet_turns(),
            occurrences: game.occurrences(),
            missing: position.missing(),
            task: position.task(),
            last: last.map(|ply| ActionView::of(&ply.before, ply.action)),
            actions: actions
                .into_iter()
                .map(|action| ActionView::of(position, action))
                .collect(),
            end: game.end().map(EndView::from),
        }
    }
}

impl PlyView {
    fn of(ply: &Ply) -> Self {
        let Ply { before, action } = ply;
        Self {
            action: action.to_string(),
            text: turn_text(before, *action),
            player: before.to_move().name(),
            turn: before.turn(),
        }
    }
}

/// An action in article form, with the dice that absorb without a choice.
pub fn turn_text(before: &Position, action: Action) -> String {
    before
        .turn_text(action, &[])
        .unwrap_or_else(|_| before.article_text(action))
}

impl ActionView {
    /// A legal action of a position.
    fn of(position: &Position, action: Action) -> Self {
        let legs = position.course(action).map(|course: Course| course.legs().to_vec());
        let legs = legs.unwrap_or_default();
        let (kind, from, points) = match action {
            Action::Move { from, .. } => ("move", from, None),
            Action::Exchange { from, points, .. } => ("exchange", from, Some(points)),
            Action::Absorb { cell } => ("absorb", cell, None),
        };
        let mut after = *position;
        after.play_unchecked(action);
        let changed = Cell::all().filter(|&cell| position.die(cell) != after.die(cell));
        Self {
            action: action.to_string(),
            text: turn_text(position, action),
            kind,
            from: from.to_string(),
            to: legs.first().map_or(from, |leg| leg.to).to_string(),
            points,
            legs: legs.iter().map(LegView::of).collect(),
            changes: changed
                .map(|cell| ChangeView {
                    cell: cell.to_string(),
                    die: after.die(cell).map(|die| (die.player.name(), die.speed.pips())),
                })
                .collect(),
        }
    }
}

impl LegView {
    fn of(leg: &Leg) -> Self {
        let (cause, speed) = match leg.cause {
            Cause::Acts => ("acts", None),
            Cause::Bumped => ("bumped", None),
            Cause::Leaves(speed) => ("leaves", Some(speed.pips())),
        };
        Self {
            from: leg.from.to_string(),
            to: leg.to.to_string(),
            steps: leg.steps.iter().map(|step| [step.half_columns, step.rows]).collect(),
            captures: leg.captures,
            cause,
            speed,
        }
    }
}

/// The player with this name.
pub fn player(text: &str) -> Option<Player> {
    Player::BOTH.into_iter().find(|player| player.name() == text)
}

/// `POST /api/game`
pub async fn view(request: Result<Json<GameRequest>, JsonRejection>) -> Result<Json<GameView>, Refusal> {
    let Json(request) = request?;
    Ok(Json(request.replay()?.view()))
}

/// A line of play from a game's position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    game: GameRequest,
    /// Actions in exact or article form.
    line: Vec<String>,
}

/// Each ply of a line.
#[derive(Debug, Serialize)]
pub struct LineView {
    plies: Vec<ActionView>,
}

/// `POST /api/line`
pub async fn line(request: Result<Json<LineRequest>, JsonRejection>) -> Result<Json<LineView>, Refusal> {
    let Json(LineRequest { mut game, line }) = request?;
    game.moves.truncate(game.at.take().unwrap_or(usize::MAX));
    // Texts in the article's form may contain several plies.
    let before = game.replay()?.plies.len();
    game.moves.extend(line);
    let replay = game.replay()?;
    let plies = replay.plies.iter().skip(before);
    Ok(Json(LineView {
        plies: plies.map(|ply| ActionView::of(&ply.before, ply.action)).collect(),
    }))
}
