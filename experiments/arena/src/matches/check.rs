//! Check that a stored game can be one of a match.

use chase_engine::Game;

use super::openings::start_of_pair;
use super::runner::Match;
use crate::games::{GameResult, PLY_LIMIT};

impl<G: Game> Match<G> {
    /// Checks that a game begins as its pair does, agrees with its moves, and ends as the conditions say.
    ///
    /// # Errors
    /// The fault.
    pub(crate) fn check(&self, pair: u32, game: &GameResult) -> Result<(), String> {
        let start: G = start_of_pair(&self.rules, self.seed, pair);
        let start = G::begins_at_random(&self.rules).then(|| start.position_text());
        if game.start != start {
            let [found, expected] = [&game.start, &start].map(|start| start.as_deref().unwrap_or("the first position"));
            return Err(format!("recorded to begin at `{found}`, expected `{expected}`"));
        }
        game.check::<G>(&self.rules).map_err(|fault| fault.to_string())?;
        let opening = self.openings.plies(pair);
        if game.opening_plies != opening {
            let found = game.opening_plies;
            return Err(format!("recorded with an opening of {found} plies, expected {opening}"));
        }
        if game.reason == PLY_LIMIT && game.plies < self.max_plies {
            let (plies, limit) = (game.plies, self.max_plies);
            return Err(format!(
                "recorded as stopped after {plies} plies, expected the limit of {limit}"
            ));
        }
        Ok(())
    }
}
