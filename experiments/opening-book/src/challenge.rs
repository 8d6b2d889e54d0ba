//! Replies and threats that challengers found against a move.

use serde::{Deserialize, Serialize};

/// Replies and a threat that challengers found against a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// The answer of each challenger, in their order.
    pub answers: Vec<Answer>,
    /// The threat of the move; `None` if the game is over, or knows no pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threat: Option<Threat>,
}

/// A challenger's answer to a move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The score of the move's player after it, from 0 to 1; `None` if the game ends without a result.
    pub score: Option<f64>,
    /// The reply in exact form; `None` if the game is over.
    pub reply: Option<String>,
    /// The reply in the notation for people.
    pub text: Option<String>,
}

/// The action that the first judge would play next if the opponent passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Threat {
    /// The action in exact form.
    pub action: String,
    /// The action in the notation for people.
    pub text: String,
    /// The score of its player if the opponent passed.
    pub score: f64,
}

impl Challenge {
    /// The number of the challenger whose answer is worst for the move's player, and that score.
    pub fn worst(&self) -> Option<(usize, f64)> {
        let scores = self.answers.iter().enumerate();
        scores
            .filter_map(|(number, answer)| Some((number, answer.score?)))
            .min_by(|one, other| one.1.total_cmp(&other.1))
    }
}
