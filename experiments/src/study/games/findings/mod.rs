//! What the games say of each claim.

mod advantage;
mod aggression;
mod first_moves;
mod replies;

use super::analysis::{Analysis, Answer};

impl Analysis<'_> {
    /// All tests.
    pub fn answers(&self) -> Vec<Answer> {
        let mut answers = Vec::new();
        for player in self.design.main_players() {
            answers.extend(self.advantage(player));
            answers.extend(self.classes(player));
            answers.extend(self.several_first_moves(player));
            answers.extend(self.aggression(player));
            answers.extend(self.replies(player));
            answers.extend(self.draws(player));
        }
        answers.extend(self.curve());
        answers
    }
}
