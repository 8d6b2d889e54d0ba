//! Writing records.

use std::fmt;

use super::{Ply, Record, result_text};
use crate::Player;
use crate::chase::{Action, Cell, Position};

/// Columns of a line of turns and comments, where no single word is longer.
const COLUMNS: usize = 80;

/// The record, ending with the end of its last line. A blank line goes between two of them.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.tags() {
            writeln!(f, "[{name} \"{}\"]", escaped(value, '"'))?;
        }
        let result = result_text(self.termination.outcome());
        writeln!(f, "[Result \"{result}\"]")?;
        writeln!(f, "[Termination \"{}\"]", escaped(&self.termination.to_string(), '"'))?;
        writeln!(f, "[Rules \"{}\"]", self.rules)?;
        if self.start != Position::initial() {
            writeln!(f, "[Position \"{}\"]", self.start)?;
        }
        writeln!(f)?;
        let mut lines = Lines { f, column: 0 };
        self.write_turns(&mut lines)?;
        lines.word(result)?;
        writeln!(f)
    }
}

impl Record {
    fn write_turns(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut position = self.start;
        let mut numbered = None;
        let mut plies = &self.plies[..];
        while let [ply, rest @ ..] = plies {
            // A comment on the capture, or on a choice, comes before the choices that follow it.
            let choices = if ply.comment.is_empty() {
                choices_in_bracket(ply.action, rest)
            } else {
                Vec::new()
            };
            let text = position.turn_text(ply.action, &choices).map_err(|_| fmt::Error)?;
            let turn = position.turn();
            match position.to_move() {
                Player::White if numbered != Some(turn) => lines.word(&format!("{turn}. {text}"))?,
                Player::Black if numbered.is_none() => lines.word(&format!("{turn}... {text}"))?,
                _ => lines.word(&text)?,
            }
            numbered = Some(turn);
            let (written, later) = plies.split_at(1 + choices.len());
            written.iter().for_each(|ply| position.play_unchecked(ply.action));
            if let Some(Ply { comment, .. }) = written.last().filter(|ply| !ply.comment.is_empty()) {
                let comment = format!("{{{}}}", escaped(comment, '}'));
                comment.split(' ').try_for_each(|word| lines.word(word))?;
            }
            plies = later;
        }
        Ok(())
    }
}

/// The choices that stand in the bracket behind an action: those that follow it, to the first with a comment.
fn choices_in_bracket(action: Action, rest: &[Ply]) -> Vec<Cell> {
    let mut choices = Vec::new();
    if let Action::Absorb { .. } = action {
        return choices;
    }
    for ply in rest {
        let Action::Absorb { cell } = ply.action else {
            break;
        };
        choices.push(cell);
        if !ply.comment.is_empty() {
            break;
        }
    }
    choices
}

/// Words on lines that are not too long.
struct Lines<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    column: usize,
}

impl Lines<'_, '_> {
    fn word(&mut self, word: &str) -> fmt::Result {
        let width = word.chars().count();
        if self.column > 0 && self.column + 1 + width > COLUMNS {
            self.f.write_str("\n")?;
            self.column = 0;
        } else if self.column > 0 {
            self.f.write_str(" ")?;
            self.column += 1;
        }
        self.column += width;
        self.f.write_str(word)
    }
}

/// The text with a backslash before every backslash and every `end`.
fn escaped(text: &str, end: char) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if character == '\\' || character == end {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
