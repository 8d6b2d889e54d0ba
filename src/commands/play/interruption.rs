//! Ctrl-C in a conversation: the first stops a search, only the second quits. No way of quitting loses the game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use chase_training::store::files;
use signal_hook::consts::SIGINT;

use crate::{cli, signals};

/// Name of the file for an unsaved game, without its ending.
const UNFINISHED: &str = "unfinished-game";
/// A search that takes longer says how it can be stopped.
const LONG: Duration = Duration::from_secs(1);

/// State shared by the signal handler and the conversation.
#[derive(Clone, Debug)]
pub struct Interruption(Arc<State>);

#[derive(Debug)]
struct State {
    /// True if a person is at a terminal, whose game must not be lost.
    at_terminal: bool,
    searching: AtomicBool,
    stop: Arc<AtomicBool>,
    /// The record of an unfinished, unsaved game.
    unkept: Mutex<Option<String>>,
}

impl Interruption {
    /// Starts to handle signals.
    ///
    /// # Errors
    /// If the system does not allow it.
    pub fn listen(at_terminal: bool) -> anyhow::Result<Self> {
        let state = State {
            at_terminal,
            searching: AtomicBool::new(false),
            stop: Arc::default(),
            unkept: Mutex::new(None),
        };
        let interruption = Self(Arc::new(state));
        let heard = interruption.clone();
        signals::on_each(move |signal| {
            let State { searching, stop, .. } = &*heard.0;
            if signal == SIGINT && searching.load(Ordering::Relaxed) && !stop.swap(true, Ordering::Relaxed) {
                cli::note("stopping the search; press Ctrl-C again to leave");
            } else {
                heard.leave();
                signals::end(128 + signal);
            }
        })?;
        Ok(interruption)
    }

    /// A flag that is set to end a search.
    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.0.stop
    }

    /// Runs something that a single Ctrl-C stops.
    pub fn stoppable<T>(&self, search: impl FnOnce() -> T) -> T {
        self.0.stop.store(false, Ordering::Relaxed);
        self.0.searching.store(true, Ordering::Relaxed);
        let (running, ended) = mpsc::channel::<()>();
        let found = thread::scope(|scope| {
            if self.0.at_terminal {
                scope.spawn(move || {
                    if ended.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout) {
                        cli::note("searching; Ctrl-C stops it");
                    }
                });
            }
            let found = search();
            drop(running);
            found
        });
        self.0.searching.store(false, Ordering::Relaxed);
        found
    }

    /// Sets the record that would be lost if the program ended now.
    pub fn set_unkept(&self, record: Option<String>) {
        *self.0.unkept.lock().unwrap_or_else(PoisonError::into_inner) = record;
    }

    /// If a game at a terminal would be lost, saves it to a file in the current folder and says so.
    pub fn leave(&self) {
        if !self.0.at_terminal {
            return;
        }
        let record = self.0.unkept.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(record) = record else { return };
        let file = cli::new_path(UNFINISHED, ".txt");
        match files::write_whole(&file, record.as_bytes()) {
            Ok(()) => cli::note(format_args!(
                "the game is kept: `chase play --record {}` continues it",
                cli::shell_word(file.display())
            )),
            Err(error) => cli::note(format_args!("the game is lost: {error}\n{record}")),
        }
    }
}
