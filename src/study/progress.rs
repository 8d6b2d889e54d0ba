//! What a person sees while a study is at work.

use std::sync::Mutex;
use std::time::Instant;

use chase_experiments::study::StudyEvent;
use chase_experiments::study::games::GamesEvent;
use indicatif::{ProgressBar, ProgressStyle};

/// A bar for the phase that is at work: what it is, how much is done, and the time that is left.
pub struct Progress {
    bar: ProgressBar,
    phase: Mutex<Phase>,
}

/// The phase that the bar shows.
struct Phase {
    name: String,
    begin: Instant,
    /// What was there already, and counts for nothing in the time that is left.
    found: u64,
}

impl Progress {
    pub fn new(quiet: bool) -> Self {
        // It hides itself when standard error is no terminal.
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
        });
        Self { bar, phase }
    }

    pub fn show(&self, event: StudyEvent<'_>) {
        match event {
            StudyEvent::Exact(claims) => {
                let claims: Vec<String> = claims.iter().map(ToString::to_string).collect();
                self.begin("exact findings", 0);
                self.bar.set_message(claims.join(" "));
            }
            StudyEvent::Games(GamesEvent::Round {
                round,
                rounds,
                open_series,
                games,
            }) => {
                self.begin(&format!("games, round {round} of {rounds}"), games);
                self.bar.set_message(format!("{open_series} openings open"));
            }
            StudyEvent::Games(GamesEvent::Finished { games, stored, .. }) => {
                self.bar.inc(games);
                self.tell_time(if stored { games } else { 0 });
            }
            StudyEvent::Games(GamesEvent::Tables) => self.begin("tables of games and plies", 0),
            StudyEvent::Replay => self.begin("replay of the games", 0),
            StudyEvent::Search(event) => {
                self.begin("searches (simulations)", event.simulations_planned);
                let before = self.bar.position();
                self.bar.set_position(event.simulations_done.max(before));
                let step = event.simulations_done.saturating_sub(before);
                self.tell_time(if event.resumed { step } else { 0 });
            }
        }
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Begins a phase, unless it is the one that is shown.
    fn begin(&self, name: &str, length: u64) {
        let mut phase = self.phase.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.bar.set_length(length);
        if phase.name != name {
            name.clone_into(&mut phase.name);
            phase.begin = Instant::now();
            phase.found = 0;
            self.bar.set_prefix(phase.name.clone());
            self.bar.set_position(0);
            self.bar.set_message("");
        }
        self.bar.tick();
    }

    /// Tells the time that is left, from the rate of what was not there already. `found` was.
    fn tell_time(&self, found: u64) {
        let mut phase = self.phase.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        phase.found += found;
        let (done, of) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let worked = done.saturating_sub(phase.found);
        if worked > 0 && of >= done {
            let seconds = phase.begin.elapsed().as_secs_f64() * (of - done) as f64 / worked as f64;
            self.bar.set_message(format!("about {} left", in_words(seconds)));
        }
    }
}

fn in_words(seconds: f64) -> String {
    chase_experiments::report::number::duration(seconds)
}
