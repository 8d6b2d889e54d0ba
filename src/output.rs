//! Output of a command that works for long: a progress bar, lines of text, or events as JSON.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::cli;

/// Time between two lines of progress where there is no terminal for a bar, as in a log.
const LINE_EVERY: Duration = Duration::from_secs(30);
/// Time between two drawings of a bar whose work takes long.
const TICK: Duration = Duration::from_millis(200);

/// Events as JSON on standard output, one object per line, or a bar and lines of text on standard error.
pub struct Output {
    pub json: bool,
    quiet: bool,
    /// Hidden if the output is JSON or quiet, or if standard error is not a terminal.
    pub bar: ProgressBar,
    /// When the last line of progress was printed; the first one is due after its time, too.
    last_line: Mutex<Instant>,
}

impl Output {
    /// With a bar of `length` steps, drawn by a template of `indicatif`.
    pub fn new(json: bool, quiet: bool, length: u64, template: &str) -> Self {
        let bar = match json || quiet {
            true => ProgressBar::hidden(),
            false => ProgressBar::new(length),
        };
        let output = Self {
            json,
            quiet,
            bar,
            last_line: Mutex::new(Instant::now()),
        };
        output.draw_by(template);
        output
    }

    /// Draws the bar by another template from now on.
    pub fn draw_by(&self, template: &str) {
        let style = ProgressStyle::with_template(template).expect("templates are those of this program");
        self.bar.set_style(style.progress_chars("=> "));
    }

    /// Has the bar move while nothing is finished.
    pub fn tick(&self) {
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(TICK);
        }
    }

    /// Prints an object.
    pub fn tell(&self, event: &Value) {
        if self.json {
            // The work continues if the reader is gone.
            let _ = cli::print(event);
        }
    }

    /// Prints a line of text above the bar.
    pub fn say(&self, line: impl Display) {
        if !self.json && !self.quiet {
            self.bar.suspend(|| cli::note(line));
        }
    }

    /// Prints a line of text that a bar would show otherwise.
    pub fn log(&self, line: impl Display) {
        if self.bar.is_hidden() {
            self.say(line);
        }
    }

    /// True, now and then, where there is no bar: then a line of progress is due.
    pub fn is_due(&self) -> bool {
        let mut last = self.last_line.lock().unwrap_or_else(PoisonError::into_inner);
        let due = self.bar.is_hidden() && last.elapsed() >= LINE_EVERY;
        if due {
            *last = Instant::now();
        }
        due
    }

    /// Prints a warning, even if the command is quiet.
    pub fn warn(&self, text: &str) {
        self.tell(&json!({"event": "warning", "text": text}));
        if !self.json {
            self.bar.suspend(|| cli::note(format_args!("warning: {text}")));
        }
    }
}
