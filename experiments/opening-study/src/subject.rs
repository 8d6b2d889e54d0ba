//! The moves that a finding concerns.

use chase_engine::chase::{Action, Position};
use serde::{Deserialize, Serialize};

use super::OpeningClass;

/// The moves that a finding concerns, where these are not all moves of its claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// The first moves of a class.
    Class(OpeningClass),
    /// Some moves, each given by the line that ends with it.
    Lines(Vec<Line>),
}

/// Actions from the initial position; the line stands for the last one. Stored in exact form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<String>", try_from = "Vec<String>")]
pub struct Line(Vec<Action>);

impl Subject {
    /// One move, given by the line that ends with it.
    pub fn line(actions: &[Action]) -> Self {
        Self::Lines(vec![Line::new(actions)])
    }
}

impl Line {
    /// The line of some actions, each legal after those before it.
    pub fn new(actions: &[Action]) -> Self {
        Self(actions.to_vec())
    }

    /// The positions after each of the actions. Lines with equal positions are the same moves.
    pub fn positions(&self) -> Vec<Position> {
        let mut position = Position::initial();
        let after = |&action: &Action| {
            position.play_unchecked(action);
            position
        };
        self.0.iter().map(after).collect()
    }
}

impl From<Line> for Vec<String> {
    fn from(line: Line) -> Self {
        line.0.iter().map(Action::to_string).collect()
    }
}

impl TryFrom<Vec<String>> for Line {
    type Error = String;

    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        let mut position = Position::initial();
        let mut actions = Vec::with_capacity(texts.len());
        for text in texts {
            let wrong = |error: &dyn std::fmt::Display| format!("action `{text}` in {position}: {error}");
            let action: Action = text.parse().map_err(|error| wrong(&error))?;
            position = position.play(action).map_err(|error| wrong(&error))?;
            actions.push(action);
        }
        Ok(Self(actions))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn subjects_are_stored_as_classes_and_lines_in_exact_form() {
        let actions = ["A3NW", "I1W"].map(|text| text.parse().unwrap());
        for (subject, text) in [
            (Subject::Class(OpeningClass::Duck), r#"{"class":"duck-3"}"#),
            (Subject::line(&actions), r#"{"lines":[["A3NW","I1W"]]}"#),
        ] {
            assert_eq!(serde_json::to_string(&subject).unwrap(), text);
            assert_eq!(serde_json::from_str::<Subject>(text).unwrap(), subject);
        }
    }

    #[test]
    fn lines_that_cannot_be_played_are_refused() {
        for (text, reason) in [
            (r#"{"lines":[["A3NW","A3NW"]]}"#, "action `A3NW` in "),
            (r#"{"lines":[["nonsense"]]}"#, "action `nonsense` in "),
            (r#"{"class":"ninth"}"#, "unknown variant `ninth`"),
        ] {
            let told = serde_json::from_str::<Subject>(text).unwrap_err().to_string();
            assert!(told.contains(reason), "{told}");
        }
    }
}
