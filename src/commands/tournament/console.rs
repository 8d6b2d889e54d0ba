//! Progress while games are played: for a person at a terminal, or in a log.

use std::time::{Duration, Instant};

use chase_arena::tournament::{Standings, TournamentResults};

use super::words;
use crate::output::Output;

/// Interval between updates of the table: with many players a fit takes a while.
const INTERVAL: Duration = Duration::from_secs(2);
/// Rows of the table while games are played.
const ROWS: usize = 12;

/// Before the first result no time left can be estimated.
pub const BEGINNING: &str = "[{bar:30}] {pos}/{len} games, {elapsed}\n{msg}";
const PLAYING: &str = "[{bar:30}] {pos}/{len} games, {elapsed} (left: {eta})\n{msg}";

/// A bar with the remaining time, and below it the current table; in a log a line now and then.
pub struct Console<'a> {
    output: &'a Output,
    /// Games that there were when it was made; `None` once there are more.
    before: Option<u64>,
    last_table: Instant,
}

impl<'a> Console<'a> {
    pub fn new(output: &'a Output, results: &TournamentResults) -> Self {
        output.bar.set_position(results.games());
        output.bar.reset_eta();
        // The first games may take long.
        output.tick();
        Self {
            output,
            before: Some(results.games()),
            last_table: Instant::now(),
        }
    }

    pub fn show(&mut self, results: &TournamentResults) {
        let bar = &self.output.bar;
        bar.set_position(results.games());
        if self.before.take_if(|before| results.games() > *before).is_some() {
            self.output.draw_by(PLAYING);
        }
        if self.output.is_due() {
            self.output.say(words::progress(results));
        }
        if bar.is_hidden() || self.last_table.elapsed() < INTERVAL {
            return;
        }
        self.last_table = Instant::now();
        let standings = Standings::new(results, 0);
        let mut table = words::ratings(&standings);
        table.extend(standings.sprt.as_ref().map(words::sprt));
        table.truncate(ROWS + 1);
        bar.set_message(table.join("\n"));
    }
}
