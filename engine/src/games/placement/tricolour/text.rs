//! Positions and actions of `tricolour` as text; [the module](super) says how they look.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use super::position::{Action, GOALS, PASSES, Phase, TricolourPosition};
use super::{Cell, Field};
use crate::Player;
use crate::games::placement::connection;
use crate::games::placement::position::Position as _;
use crate::games::placement::reader::Reader;
use crate::games::placement::stones::LETTERS;
use crate::games::placement::turn::empty_cell;
use crate::text_error::TextError;

/// Forms of actions.
const FORM: &str = "a cell like `i5`, a move like `m5k3`, `--` to pass, `swap` or `keep`";

impl fmt::Display for TricolourPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (board, side) = (self.stones.board_text(), LETTERS[self.to_move]);
        write!(f, "{board} {side} {} {}", self.phase.letter(), self.passes)
    }
}

/// Reads exactly what is written.
impl FromStr for TricolourPosition {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut reader = Reader::new(text);
        let start = reader.start::<Field>()?;
        let (stones, to_move) = (start.stones, start.to_move);
        let (phase, passes) = (reader.field(), reader.field());
        let is_named = |named: &Phase| reader.word(&phase).chars().eq([named.letter()]);
        let Some(named) = Phase::ALL.into_iter().find(is_named) else {
            let what = "`f`, `s`, `m`, `p` or `q`: first stone, swap or not, move, place after a move or after none";
            return Err(reader.expected(what, phase));
        };
        let what = format!("the number of turns in a row in which everything was passed, from 0 to {PASSES}");
        let count = reader.digit(&what, passes.clone(), 0, PASSES)?;
        reader.end()?;
        let position = Self {
            stones,
            to_move,
            phase: named,
            passes: count,
            winner: connection::winner(&stones, &GOALS),
        };
        match position.fault([start.board, start.side, phase, passes]) {
            Some((message, span)) => Err(reader.wrong(message, span)),
            None => Ok(position),
        }
    }
}

impl TricolourPosition {
    /// The first breach of the rules, and the place of the field that has it.
    fn fault(&self, [board, side, phase, passes]: [Range<usize>; 4]) -> Option<(String, Range<usize>)> {
        let [first, second] = Player::BOTH.map(|player| self.stones.count(player));
        let (mover, stones, opening) = match self.phase {
            Phase::First => (Player::White, (0, 0), "no stones before the first"),
            Phase::Swap => (Player::Black, (1, 0), "one stone, of o, at the swap"),
            Phase::Move | Phase::Place | Phase::PlaceOnly => {
                let message = if first + second == 0 {
                    ("expected `f`: there are no stones".to_owned(), phase)
                } else if self.phase == Phase::Place && self.stones.count(self.to_move) == 0 {
                    let name = LETTERS[self.to_move];
                    (format!("{name} has no stone that could have moved"), phase)
                } else if self.passes == PASSES && self.phase != Phase::Move {
                    let message = format!("after {PASSES} passed turns the game is over: expected `m` before it");
                    (message, passes)
                } else {
                    return None;
                };
                return Some(message);
            }
        };
        if (first, second) != stones {
            Some((format!("expected {opening}"), board))
        } else if self.to_move != mover {
            Some((format!("expected `{}` in this phase", LETTERS[mover]), side))
        } else if self.passes > 0 {
            Some(("expected 0: no turn has been passed".to_owned(), passes))
        } else {
            None
        }
    }

    /// The legal action that a text names here.
    pub(super) fn read_action(&self, text: &str) -> Result<Action, TextError> {
        let action = match text {
            "--" => Action::Pass,
            "swap" => Action::Swap,
            "keep" => Action::Keep,
            _ => match self.read_move(text) {
                Some((from, to)) => Action::Move { from, to },
                None => Action::Place(empty_cell(&self.stones, text, FORM)?),
            },
        };
        if self.is_legal(action) {
            return Ok(action);
        }
        Err(TextError::illegal(self.why_illegal(action), text, 0..text.len()))
    }

    /// The two cells of a text that names two.
    fn read_move(&self, text: &str) -> Option<(Cell, Cell)> {
        let (at, _) = text.char_indices().skip(1).find(|(_, next)| !next.is_ascii_digit())?;
        Some((Cell::from_text(&text[..at])?, Cell::from_text(&text[at..])?))
    }

    /// The reason why an action is not legal here.
    fn why_illegal(&self, action: Action) -> String {
        let name = LETTERS[self.to_move];
        let expected = match self.phase {
            Phase::First => "the first stone, like `i5`",
            Phase::Swap => "`swap` or `keep`",
            Phase::Move => "a move, like `m5k3`, or `--`",
            Phase::Place | Phase::PlaceOnly => "a stone, like `i5`, or `--`",
        };
        let Action::Move { from, to } = action else {
            return format!("{name} {}: expected {expected}", self.task());
        };
        if self.phase != Phase::Move {
            return format!("{name} {}: expected {expected}", self.task());
        }
        let steps = from.distance_from_centre();
        let ahead = |direction| std::iter::successors(Some(from), move |cell: &Cell| cell.next(direction));
        let way = from.direction_to(to).map(|direction| ahead(direction).take(steps + 1));
        if self.stones.owner(from) != Some(self.to_move) {
            format!("there is no stone of {name} on {from}")
        } else if steps == 0 {
            format!("a stone on {from}, the middle, cannot move")
        } else if way.clone().and_then(|mut way| way.nth(steps)) != Some(to) {
            let unit = if steps == 1 { "cell" } else { "cells" };
            format!("a stone on {from} moves by {steps} {unit} along a row line, which does not lead to {to}")
        } else if self.stones.owner(to).is_some() {
            format!("{to} is not empty")
        } else {
            let is_enemy = |cell: &Cell| self.stones.owner(*cell) == Some(!self.to_move);
            let met = way.into_iter().flatten().find(is_enemy).unwrap_or(to);
            format!("a stone of {} on {met} is in the way", LETTERS[!self.to_move])
        }
    }
}
