//! Writing records.

use std::fmt;

use super::{Record, Turn, UNTERMINATED, result_text};
use crate::{Game, Player};

/// Columns of a line of turns and comments, where no single word is longer.
const COLUMNS: usize = 80;

/// The record, ending with the end of its last line. A blank line goes between two of them.
impl<G: Game> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| writeln!(f, "[{name} \"{}\"]", escaped(value, '"'));
        if G::NAMED_IN_RECORDS {
            tag("Game", G::name(&self.rules))?;
        }
        for (name, value) in self.tags() {
            tag(name, value)?;
        }
        let (outcome, termination) = self.end().unzip();
        tag("Result", result_text(outcome))?;
        tag("Termination", termination.unwrap_or(UNTERMINATED))?;
        let rules = G::rules_text(&self.rules);
        if !rules.is_empty() {
            tag("Rules", &rules)?;
        }
        let start = self.start.position_text();
        if start != G::new(&self.rules).position_text() {
            tag("Position", &start)?;
        }
        writeln!(f)?;
        let mut lines = Lines { f, column: 0 };
        self.write_turns(&mut lines)?;
        lines.word(result_text(outcome))?;
        writeln!(f)
    }
}

impl<G: Game> Record<G> {
    fn write_turns(&self, lines: &mut Lines<'_, '_>) -> fmt::Result {
        let mut game = self.start.clone();
        let mut turn = Turn::first(&game);
        let mut numbered = None;
        let mut ply = 0;
        while ply < self.actions.len() {
            // Choices stand in the word of the move before them, up to the first comment.
            let mut comments = self.comments.range(ply + 1..);
            let last = comments.next().map_or(self.actions.len(), |(&plies, _)| plies);
            let (text, told) = game.people_turn(&self.actions[ply..last]);
            match turn.player {
                Player::White if numbered != Some(turn.number) => lines.word(&format!("{turn} {text}"))?,
                Player::Black if numbered.is_none() => lines.word(&format!("{turn} {text}"))?,
                _ => lines.word(&text)?,
            }
            numbered = Some(turn.number);
            for &action in &self.actions[ply..ply + told] {
                game.apply(action);
                turn.advance(game.to_move());
            }
            ply += told;
            let comment = self.comment_at(ply);
            if !comment.is_empty() {
                let comment = format!("{{{}}}", escaped(comment, '}'));
                comment.split(' ').try_for_each(|word| lines.word(word))?;
            }
        }
        Ok(())
    }
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
