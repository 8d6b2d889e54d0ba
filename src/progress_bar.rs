//! Progress bars of commands.

use indicatif::{ProgressBar, ProgressStyle};

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
