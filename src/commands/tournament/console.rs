//! Progress while games are played: for a person at a terminal, or in a log.

use std::path::Path;
use std::time::{Duration, Instant};

use chase_arena::tournament::{Standings, TournamentResults};
use indicatif::ProgressBar;

use super::words;
use crate::cli;
use crate::progress_bar::{Pace, progress_bar, set_style};

/// Interval between updates of the table: with many players a fit takes a while.
const INTERVAL: Duration = Duration::from_secs(2);
/// Rows of the table while games are played.
const ROWS: usize = 12;

const TICK: Duration = Duration::from_millis(200);
/// Before the first result no time left can be estimated.
const BEGINNING: &str = "[{bar:30}] {pos}/{len} games, {elapsed}\n{msg}";
const PLAYING: &str = "[{bar:30}] {pos}/{len} games, {elapsed} (left: {eta})\n{msg}";

/// A bar with the remaining time, and below it the current table.
pub struct Console {
    bar: ProgressBar,
    /// Games that there were when it was made; `None` once there are more.
    before: Option<u64>,
    last_table: Instant,
    /// Where there is no bar, and lines are wanted.
    lines: Option<Pace>,
}

impl Console {
    pub fn new(silent: bool, results: &TournamentResults) -> Self {
        let bar = progress_bar(silent, results.schedule().games(), BEGINNING);
        bar.set_position(results.games());
        bar.reset_eta();
        if !bar.is_hidden() {
            // The first games may take long.
            bar.enable_steady_tick(TICK);
        }
        Self {
            lines: (!silent && bar.is_hidden()).then(Pace::new),
            bar,
            before: Some(results.games()),
            last_table: Instant::now(),
        }
    }

    /// Prints the directory of the games.
    pub fn begin(&self, directory: &Path) {
        if self.lines.is_some() || !self.bar.is_hidden() {
            self.bar
                .suspend(|| cli::note(format_args!("the games go to {}", directory.display())));
        }
    }

    pub fn show(&mut self, results: &TournamentResults) {
        self.bar.set_position(results.games());
        if self.before.take_if(|before| results.games() > *before).is_some() {
            set_style(&self.bar, PLAYING);
        }
        if self.lines.as_mut().is_some_and(Pace::is_due) {
            cli::note(words::progress(results));
        }
        if self.bar.is_hidden() || self.last_table.elapsed() < INTERVAL {
            return;
        }
        self.last_table = Instant::now();
        let standings = Standings::new(results, 0);
        let mut table = words::ratings(&standings);
        if let Some(sprt) = &standings.sprt {
            table.push(words::sprt(sprt));
        }
        table.truncate(ROWS + 1);
        self.bar.set_message(table.join("\n"));
    }

    /// Prints warnings above the bar.
    pub fn warnings(&self) -> impl Fn(&str) + use<> {
        let bar = self.bar.clone();
        move |text| bar.suspend(|| cli::note(format_args!("warning: {text}")))
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
