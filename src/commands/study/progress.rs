//! Progress display of a running study.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use chase_opening_study::StudyEvent;
use chase_opening_study::evidence::Finished;
use chase_opening_study::evidence::games::GamesEvent;
use chase_report::number;

use crate::output::Output;

/// The current phase: its name, progress, and remaining time. At a terminal a bar; otherwise a line when a phase
/// begins, and one at intervals.
pub struct Progress {
    pub output: Output,
    phase: Mutex<Phase>,
}

/// The displayed phase.
struct Phase {
    name: String,
    begin: Instant,
    /// Work that was already stored, and does not count for the remaining time.
    found: u64,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        Self {
            output: Output::new(false, quiet, 0, "{prefix:<26} {wide_bar} {pos}/{len} {msg}"),
            phase: Mutex::new(Phase {
                name: String::new(),
                begin: Instant::now(),
                found: 0,
            }),
        }
    }

    pub fn show(&self, event: StudyEvent<'_>) {
        match event {
            StudyEvent::Plan(sentence) => self.output.say(sentence),
            StudyEvent::Exact(claim) => {
                self.begin("exact findings", 0, "");
                self.output.bar.set_message(claim.to_string());
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
                self.output.bar.inc(games);
                self.tell_time(if stored { games } else { 0 });
            }
            StudyEvent::Games(GamesEvent::Tables) => self.begin("tables of games and plies", 0, ""),
            StudyEvent::Warning(warning) => self.output.warn(warning),
            StudyEvent::Forks(event) => self.finished("forks", event),
            StudyEvent::Search(event) => self.finished("searches (simulations)", event),
        }
    }

    /// Displays the progress of a phase.
    fn finished(&self, phase: &str, event: Finished) {
        self.begin(phase, event.planned, "");
        let before = self.output.bar.position();
        self.output.bar.set_position(event.done.max(before));
        self.tell_time(if event.stored { event.work } else { 0 });
    }

    /// Begins a phase, unless it is already displayed.
    fn begin(&self, name: &str, length: u64, message: &str) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        self.output.bar.set_length(length);
        if phase.name != name {
            name.clone_into(&mut phase.name);
            phase.begin = Instant::now();
            phase.found = 0;
            self.output.bar.set_prefix(phase.name.clone());
            self.output.bar.set_position(0);
            self.output.bar.set_message(message.to_owned());
            let length = if length > 0 {
                number::count(length)
            } else {
                String::new()
            };
            let facts = [length, message.to_owned()];
            let facts: Vec<_> = facts.into_iter().filter(|fact| !fact.is_empty()).collect();
            let colon = if facts.is_empty() { "" } else { ": " };
            self.output.log(format_args!("{name}{colon}{}", facts.join(", ")));
        }
        self.output.bar.tick();
    }

    /// Displays the remaining time, from the rate of new work. `found` is the stored work.
    fn tell_time(&self, found: u64) {
        let mut phase = self.phase.lock().unwrap_or_else(PoisonError::into_inner);
        phase.found += found;
        let (done, of) = (self.output.bar.position(), self.output.bar.length().unwrap_or(0));
        let worked = done.saturating_sub(phase.found);
        if worked == 0 || of < done {
            return;
        }
        let seconds = phase.begin.elapsed().as_secs_f64() * (of - done) as f64 / worked as f64;
        let left = format!("about {} left", number::duration(seconds));
        if self.output.is_due() {
            let (done, of) = (number::count(done), number::count(of));
            self.output.say(format_args!("{}: {done} of {of}, {left}", phase.name));
        }
        self.output.bar.set_message(left);
    }
}
