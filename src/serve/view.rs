//! Games as the page sees them. The page knows no rules: it requests legal actions, and what they look like. Of Chase
//! it shows dice, their paths and everything that an action does; of any other game a board with the clicks that make
//! up each action.

use axum::Json;
use chase_engine::chase::notation::Cause;
use chase_engine::chase::{Action, Cell, Position};
use chase_engine::scene::{CellShape, Scene, Shade};
use chase_engine::{Chase, Game, Outcome, Playable};
use serde::Deserialize;
use serde_json::{Value, json};

use super::refusal::{Answer, Body};
use super::replay::{GameRequest, Replay, end_view, with_replay};
use crate::of_chase::{as_chase, as_type};

/// An action in the list of moves; in Chase with the dice that absorb without a choice.
pub fn ply_text<G: Playable>(game: &G, action: G::Action) -> String {
    game.people_turn(&[action]).0
}

/// `POST /api/game`
pub async fn view(Body(request): Body<GameRequest>) -> Answer {
    with_replay!(request, replay => Ok(Json(game_view(&replay))))
}

/// A line of play from a game's position.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineRequest {
    game: GameRequest,
    /// Actions in the forms that a game's may have.
    line: Vec<String>,
}

/// `POST /api/line`
pub async fn line(Body(LineRequest { mut game, line }): Body<LineRequest>) -> Answer {
    game.moves.truncate(game.at.take().unwrap_or(usize::MAX));
    // Texts in the article's form may contain several plies.
    let before = with_replay!(game, replay => replay.plies.len());
    game.moves.extend(line);
    with_replay!(game, replay => Ok(Json(line_view(&replay, before))))
}

/// The plies of a game from a number on.
fn line_view<G: Playable>(replay: &Replay<G>, from: usize) -> Value {
    let scene = replay.start.scene();
    let plies = replay.plies_from(from).into_iter().map(|(before, action)| {
        let mut ply = action_view(&before, action, &scene);
        ply["player"] = before.to_move().name().into();
        ply
    });
    json!({ "plies": plies.collect::<Vec<_>>() })
}

/// The game after the requested number of plies.
fn game_view<G: Playable>(replay: &Replay<G>) -> Value {
    let game = &replay.game;
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let scene = game.scene();
    let actions = legal.into_iter().map(|action| action_view(game, action, &scene));
    let mut view = json!({
        "name": replay.name.name(),
        "start": replay.start.position_text(),
        // Conventions.
        "rules": G::rules_text(&replay.rules),
        "plies": replay.plies.iter().map(|ply| &ply.view).collect::<Vec<_>>(),
        // Number of plies before the position described below.
        "at": replay.at,
        "position": game.position_text(),
        "to_move": game.to_move().name(),
        "last": replay.last().map(|(before, action)| action_view(before, action, &scene)),
        "actions": actions.collect::<Vec<_>>(),
        "end": end_view(game),
    });
    let more = match as_chase(game) {
        Some(game) => chase_fields(game),
        None => json!({
            // That of the start, if it was drawn for this request.
            "seed": replay.seed,
            "turn": replay.turn_to_come(),
            "task": task(game, &scene.caption),
            "board": board(game, scene),
        }),
    };
    if let (Value::Object(view), Value::Object(more)) = (&mut view, more) {
        view.extend(more);
    }
    view
}

/// What the page shows of Chase alone.
fn chase_fields(game: &Chase) -> Value {
    let position = game.position();
    let dice = position
        .all_dice()
        .map(|(cell, die)| json!({"cell": cell.to_string(), "player": die.player.name(), "pips": die.speed.pips()}));
    json!({
        "dice": dice.collect::<Vec<_>>(),
        "turn": position.turn(),
        "quiet_turns": position.quiet_turns(),
        // Number of occurrences of the position, including this one.
        "occurrences": game.occurrences(),
        // Points that the player to move has to absorb with a die of choice.
        "missing": position.missing(),
        // The task or the winner, as text.
        "task": position.task(),
    })
}

/// The caption of a scene. Where it calls the player by the letter of the pieces in texts, the name of the player
/// stands.
fn task<G: Game>(game: &G, caption: &str) -> String {
    match caption.split_once(' ') {
        Some((letter, rest)) if letter.len() == 1 => {
            let player = game.outcome().and_then(Outcome::winner).unwrap_or(game.to_move());
            let (first, others) = G::PLAYERS[player].split_at(1);
            format!("{}{others} {rest}", first.to_ascii_uppercase())
        }
        _ => caption.to_owned(),
    }
}

/// A legal action: in Chase with all its effects, in other games with the cells to click in turn; none for an action
/// without a place. The cells of all scenes of a game are the same.
fn action_view<G: Playable>(game: &G, action: G::Action, scene: &Scene) -> Value {
    let mut view = json!({"action": game.action_text(action), "text": ply_text(game, action)});
    match (as_chase(game), as_type(&action)) {
        (Some(game), Some(&action)) => add_effects(&mut view, game.position(), action),
        _ => {
            let way = game.way(action).into_iter();
            view["steps"] = way.map(|cell| scene.cells[cell].name.as_str()).collect();
        }
    }
    view
}

/// Adds what a legal action of Chase does.
fn add_effects(view: &mut Value, position: &Position, action: Action) {
    let course = position.course(action);
    let legs = course.map(|course| course.legs().to_vec()).unwrap_or_default();
    let (kind, from, points) = match action {
        Action::Move { from, .. } => ("move", from, None),
        Action::Exchange { from, points, .. } => ("exchange", from, Some(points)),
        Action::Absorb { cell } => ("absorb", cell, None),
    };
    view["kind"] = kind.into();
    view["from"] = from.to_string().into();
    // The target of the acting die, or the receiver of an exchange; the die itself if it absorbs.
    view["to"] = legs.first().map_or(from, |leg| leg.to).to_string().into();
    // Number of pips that change hands.
    view["points"] = points.into();
    let legs = legs.iter().map(|leg| {
        let (cause, speed) = match leg.cause {
            Cause::Acts => ("acts", None),
            Cause::Bumped => ("bumped", None),
            // Of a die that leaves the Chamber.
            Cause::Leaves(speed) => ("leaves", Some(speed.pips())),
        };
        json!({
            "from": leg.from.to_string(),
            "to": leg.to.to_string(),
            // Each step on the unrolled board: half cells to the east, rows towards I.
            "steps": leg.steps.iter().map(|step| [step.half_columns, step.rows]).collect::<Vec<_>>(),
            "captures": leg.captures,
            "cause": cause,
            "speed": speed,
        })
    });
    view["legs"] = legs.collect();
    // Cells whose die changes, including forced absorption.
    let mut after = *position;
    after.play_unchecked(action);
    let changed = Cell::all().filter(|&cell| position.die(cell) != after.die(cell));
    let changes = changed.map(|cell| {
        let die = after.die(cell).map(|die| (die.player.name(), die.speed.pips()));
        json!({"cell": cell.to_string(), "die": die})
    });
    view["changes"] = changes.collect();
}

/// The board. The unit of length is the width of a cell.
fn board(game: &impl Playable, scene: Scene) -> Value {
    let cells = scene.cells.iter().enumerate().map(|(place, cell)| {
        let pieces = cell.pieces.iter().map(|piece| {
            let mut view = json!({"player": piece.player.name(), "king": piece.is_king, "label": piece.label});
            // Its outline as an SVG path in hundredths of a cell around the middle, if it is no disc.
            if let Some(figure) = piece.figure {
                view["figure"] = figure.into();
            }
            view
        });
        json!({
            "name": cell.name,
            "x": cell.x,
            "y": cell.y,
            "shade": match cell.shade {
                Shade::Plain => "plain",
                Shade::Dark => "dark",
                Shade::Unused => "unused",
                Shade::Special => "special",
                Shade::Coloured(_) => "coloured",
            },
            // One or two of the three colours of the board, from 1; of other cells none.
            "colours": cell.shade.colours().collect::<Vec<_>>(),
            // From the top.
            "pieces": pieces.collect::<Vec<_>>(),
            // True if the cell matters for the next action.
            "marked": cell.marked,
            // The cell that a click here means.
            "meant": scene.cells[game.meant(place)].name,
        })
    });
    let shape = match scene.shape {
        CellShape::Square => "square",
        // With a corner on top.
        CellShape::Hexagon => "hexagon",
    };
    json!({"shape": shape, "cells": cells.collect::<Vec<_>>()})
}
