//! What differs between games at a terminal: the notation that people type, the board, and the words for an action.

use chase_engine::chase::notation::AsciiOptions;
use chase_engine::chase::{Action, Cell, Position};
use chase_engine::{Chase, GameName, Playable};

use crate::of_chase::{as_chase, as_type};

/// How a board is drawn.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub color: bool,
    pub flip: bool,
}

/// The opponent where none is named: in Chase the strongest built-in agent, with a search that takes about a second on
/// one core. Both are limited by nodes, so that the same seed gives the same game.
pub const fn opponent(game: GameName) -> &'static str {
    match game {
        GameName::Chase => "nnue-57,nodes=1000000",
        _ => "rollouts:simulations=400",
    }
}

/// The forms of actions, in the text of `help`.
pub fn forms<G: Playable>(game: &G) -> &'static str {
    match as_chase(game) {
        None => "To play, type an action as `moves` lists it, or its number there.",
        Some(_) => {
            "\
To play, type an action:
  A3D2        a move in the article's form: from, to; a capture has a colon, E4:F4
  A3NW        a move in exact form: cell, direction (E NE NW W SW SE)
  1A6A7       an exchange: points, giver, receiver
  =C9         absorption: the die that takes the points
  12          the number of an action in the list of `moves`"
        }
    }
}

/// The text before the line that the player types.
pub fn prompt<G: Playable>(game: &G, player: &str) -> String {
    match as_chase(game) {
        None => format!("{player}> "),
        Some(game) => format!("{player}, turn {}> ", game.position().turn()),
    }
}

/// The board, with the way of the action that led to it from the position before.
pub fn board<G: Playable>(game: &G, last: Option<&(G, G::Action)>, view: View) -> String {
    let last_of_chase = last.and_then(as_type::<_, (Chase, Action)>);
    if let Some(game) = as_chase(game) {
        return game.position().to_ascii(&AsciiOptions {
            color: view.color,
            flip: view.flip,
            attacks: None,
            last: last_of_chase.and_then(|(before, action)| before.position().course(*action).ok()),
        });
    }
    let mut scene = game.scene();
    if let Some((before, action)) = last {
        scene.mark(before.way(*action));
    }
    if view.flip {
        scene.flip();
    }
    scene.to_text()
}

/// The action that a person means.
///
/// # Errors
/// The reason that it is none.
pub fn read<G: Playable>(game: &G, text: &str) -> Result<G::Action, String> {
    match game.parse_people(text).map_err(|error| error.to_string())?[..] {
        [action] => Ok(action),
        _ => Err("the dice that absorb are for your opponent to choose: leave them out".to_owned()),
    }
}

/// What a player does with an action, behind the player's name; in Chase with the dice that had to absorb a capture.
pub fn done<G: Playable>(before: &G, action: G::Action) -> String {
    let (text, _) = before.people_turn(&[action]);
    match as_type(&action) {
        Some(Action::Absorb { .. }) => format!("absorbs with {text}"),
        _ => format!("plays {text}"),
    }
}

/// What a player has to know of a choice that the board does not explain: in Chase, of an absorbing die, with the
/// effect of each. Empty if there is nothing.
pub fn explanation<G: Playable>(game: &G) -> String {
    let Some(position) = as_chase(game).map(Chase::position) else {
        return String::new();
    };
    let absorbers = position.absorbers();
    if absorbers.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "You lost dice, and what yours show must add up to 25 again: {} points are to be absorbed. A die of lowest\n\
         speed takes as many as it can, up to 6; what is left goes to the next lowest. Several are lowest: choose one.\n",
        position.missing()
    );
    for cell in absorbers {
        let choice = Action::Absorb { cell };
        text += &format!("  {:5} {}\n", choice.to_string(), effect(position, cell));
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
