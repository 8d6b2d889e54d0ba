//! Progress bars of commands.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// When the next line of progress is due where there is no terminal for a bar, as in a log.
#[derive(Debug)]
pub struct Pace(Instant);

impl Pace {
    /// Time between two lines.
    pub const LINE_EVERY: Duration = Duration::from_secs(30);

    /// The first line is due after this time.
    pub fn new() -> Self {
        Self(Instant::now())
    }

    /// True once in this time.
    pub fn is_due(&mut self) -> bool {
        let due = self.0.elapsed() >= Self::LINE_EVERY;
        if due {
            self.0 = Instant::now();
        }
        due
    }
}

/// A bar of `length` steps, drawn by a template of `indicatif`. It is hidden if `silent`, or if standard error is not a
/// terminal.
pub fn progress_bar(silent: bool, length: u64, template: &str) -> ProgressBar {
    let bar = if silent {
        ProgressBar::hidden()
    } else {
        ProgressBar::new(length)
    };
    set_style(&bar, template);
    bar
}

/// Draws the bar by another template from now on.
pub fn set_style(bar: &ProgressBar, template: &str) {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style.progress_chars("=> "));
    }
}
