//! Reading the article form: what the text begins with names the action, and the rest must be what the writer writes.

use std::collections::VecDeque;
use std::fmt::Display;
use std::ops::Range;

use super::{Absorbed, Part};
use crate::TextError;
use crate::chase::notation::exact;
use crate::chase::{Action, Cell, IllegalAction, Position, geometry};

impl Position {
    /// Reads one turn in article form: the action, and the opponent's choices of dice that absorb, from the bracket.
    ///
    /// Reads what [`Position::article_text`] and [`Position::turn_text`] write for a legal action, and for every move
    /// also its exact form. The bracket may be missing. Where it is there, forced absorptions must be in it, and it may
    /// end before a choice; choices that are missing can follow as turns of their own, `=C9`.
    ///
    /// Where several directions have one result, the action is in the first of them.
    ///
    /// # Errors
    /// With the first place at which the text is not what would be written, and what would be.
    pub fn parse_article(&self, text: &str) -> Result<Vec<Action>, TextError> {
        let reader = Reader { position: self, text };
        let head = 0..reader.find(0, &['/', '(']);
        let (action, parts) = reader.head(head.clone())?;
        let mut at = head.end;
        if let Some(&part) = parts.first() {
            reader.part(part, head, format!("`{part}`"))?;
            at = reader.later_parts(&parts, at)?;
        }
        let mut actions = vec![action];
        match text.as_bytes().get(at) {
            None => {}
            Some(b'(') => actions.extend(reader.bracket(at, action)?),
            Some(_) => return Err(reader.expected("the end of the action", at..reader.find(at, &['(']))),
        }
        Ok(actions)
    }
}

struct Reader<'a> {
    position: &'a Position,
    text: &'a str,
}

impl Reader<'_> {
    fn expected(&self, what: impl Display, span: Range<usize>) -> TextError {
        TextError::expected(what, self.text, span)
    }

    /// The same error in the whole text, of which its input is the beginning.
    fn whole(&self, error: TextError) -> TextError {
        TextError::new(error.message, self.text, error.span)
    }

    fn illegal(&self, reason: IllegalAction, span: Range<usize>) -> TextError {
        TextError::illegal(reason, self.text, span)
    }

    /// The place of the next of some characters at or behind a place, or of the end.
    fn find(&self, at: usize, characters: &[char]) -> usize {
        self.text[at..]
            .find(characters)
            .map_or(self.text.len(), |length| at + length)
    }

    /// The action that the text begins with, and the parts that must be written for it: none for an exact form.
    fn head(&self, head: Range<usize>) -> Result<(Action, Vec<Part>), TextError> {
        let word = &self.text[head.clone()];
        match word.as_bytes() {
            [b'=' | b'1'..=b'9', ..] => Ok((self.exact(word)?, Vec::new())),
            [b'A'..=b'I', ..] => {
                let from = exact::read_cell(word, 0, 2).map_err(|error| self.whole(error))?;
                if let "E" | "NE" | "NW" | "W" | "SW" | "SE" = &word[2..] {
                    return Ok((self.exact(word)?, Vec::new()));
                }
                let start = if word[2..].starts_with(':') { 3 } else { 2 };
                match word[start..].parse() {
                    Ok(to) => self.step(from, to, start..head.end),
                    Err(_) => {
                        let what = format!("the cell to which the die on {from} goes");
                        Err(self.expected(what, start..head.end))
                    }
                }
            }
            _ => {
                let what = "an action: a move like A3D5, an exchange like 1A6A7, or an absorption like =C9";
                Err(self.expected(what, head))
            }
        }
    }

    /// A legal action in exact form, which the text begins with.
    fn exact(&self, word: &str) -> Result<Action, TextError> {
        let action = word.parse::<Action>().map_err(|error| self.whole(error))?;
        match self.position.why_illegal(action) {
            Some(reason) => Err(self.illegal(reason, 0..word.len())),
            None => Ok(action),
        }
    }

    /// The legal move from one cell to another, and its parts; `target` is the place of the latter cell.
    fn step(&self, from: Cell, to: Cell, target: Range<usize>) -> Result<(Action, Vec<Part>), TextError> {
        use IllegalAction::{EnemyDie, GameOver, MustAbsorb, NoDie};
        let position = self.position;
        // These reasons lie in the die and hold in every direction; the others are about the way to the cell.
        let direction = geometry::directions(from)[0];
        if let Some(reason @ (GameOver { .. } | MustAbsorb { .. } | NoDie { .. } | EnemyDie { .. })) =
            position.why_illegal(Action::Move { from, direction })
        {
            return Err(self.illegal(reason, 0..target.end));
        }
        let moves: Vec<Action> = position.moves_to(from, to).collect();
        let legal: Vec<Action> = moves
            .iter()
            .copied()
            .filter(|&action| position.is_legal(action))
            .collect();
        if let Some(&action) = legal.first() {
            if position.is_ambiguous(action) {
                let candidates: Vec<String> = legal.iter().map(ToString::to_string).collect();
                let message = format!("ambiguous: write {}", candidates.join(" or "));
                return Err(TextError::new(message, self.text, 0..target.end));
            }
            return Ok((action, position.parts(action)));
        }
        if let Some(reason) = moves.first().and_then(|&action| position.why_illegal(action)) {
            return Err(self.illegal(reason, 0..target.end));
        }
        let mut goals = Vec::new();
        for &direction in geometry::directions(from) {
            let goal = position.target(from, direction).to_string();
            if position.is_legal(Action::Move { from, direction }) && !goals.contains(&goal) {
                goals.push(goal);
            }
        }
        Err(if goals.is_empty() {
            self.expected(format!("another die: the one on {from} cannot move"), 0..target.end)
        } else {
            self.expected(
                format!("a cell to which the die on {from} can go: {}", goals.join(", ")),
                target,
            )
        })
    }

    /// Reads every part behind the first; returns where they end.
    fn later_parts(&self, parts: &[Part], mut at: usize) -> Result<usize, TextError> {
        let mut exits = ["left", "right"].into_iter();
        for &part in parts.iter().skip(1) {
            let what = match part {
                Part::Step { from, .. } => format!("`{part}`, the step of the die bumped from {from}"),
                Part::Exit { .. } => {
                    let side = exits.next().expect("a die leaves the Chamber by two exits at most");
                    format!("`{part}`, the {side} exit of the Chamber")
                }
            };
            if !self.text[at..].starts_with('/') {
                return Err(self.expected(format!("`/` and {what}"), at..at));
            }
            let end = self.find(at + 1, &['/', '(']);
            self.part(part, at + 1..end, what)?;
            at = end;
        }
        Ok(at)
    }

    /// Reads one part, which must be as it is written; `what` is that in words.
    fn part(&self, part: Part, place: Range<usize>, what: String) -> Result<(), TextError> {
        let found = &self.text[place.clone()];
        if found == part.to_string() {
            return Ok(());
        }
        let (colon, to, captures) = match part {
            Part::Step { to, captures, .. } => (place.start + 2, to, captures),
            Part::Exit { cell, captures, .. } => (place.start, cell, captures),
        };
        Err(if found != part.with_captures(!captures).to_string() {
            self.expected(what, place)
        } else if captures {
            self.expected(format!("`:` before {to}, where a die is captured"), colon..colon)
        } else {
            self.expected(
                format!("no `:` before {to}, where no die is captured"),
                colon..colon + 1,
            )
        })
    }

    /// Reads the bracket at `at` behind an action, to the end of the text; returns the choices in it.
    fn bracket(&self, mut at: usize, action: Action) -> Result<Vec<Action>, TextError> {
        let mut position = *self.position;
        position.play_unchecked(action);
        let mut due: VecDeque<Absorbed> = match action {
            Action::Absorb { .. } => return Err(self.expected("the end of the action", at..self.text.len())),
            _ => self.position.absorbed(&position, None).into(),
        };
        if due.is_empty() && position.absorbers().is_empty() {
            let what = "the end of the turn: nothing is to be absorbed";
            return Err(self.expected(what, at..self.text.len()));
        }
        let mut choices = Vec::new();
        loop {
            // `at` is the place of the bracket or slash that the entry follows.
            let place = at + 1..self.find(at + 1, &['/', ')']);
            if due.is_empty() && !position.absorbers().is_empty() {
                let cell = exact::read_cell(self.text, place.start, place.end.min(place.start + 2))?;
                let choice = Action::Absorb { cell };
                let next = position.play(choice);
                let next = next.map_err(|reason| self.illegal(reason, place.start..place.start + 2))?;
                due = position.absorbed(&next, Some(cell)).into();
                position = next;
                choices.push(choice);
            }
            match due.pop_front() {
                Some(absorbed) if absorbed.to_string() == self.text[place.clone()] => at = place.end,
                Some(absorbed) => return Err(self.expected(next_to_absorb(absorbed), place)),
                None => return Err(self.expected("`)`: no more is to be absorbed", at..place.end)),
            }
            if self.text[at..].starts_with('/') {
                continue;
            }
            return match due.front() {
                Some(&absorbed) => Err(self.expected(format!("`/` and {}", next_to_absorb(absorbed)), at..at)),
                None if at == self.text.len() => Err(self.expected("`)`", at..at)),
                None if at + 1 < self.text.len() => Err(self.expected("the end of the turn", at + 1..self.text.len())),
                None => Ok(choices),
            };
        }
    }
}

fn next_to_absorb(absorbed: Absorbed) -> String {
    format!("`{absorbed}`, the next die to absorb and its new speed")
}
