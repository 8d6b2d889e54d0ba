//! Output of a command that works for long.

use std::fmt::Display;

use indicatif::ProgressBar;
use serde_json::{Value, json};

use crate::cli;
use crate::progress_bar::progress_bar;

/// Events as JSON on standard output, one object per line, or a bar and lines of text on standard error.
pub struct Output {
    pub json: bool,
    quiet: bool,
    pub bar: ProgressBar,
}

impl Output {
    /// With a bar of `length` steps, drawn by a template of `indicatif`.
    pub fn new(json: bool, quiet: bool, length: u64, template: &str) -> Self {
        let bar = progress_bar(json || quiet, length, template);
        Self { json, quiet, bar }
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

    /// Prints a warning, even if the command is quiet.
    pub fn warn(&self, text: &str) {
        self.tell(&json!({"event": "warning", "text": text}));
        if !self.json {
            self.bar.suspend(|| cli::note(format_args!("warning: {text}")));
        }
    }
}
