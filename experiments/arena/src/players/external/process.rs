//! The runner's side of the protocol: an engine in a process of its own.

use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, Command as Program, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::ugi::line::{Line, excerpt, read_line};
use crate::ugi::{Command, Go};
use crate::ugi::{EngineOption, Info, Reply};

/// Lines of an engine that may wait to be read before it has to wait.
const BACKLOG: usize = 256;
/// How long an engine may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_millis(200);

/// What went wrong with an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProcessError {
    /// Its program cannot be run.
    #[error("cannot start `{program}`: {reason}")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It did not answer in time.
    #[error("time-out: no {expected} in {seconds} s")]
    TimeOut {
        /// What it should have said.
        expected: &'static str,
        /// How long it had.
        seconds: f64,
    },
    /// It ended, or no longer says anything.
    #[error("crash: ended without {expected} ({how})")]
    Ended {
        /// What it should have said.
        expected: &'static str,
        /// How it ended, and the last line that it wrote on standard error.
        how: String,
    },
}

/// An engine that runs. Dropping it ends its process, and kills it if it does not end by itself, and what it has started
/// in any case.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// How it ended, once that is known.
    ended: Option<ExitStatus>,
    /// To the thread that writes to the engine, since an engine that does not read must not stop us; `None` once it shall
    /// end.
    orders: Option<Sender<Command>>,
    /// From the thread that reads.
    lines: Receiver<Line>,
    /// The last line on standard error, and the thread that reads there.
    last_words: Arc<Mutex<String>>,
    errors: Option<JoinHandle<()>>,
    /// The last error that it told.
    complaint: Option<String>,
    name: String,
    options: Vec<EngineOption>,
}

impl Process {
    /// Runs a program with arguments, and waits until it has said who it is.
    ///
    /// # Errors
    /// If it cannot be run, ends, or does not speak the protocol within the time given.
    pub fn start(command: &[String], within: Duration) -> Result<Self, ProcessError> {
        let (program, arguments) = command.split_first().ok_or_else(|| ProcessError::Start {
            program: String::new(),
            reason: "expected a program".into(),
        })?;
        let failed = |error: std::io::Error| ProcessError::Start {
            program: program.clone(),
            reason: error.to_string(),
        };
        let mut prepared = Program::new(program);
        prepared
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: Ctrl-C in a terminal is for us, who end the engine when its game is over; and what the
        // engine itself has started can be killed with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut prepared, 0);
        let mut child = prepared.spawn().map_err(failed)?;
        let (orders, to_write) = channel();
        let (read, lines) = sync_channel(BACKLOG);
        let last_words = Arc::new(Mutex::new(String::new()));
        if let Some(stdin) = child.stdin.take() {
            thread::spawn(move || write_orders(stdin, to_write));
        }
        if let Some(stdout) = child.stdout.take() {
            let mut stdout = BufReader::new(stdout);
            thread::spawn(move || while_lines(&mut stdout, |line| read.send(line).is_ok()));
        }
        let errors = child.stderr.take().map(|stderr| {
            let (last_words, mut stderr) = (Arc::clone(&last_words), BufReader::new(stderr));
            thread::spawn(move || {
                while_lines(&mut stderr, |line| {
                    if let Line::Text(text) = line
                        && !text.trim().is_empty()
                    {
                        *last_words.lock().unwrap_or_else(PoisonError::into_inner) = excerpt(&text);
                    }
                    true
                });
            })
        });
        let mut process = Self {
            child,
            ended: None,
            orders: Some(orders),
            lines,
            last_words,
            errors,
            complaint: None,
            name: program.clone(),
            options: Vec::new(),
        };
        process.greet(within)?;
        Ok(process)
    }

    fn greet(&mut self, within: Duration) -> Result<(), ProcessError> {
        self.order(Command::Ugi);
        let (mut name, mut options) = (None, Vec::new());
        self.wait("ugiok", within, |reply| match reply {
            Reply::Name(text) => {
                name = Some(excerpt(&text));
                None
            }
            Reply::Option(option) => {
                options.push(option);
                None
            }
            Reply::UgiOk => Some(()),
            _ => None,
        })?;
        self.options = options;
        self.name = name.unwrap_or_else(|| std::mem::take(&mut self.name));
        self.ready(within)
    }
    /// The last error that the engine told since it was asked for a move.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// Sets an option. An engine that has none of this name is left alone.
    pub fn set_option(&mut self, name: &str, value: impl ToString) {
        let known = self
            .options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name));
        if let Some(option) = known {
            let (name, value) = (option.name.clone(), value.to_string());
            self.order(Command::SetOption { name, value });
        }
    }

    /// Says that what comes belongs to another game.
    ///
    /// # Errors
    /// If the engine is not ready for it in time.
    pub fn new_game(&mut self, within: Duration) -> Result<(), ProcessError> {
        self.order(Command::NewGame);
        self.ready(within)
    }

    /// The move that the engine chooses in a position, in its own words.
    ///
    /// # Errors
    /// If it does not answer within the time given, or ends.
    pub fn best_move(&mut self, position: Command, go: Go, within: Duration) -> Result<String, ProcessError> {
        let deadline = Instant::now() + within;
        self.complaint = None;
        self.order(position);
        // What it may still have to say about earlier searches comes before this.
        self.ready(within)?;
        self.order(Command::Go(go));
        let left = deadline.saturating_duration_since(Instant::now());
        let answer = self.wait("bestmove", left, |reply| match reply {
            Reply::BestMove(text) => Some(text),
            _ => None,
        });
        answer.map_err(|error| match error {
            ProcessError::TimeOut { expected, .. } => ProcessError::TimeOut {
                expected,
                seconds: within.as_secs_f64(),
            },
            other => other,
        })
    }

    fn ready(&mut self, within: Duration) -> Result<(), ProcessError> {
        self.order(Command::IsReady);
        self.wait("readyok", within, |reply| (reply == Reply::ReadyOk).then_some(()))
    }

    fn order(&mut self, command: Command) {
        if let Some(orders) = &self.orders {
            // An engine that has ended is noticed when its answer is missing.
            let _ = orders.send(command);
        }
    }

    /// Reads until `take` has what it wants. What is no reply is passed over, as the protocol has it.
    fn wait<T>(
        &mut self,
        expected: &'static str,
        within: Duration,
        mut take: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, ProcessError> {
        let deadline = Instant::now() + within;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let line = match self.lines.recv_timeout(left) {
                // Also one who never stops talking comes to an end.
                Ok(_) if left.is_zero() => Err(RecvTimeoutError::Timeout),
                received => received,
            };
            match line {
                Ok(Line::Text(text)) => match text.parse() {
                    Ok(Reply::Info(Info { string: Some(text), .. })) => {
                        if text.starts_with("error") {
                            self.complaint = Some(excerpt(&text));
                        }
                    }
                    Ok(reply) => {
                        if let Some(taken) = take(reply) {
                            return Ok(taken);
                        }
                    }
                    Err(_) => {}
                },
                Ok(Line::TooLong) => {}
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = within.as_secs_f64();
                    return Err(ProcessError::TimeOut { expected, seconds });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.epitaph();
                    return Err(ProcessError::Ended { expected, how });
                }
            }
        }
    }

    /// How the process ended.
    fn epitaph(&mut self) -> String {
        let deadline = Instant::now() + FAREWELL;
        let status = self.wait_for_end(FAREWELL);
        let status = status.map_or_else(|| "its output is closed".to_owned(), |status| status.to_string());
        let reading = |errors: &JoinHandle<()>| !errors.is_finished();
        while self.errors.as_ref().is_some_and(reading) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        match last_words.as_str() {
            "" => status,
            words => format!("{status}: {words}"),
        }
    }

    /// How the process ended, and all it has started with it; `None` if it has not in this time.
    fn wait_for_end(&mut self, within: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + within;
        while self.ended.is_none() {
            if self.has_ended() {
                self.kill();
            } else if Instant::now() < deadline {
                thread::sleep(Duration::from_millis(2));
            } else {
                return None;
            }
        }
        self.ended
    }

    /// Whether the process has ended. It is not waited for: until then its number, which is its group's, is no other's.
    #[cfg(unix)]
    fn has_ended(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let pid = Pid::from_raw(self.child.id() as i32);
        pid.is_some_and(|pid| waitid(WaitId::Pid(pid), options).is_ok_and(|status| status.is_some()))
    }

    #[cfg(not(unix))]
    fn has_ended(&mut self) -> bool {
        self.child.try_wait().is_ok_and(|status| status.is_some())
    }

    /// Kills the process and its group, if it was not waited for yet.
    fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(self.child.id() as i32) {
            // That all of the group has ended already is no fault.
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        self.ended = self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.order(Command::Quit);
        // Closes the engine's input once everything is written.
        self.orders = None;
        if self.wait_for_end(FAREWELL).is_none() {
            self.kill();
        }
    }
}

fn write_orders(mut stdin: ChildStdin, orders: Receiver<Command>) {
    for order in orders {
        // The line and its end at once, so that nobody reads half of it.
        if stdin.write_all(format!("{order}\n").as_bytes()).is_err() {
            break;
        }
    }
}

/// Reads to the end of the output of an engine, or until nobody wants more of it.
fn while_lines(input: &mut impl std::io::BufRead, mut take: impl FnMut(Line) -> bool) {
    while let Ok(Some(line)) = read_line(input) {
        if !take(line) {
            break;
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use super::*;

    /// What has ended but was not waited for has no command line.
    fn lives(process: &str) -> bool {
        fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty())
    }

    fn within(comes: &dyn Fn() -> bool, complaint: &str) {
        let begin = Instant::now();
        while !comes() {
            assert!(begin.elapsed() < Duration::from_secs(300), "{complaint}");
            thread::sleep(Duration::from_millis(2));
        }
    }

    #[test]
    fn what_a_process_has_started_ends_with_it() {
        let home = tempfile::tempdir().expect("a folder");
        for end in ["exit", "kill -9 $$", "sleep 777"] {
            let file = home.path().join("child");
            let script = format!(
                "sleep 777 & echo $! > '{}'
                while read line; do
                    case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; go) {end};; quit) {end};; esac
                done",
                file.display()
            );
            let command = ["sh", "-c", &script].map(str::to_owned);
            for asks in [false, true] {
                let mut process = Process::start(&command, Duration::from_secs(300)).expect("it runs");
                let child = fs::read_to_string(&file).expect("a number").trim().to_owned();
                // While it becomes another program it has no command line either.
                within(&|| lives(&child), &format!("{end}: {child} never lived"));
                if asks {
                    let position = Command::Position {
                        start: crate::ugi::Start::Initial,
                        moves: Vec::new(),
                    };
                    let answer = process.best_move(position, Go::default(), Duration::from_millis(300));
                    assert!(answer.is_err(), "{answer:?}");
                }
                drop(process);
                within(&|| !lives(&child), &format!("{end}: {child} lives"));
            }
        }
    }
}
