//! Writing the article form.

use crate::chase::{Action, Cell, IllegalAction, Position};

impl Position {
    /// An action of this position in article form, without the bracket that lists who absorbs what it captures; see
    /// [`Position::turn_text`] for that.
    ///
    /// An action that is not legal here is written in exact form, as is the absorption of points by a chosen die.
    pub fn article_text(&self, action: Action) -> String {
        match action {
            Action::Move { .. } if self.is_legal(action) && !self.is_ambiguous(action) => join(&self.parts(action)),
            _ => action.to_string(),
        }
    }

    /// A whole turn in article form: an action, and behind it in brackets the dice of the opponent that absorb what it
    /// captured: the forced ones, and those that the opponent chooses, as far as the choices are given.
    ///
    /// Where `action` is itself the choice of a die that absorbs, it is written alone, `=C9`.
    ///
    /// # Errors
    /// If the action is not legal, or a choice after it; behind a choice the opponent has none.
    pub fn turn_text(&self, action: Action, choices: &[Cell]) -> Result<String, IllegalAction> {
        let mut text = self.article_text(action);
        let mut position = self.play(action)?;
        if let Action::Absorb { .. } = action {
            let player = !self.to_move();
            return if choices.is_empty() {
                Ok(text)
            } else {
                Err(IllegalAction::NothingToAbsorb { player })
            };
        }
        let mut absorbed = self.absorbed(&position, None);
        for &cell in choices {
            let next = position.play(Action::Absorb { cell })?;
            absorbed.extend(position.absorbed(&next, Some(cell)));
            position = next;
        }
        if !absorbed.is_empty() {
            text += &format!("({})", join(&absorbed));
        }
        Ok(text)
    }

    /// True if another direction brings the die of a legal move to the same cell with another result.
    pub(super) fn is_ambiguous(&self, action: Action) -> bool {
        let Action::Move { from, direction } = action else {
            return false;
        };
        let result = self.play(action);
        self.moves_to(from, self.target(from, direction))
            .filter(|&other| other != action && self.is_legal(other))
            .any(|other| self.play(other) != result)
    }
}

fn join<T: ToString>(parts: &[T]) -> String {
    let texts: Vec<_> = parts.iter().map(ToString::to_string).collect();
    texts.join("/")
}
