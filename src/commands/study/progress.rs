//! Progress display of a running study.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chase_opening_study::StudyEvent;
use chase_opening_study::evidence::Finished;
use chase_opening_study::evidence::games::GamesEvent;
use chase_report::number;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli;
use crate::progress_bar::Pace;

/// The current phase: its name, progress, and remaining time. At a terminal a bar; otherwise a line when a phase
/// begins, and one at intervals.
pub struct Progress {
    bar: ProgressBar,
    quiet: bool,
    lines: bool,
    phase: Mutex<Phase>,
}

/// The displayed phase.
struct Phase {
    name: String,
    begin: Instant,
    /// Work that was already stored, and does not count for the remaining time.
    found: u64,
    pace: Pace,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        // Hides itself if standard error is not a terminal.
        let bar = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style = ProgressStyle::with_template("{prefix:<26} {wide_bar} {pos}/{len} {msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let phase = Mutex::new(Phase {
            name: String::new(),
            begin: Instant::now(),
            found: 0,
            pace: Pace::new(),
        });
        Self {
            quiet,
            lines: !quiet && bar.is_hidden(),
            bar,
            phase,
        }
    }

    pub fn show(&self, event: StudyEvent<'_>) {
        match event {
            StudyEvent::Plan(sentence) => {
                if !self.quiet {
                    self.bar.suspend(|| cli::note(sentence));
                }
            }
            StudyEvent::Exact(claim) => {
                self.begin("exact findings", 0, "");
                self.bar.set_message(claim.to_string());
            }
            StudyEvent::Games(GamesEvent::Round {
                round,
                rounds,
                open_series,
                games,
            }) => {
                let open = format!("{open_series} openings undecided");
                self.begin(&format!("games, round {round} of {rounds}"), games, &open);
            }
            StudyEvent::Games(GamesEvent::Finished { games, stored, .. }) => {
                self.bar.inc(games);
                self.tell_time(if stored { games } else { 0 });
            }
            StudyEvent::Games(GamesEvent::Tables) => self.begin("tables of games and plies", 0, ""),
            StudyEvent::Warning(warning) => self.bar.suspend(|| cli::note(format_args!("warning: {warning}"))),
            StudyEvent::Forks(event) => self.finished("forks", event),
            StudyEvent::Search(event) => self.finished("searches (simulations)", event),
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Displays the progress of a phase.
    fn finished(&self, phase: &str, event: Finished) {
        self.begin(phase, event.planned, "");
        let before = self.bar.position();
        self.bar.set_position(event.done.max(before));
        self.tell_time(if event.stored { event.work } else { 0 });
    }

    /// Begins a phase, unless it is already displayed.
    fn begin(&self, name: &str, length: u64, message: &str) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        self.bar.set_length(length);
        if phase.name != name {
            name.clone_into(&mut phase.name);
            phase.begin = Instant::now();
            phase.pace = Pace::new();
            phase.found = 0;
            self.bar.set_prefix(phase.name.clone());
            self.bar.set_position(0);
            self.bar.set_message(message.to_owned());
            let length = (length > 0).then(|| number::count(length));
            let facts: Vec<String> = length
                .into_iter()
                .chain((!message.is_empty()).then(|| message.to_owned()))
                .collect();
            let colon = if facts.is_empty() { "" } else { ": " };
            self.line(format_args!("{name}{colon}{}", facts.join(", ")));
        }
        self.bar.tick();
    }

    /// Displays the remaining time, from the rate of new work. `found` is the stored work.
    fn tell_time(&self, found: u64) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        phase.found += found;
        let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let worked = done.saturating_sub(phase.found);
        if worked == 0 || of < done {
            return;
        }
        let seconds = phase.begin.elapsed().as_secs_f64() * (of - done) as f64 / worked as f64;
        let left = format!("about {} left", number::duration(seconds));
        if phase.pace.is_due() {
            let (done, of) = (number::count(done), number::count(of));
            self.line(format_args!("{}: {done} of {of}, {left}", phase.name));
        }
        self.bar.set_message(left);
    }

    /// Prints a line if there is no bar.
    fn line(&self, line: impl std::fmt::Display) {
        if self.lines {
            cli::note(line);
        }
    }
}
