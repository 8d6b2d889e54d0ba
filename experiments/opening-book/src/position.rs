//! A judged position.

use serde::{Deserialize, Serialize};

use crate::challenge::Challenge;
use crate::score_range::Range;

/// A position of a book.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookPosition {
    /// Plies from the first position.
    pub ply: u32,
    /// Actions that lead to it, in exact form; other lines may lead there too.
    pub line: Vec<String>,
    /// The position, in the text form of its game.
    pub position: String,
    /// The player to move.
    pub player: String,
    /// The legal actions, best first: by backed-up score, then by the judges, then by the scout.
    pub moves: Vec<BookMove>,
    /// Expected score of the player to move after the best action, backed up by minimax from the ends of the lines;
    /// `None` before it is computed, and where no judge has a score.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backed: Option<Range>,
}

/// A legal action of a judged position. Scores are those of its player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookMove {
    /// The action in exact form.
    pub action: String,
    /// The action in the notation for people.
    pub text: String,
    /// The scout's score; `None` if the game ends there without a result.
    pub scout: Option<f64>,
    /// The score of each judge; empty for an action that is not a candidate.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<f64>,
    /// True if the position that it leads to is judged too, unless it is at the end of the longest line or the game is
    /// over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub followed: bool,
    /// Number of the position that it leads to, in the list of the book; `None` if that is not in the book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<usize>,
    /// Its score, backed up by minimax from the ends of the lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backed: Option<Range>,
    /// The challengers' reply to it; `None` for an action that was not challenged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<Challenge>,
    /// The score that is left if its player continues with the best moves of the book, and the opponent with the best
    /// replies found: followed moves of the book, and those of the challengers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<f64>,
}

impl BookMove {
    /// The range of the judges' scores; `None` if they were not asked.
    pub fn judged(&self) -> Option<Range> {
        Range::of(&self.judges)
    }

    /// Scores of single players.
    pub(crate) fn scores(&self) -> impl Iterator<Item = f64> {
        let challenge = self.challenge.iter();
        let threat = challenge
            .clone()
            .filter_map(|challenge| Some(challenge.threat.as_ref()?.score));
        let answers = challenge.flat_map(|challenge| challenge.answers.iter().filter_map(|answer| answer.score));
        self.scout.into_iter().chain(self.held).chain(answers).chain(threat)
    }

    /// The score by which moves are compared.
    pub(crate) fn worth(&self) -> [f64; 3] {
        let judged = self.judged().map_or(f64::NEG_INFINITY, |range| range.mean);
        let backed = self.backed.map_or(f64::NEG_INFINITY, |range| range.mean);
        [backed, judged, self.scout.unwrap_or(f64::NEG_INFINITY)]
    }
}

impl BookPosition {
    /// The score that the second best move keeps against the challengers minus that of the best one: above 0 if they broke
    /// the best move.
    pub fn broken_by(&self) -> Option<f64> {
        let [best, second] = self.best_two();
        Some(second?.held? - best?.held?)
    }

    /// The best move, and the best one that leads to another position of the book.
    pub(crate) fn best_two(&self) -> [Option<&BookMove>; 2] {
        let Some((best, others)) = self.moves.split_first() else {
            return [None; 2];
        };
        let second = others.iter().find(|step| step.to.is_none() || step.to != best.to);
        [Some(best), second]
    }

    /// Sorts the moves, best first; equals stay in the order of legal actions.
    pub(crate) fn sort(&mut self) {
        self.moves.sort_by(|one, other| {
            let pairs = other.worth().into_iter().zip(one.worth());
            pairs
                .map(|(other, one)| other.total_cmp(&one))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        });
    }
}
