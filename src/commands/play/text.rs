//! Texts about a game for a person.

use std::fmt::Write;

use chase_engine::chase::notation::Termination;
use chase_engine::chase::{Action, Cell, Position};
use chase_engine::{Outcome, Player, Wdl};

use crate::columns;

/// Characters of the article form in a list of actions at a terminal.
const STEPS: usize = 21;

/// The player's name in a sentence.
pub const fn name(player: Player) -> &'static str {
    match player {
        Player::White => "White",
        Player::Black => "Black",
    }
}

/// The action played, with the dice that had to absorb its captures.
pub fn played(before: &Position, action: Action) -> String {
    let text = before.turn_text(action, &[]).unwrap_or_else(|_| action.to_string());
    let player = name(before.to_move());
    match action {
        Action::Absorb { .. } => format!("{player} absorbs with {text}"),
        Action::Move { .. } | Action::Exchange { .. } => format!("{player} plays {text}"),
    }
}

/// The score that a player expects after its search, as the end of a sentence; empty if it does not say.
pub fn expectation(expects: Option<Wdl>) -> String {
    expects.map_or(String::new(), |wdl| {
        format!(", and expects to score {:.0} %", 100.0 * wdl.score())
    })
}

/// The end of a game, from a player's point of view.
pub fn ending(termination: &Termination, person: Player) -> String {
    match termination.outcome() {
        Some(Outcome::Win(winner)) => {
            let yours = if winner == person { "you win" } else { "you lose" };
            format!("{} has won by {termination}: {yours}", name(winner))
        }
        Some(Outcome::Draw) => format!("the game is a draw by {termination}"),
        Some(Outcome::Truncated) | None => format!("the game has ended without a result: {termination}"),
    }
}

/// The choice of an absorbing die, with the effect of each; empty if there is nothing to absorb.
pub fn absorption(position: &Position) -> String {
    let absorbers = position.absorbers();
    if absorbers.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "\nYou lost dice, and what yours show must add up to 25 again: {} points are to be absorbed. A die of lowest\n\
         speed takes as many as it can, up to 6; what is left goes to the next lowest. Several are lowest: choose one.\n",
        position.missing()
    );
    for cell in absorbers {
        let choice = Action::Absorb { cell };
        let _ = writeln!(text, "  {:5} {}", choice.to_string(), effect(position, cell));
    }
    text
}

/// The dice after the one on `cell` has absorbed.
fn effect(position: &Position, cell: Cell) -> String {
    let mut after = *position;
    after.play_unchecked(Action::Absorb { cell });
    let player = position.to_move();
    let mut changed: Vec<Cell> = position
        .dice(player)
        .into_iter()
        .filter(|&cell| position.die(cell) != after.die(cell))
        .collect();
    // The chosen die absorbs first, then the others in the order of their speeds.
    changed.sort_by_key(|&other| (other != cell, position.die(other).map(|die| die.speed)));
    let mut parts: Vec<String> = changed
        .into_iter()
        .filter_map(|cell| Some(format!("{cell} becomes {}", after.die(cell)?.speed)))
        .collect();
    if after.missing() > 0 {
        parts.push(format!("{} points are left to absorb", after.missing()));
    }
    parts.join(", then ")
}

/// The legal actions with their numbers, or those of one die.
pub fn actions(position: &Position, actions: &[Action], from: Option<Cell>) -> String {
    let die = |action: Action| match action {
        Action::Move { from, .. } | Action::Exchange { from, .. } => from,
        Action::Absorb { cell } => cell,
    };
    // A slide that bumps a whole row has nine steps; the exact form says as much.
    let longest = columns::width().map_or(usize::MAX, |_| STEPS);
    let mut lines = Vec::new();
    for (number, &action) in (1..).zip(actions) {
        if from.is_none_or(|from| from == die(action)) {
            let steps = columns::shortened(&position.article_text(action), longest);
            lines.push(format!("{number:4}  {:6}  {steps}", action.to_string()));
        }
    }
    match from {
        Some(cell) if lines.is_empty() => format!("no action begins on {cell}"),
        _ => columns::listed(&lines),
    }
}
