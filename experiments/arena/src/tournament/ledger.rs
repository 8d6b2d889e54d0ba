//! Takes the games of finished units: counts them, and writes them down.

use std::ops::ControlFlow;

use super::directory::Directory;
use super::results::TournamentResults;
use super::schedule::PairUnit;
use crate::matches::PairResult;

/// The games of a tournament on their way to its directory.
pub(super) struct Ledger<'a> {
    pub directory: &'a mut Directory,
    pub results: &'a mut TournamentResults,
    /// Number of stored units.
    pub units: &'a mut usize,
    /// Called whenever there are new games.
    pub on_games: &'a mut (dyn FnMut(&TournamentResults) + Send),
}

impl Ledger<'_> {
    /// Takes the games of the next unit of the schedule. Breaks if nothing is left to play.
    pub fn take(&mut self, unit: &PairUnit, mut pairs: Vec<PairResult>) -> anyhow::Result<ControlFlow<()>> {
        let counted = self.results.take(unit, &pairs);
        pairs.truncate(counted);
        self.directory.append(self.results.players_of(unit.pairing), &pairs)?;
        *self.units += 1;
        (self.on_games)(self.results);
        Ok(if self.results.is_complete() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    }
}
