//! The exact form of actions, for programs: `A3NW`, `1A6A7`, `=C9`.

use std::fmt;
use std::str::FromStr;

use crate::TextError;
use crate::chase::{Action, Cell, Direction, geometry};

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Move { from, direction } => write!(f, "{from}{direction}"),
            Self::Exchange {
                from,
                direction,
                points,
            } => {
                let (to, _) = geometry::step(from, direction);
                write!(f, "{points}{from}{to}")
            }
            Self::Absorb { cell } => write!(f, "={cell}"),
        }
    }
}

/// Reads the exact form. The action need not be legal anywhere.
impl FromStr for Action {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        match text.as_bytes().first() {
            Some(b'=') => Ok(Self::Absorb {
                cell: read_cell(text, 1, text.len())?,
            }),
            Some(digit @ b'1'..=b'9') => {
                let from = read_cell(text, 1, 3)?;
                let to = read_cell(text, 3, text.len())?;
                let points = digit - b'0';
                if points > 5 {
                    return Err(TextError::expected("1 to 5 points", text, 0..1));
                }
                Self::exchange(from, to, points)
                    .ok_or_else(|| TextError::expected(format!("a neighbour of {from}"), text, 3..text.len()))
            }
            Some(b'A'..=b'I') => {
                let from = read_cell(text, 0, 2)?;
                match text[2..].parse::<Direction>() {
                    Ok(direction) => Ok(Self::Move { from, direction }),
                    Err(error) => Err(TextError::expected(message(&error), text, 2..text.len())),
                }
            }
            _ => {
                let what = "an action: a move like A3NW, an exchange like 1A6A7, or an absorption like =C9";
                Err(TextError::expected(what, text, 0..text.len()))
            }
        }
    }
}

/// Reads the cell at `start..end`, where `end` may lie beyond the text or within a character.
pub(super) fn read_cell(text: &str, start: usize, end: usize) -> Result<Cell, TextError> {
    let cell = text.get(start..end).and_then(|word| word.parse().ok());
    cell.ok_or_else(|| {
        let start = (0..=start.min(text.len())).rev().find(|&at| text.is_char_boundary(at));
        let start = start.expect("a text begins at the boundary of a character");
        let mut ends = end.min(text.len()).max(start)..=text.len();
        let end = ends.find(|&at| text.is_char_boundary(at));
        let end = end.expect("a text ends at the boundary of a character");
        TextError::expected("a cell from A1 to I9", text, start..end)
    })
}

/// The message of an error that begins with "expected", without that word.
fn message(error: &impl fmt::Display) -> String {
    let text = error.to_string();
    text.strip_prefix("expected ").map_or(text.clone(), str::to_owned)
}
