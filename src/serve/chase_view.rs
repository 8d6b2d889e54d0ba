//! A game of Chase as the page sees it: dice, their paths, and everything that an action does.

use chase_engine::chase::notation::{Cause, Course, Leg};
use chase_engine::chase::{Action, Cell, Position};
use chase_engine::{Chase, Game};
use serde::Serialize;

use super::replay::{EndView, PlyView, Replay};

/// The view of a game on the page.
#[derive(Debug, Serialize)]
pub struct GameView {
    /// The game's name.
    name: &'static str,
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

impl GameView {
    /// The game after the requested number of plies.
    pub fn of(replay: &Replay<Chase>) -> Self {
        let game = &replay.game;
        let position = game.position();
        let mut actions = Vec::new();
        game.legal_actions(&mut actions);
        Self {
            name: replay.name.name(),
            start: replay.start.position_text(),
            rules: game.rules().to_string(),
            plies: replay.ply_views(),
            at: replay.at,
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
            last: replay
                .last()
                .map(|(before, action)| ActionView::of(before.position(), action)),
            actions: actions
                .into_iter()
                .map(|action| ActionView::of(position, action))
                .collect(),
            end: EndView::of(game),
        }
    }
}

impl ActionView {
    /// A legal action of a position.
    pub fn of(position: &Position, action: Action) -> Self {
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
            text: position
                .turn_text(action, &[])
                .unwrap_or_else(|_| position.article_text(action)),
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
