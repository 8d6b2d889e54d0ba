//! Progress display for a person at a terminal while games are played.

use std::path::Path;
use std::time::{Duration, Instant};

use chase_arena::tournament::{Results, Standings};
use indicatif::{ProgressBar, ProgressStyle};

use super::words;
use crate::cli;

/// Interval between updates of the table: with many players a fit takes a while.
const INTERVAL: Duration = Duration::from_secs(2);
/// Rows of the table while games are played.
const ROWS: usize = 12;

/// A bar with the remaining time, and below it the current table.
pub struct Console {
    bar: ProgressBar,
    last_table: Instant,
}

impl Console {
    pub fn new(silent: bool, results: &Results) -> Self {
        let bar = if silent {
            ProgressBar::hidden()
        } else {
            // Hides itself if standard error is not a terminal.
            ProgressBar::new(results.schedule().games())
        };
        let style = ProgressStyle::with_template("[{bar:30}] {pos}/{len} games, {elapsed} (left: {eta})\n{msg}");
        if let Ok(style) = style {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_position(results.games());
        bar.reset_eta();
        Self {
            bar,
            last_table: Instant::now(),
        }
    }

    /// Tells a person at a terminal where the games go.
    pub fn begin(&self, directory: &Path) {
        if !self.bar.is_hidden() {
            self.bar
                .suspend(|| cli::note(format_args!("the games go to {}", directory.display())));
        }
    }

    pub fn show(&mut self, results: &Results) {
        self.bar.set_position(results.games());
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
