//! The runner's side of the protocol: an engine in a process of its own.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command as Program, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::allowance::Allowance;
use super::output::Output;
use super::running;
use crate::lock;
use crate::players::effort::Effort;
use crate::ugi::line::{TextLine, excerpt, read_line};
use crate::ugi::{Command, Go, RULE_OPTIONS, Reply};

/// Most lines of an engine in the queue; then it has to wait.
const BACKLOG: usize = 256;
/// Silence before identification after which an engine is reported as slow.
const PATIENCE: Duration = Duration::from_secs(3);
/// Time for an engine to end after `quit`.
const KILL_DELAY: Duration = Duration::from_millis(200);
/// Time for an engine that has closed its output to end and say why. On a busy machine that takes a moment.
const END_REPORT: Duration = Duration::from_secs(2);

/// Fault of an engine.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ProcessError {
    /// This machine cannot run its program: no fault of the program.
    #[error("cannot start `{program}`: {reason}")]
    Start {
        /// The program.
        program: String,
        /// The message of the operating system.
        reason: String,
    },
    /// It did not answer in time.
    #[error("time-out: no {expected} in {seconds} s")]
    TimeOut {
        /// The expected answer.
        expected: &'static str,
        /// The time limit.
        seconds: f64,
    },
    /// It ended, closed its output, or chose an illegal move.
    #[error("{0}")]
    Fault(String),
}

/// A running engine. Dropping it asks its process to end, kills the process if it does not, and kills everything that
/// the process has started in any case.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// Its exit status, once known.
    ended: Option<ExitStatus>,
    /// Channel to the thread that writes to the engine, since an engine that does not read must not block us; `None`
    /// when it should end.
    orders: Option<Sender<Command>>,
    /// Channel from the thread that reads.
    lines: Receiver<TextLine>,
    /// The last line on standard error, and the thread that reads it.
    last_words: Arc<Mutex<String>>,
    errors: Option<JoinHandle<()>>,
    /// Set when nothing more is read from it.
    over: Arc<AtomicBool>,
    /// The last error that it reported.
    complaint: Option<String>,
    /// The last depth and the last nodes that it reported since then.
    effort: Effort,
    name: String,
    /// The engine's names of those of our options that it supports.
    options: Vec<String>,
}

/// The function that reports that the program is waiting for an engine.
static NOTICE: OnceLock<fn(&str)> = OnceLock::new();

/// Sets the function that is called with a sentence when an engine is slow to answer its first line. Only the first
/// call has an effect; without one, nothing is reported.
pub fn report_waiting(notice: fn(&str)) {
    let _ = NOTICE.set(notice);
}

impl Process {
    /// Runs a program with arguments, and waits until it has identified itself.
    ///
    /// # Errors
    /// If it cannot be run, ends, or does not support the protocol within the given time.
    pub fn start(command: &[String], within: Duration) -> Result<Self, ProcessError> {
        let (program, arguments) = command.split_first().ok_or_else(|| ProcessError::Start {
            program: String::new(),
            reason: "expected a program".into(),
        })?;
        let failed = |error: io::Error| ProcessError::Start {
            program: program.clone(),
            reason: error.to_string(),
        };
        let mut prepared = Program::new(program);
        prepared
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = running::start(prepared).map_err(failed)?;
        let (orders, to_write) = channel();
        let (read, lines) = sync_channel(BACKLOG);
        let last_words = Arc::new(Mutex::new(String::new()));
        let over = Arc::new(AtomicBool::new(false));
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let mut process = Self {
            child,
            ended: None,
            orders: Some(orders),
            lines,
            last_words,
            errors: None,
            over,
            complaint: None,
            effort: Effort::default(),
            name: program.clone(),
            options: Vec::new(),
        };
        // From here on the process is ended if anything fails.
        process.attend(pipes, to_write, read).map_err(failed)?;
        process.greet(within)?;
        Ok(process)
    }

    /// Starts the threads that write to it and read from it.
    fn attend(
        &mut self,
        (stdin, stdout, stderr): (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>),
        to_write: Receiver<Command>,
        read: SyncSender<TextLine>,
    ) -> io::Result<()> {
        if let Some(stdin) = stdin {
            running::thread(move || write_orders(stdin, to_write))?;
        }
        if let Some(pipe) = stdout {
            let over = Arc::clone(&self.over);
            let mut stdout = BufReader::new(Output { pipe, over });
            running::thread(move || while_lines(&mut stdout, |line| read.send(line).is_ok()))?;
        }
        if let Some(pipe) = stderr {
            let (last_words, over) = (Arc::clone(&self.last_words), Arc::clone(&self.over));
            let mut stderr = BufReader::new(Output { pipe, over });
            let listen = move || {
                while_lines(&mut stderr, |line| {
                    if let TextLine::Text(text) = line
                        && !text.trim().is_empty()
                    {
                        *lock(&last_words) = excerpt(&text);
                    }
                    true
                });
            };
            self.errors = Some(running::thread(listen)?);
        }
        Ok(())
    }

    fn greet(&mut self, within: Duration) -> Result<(), ProcessError> {
        self.order(Command::Ugi);
        let (mut name, mut options) = (None, Vec::new());
        let mut take = |reply| match reply {
            Reply::Name(text) => {
                name = Some(excerpt(&text));
                None
            }
            Reply::Option(option) => {
                // An engine may have any number of options; those that we never set are not stored.
                let is = |other: &str| option.name.eq_ignore_ascii_case(other);
                if RULE_OPTIONS.into_iter().any(is) && !options.iter().any(|known: &String| is(known)) {
                    options.push(option.name);
                }
                None
            }
            Reply::UgiOk => Some(()),
            _ => None,
        };
        let patience = PATIENCE.min(within);
        let mut allowance = Allowance::new(patience);
        let mut greeted = self.wait("ugiok", &mut allowance, &mut take);
        if let Err(ProcessError::TimeOut { expected, .. }) = greeted
            && patience < within
        {
            let seconds = within.as_secs_f64();
            if let Some(notice) = NOTICE.get() {
                notice(&format!(
                    "waiting for `{}`: no {expected} yet, {seconds} s allowed",
                    self.name
                ));
            }
            allowance.add(within - patience);
            greeted = self.wait(expected, &mut allowance, &mut take);
        }
        greeted?;
        self.options = options;
        self.name = name.unwrap_or_else(|| std::mem::take(&mut self.name));
        self.ready(&mut Allowance::new(within))
    }

    /// The last error that the engine reported since the last request for a move.
    pub fn complaint(&self) -> Option<&str> {
        self.complaint.as_deref()
    }

    /// The effort that the engine reported since the last request for a move.
    pub const fn effort(&self) -> Effort {
        self.effort
    }

    /// Sets an option. Does nothing if the engine has no option of this name.
    pub fn set_option(&mut self, name: &str, value: impl ToString) {
        let known = self.options.iter().find(|option| option.eq_ignore_ascii_case(name));
        if let Some(name) = known.cloned() {
            let value = value.to_string();
            self.order(Command::SetOption { name, value });
        }
    }

    /// Announces that the following commands belong to another game.
    ///
    /// # Errors
    /// If the engine is not ready in time.
    pub fn new_game(&mut self, within: Duration) -> Result<(), ProcessError> {
        self.order(Command::NewGame);
        self.ready(&mut Allowance::new(within))
    }

    /// The engine's move in a position, as text.
    ///
    /// # Errors
    /// If it does not answer within the given time, or ends.
    pub fn best_move(&mut self, position: Command, go: Go, within: Duration) -> Result<String, ProcessError> {
        let mut allowance = Allowance::new(within);
        self.complaint = None;
        self.effort = Effort::default();
        self.order(position);
        // Any remaining output of earlier searches comes before this.
        self.ready(&mut allowance)?;
        self.order(Command::Go(go));
        self.wait("bestmove", &mut allowance, |reply| match reply {
            Reply::BestMove(text) => Some(text),
            _ => None,
        })
    }

    fn ready(&mut self, allowance: &mut Allowance) -> Result<(), ProcessError> {
        self.order(Command::IsReady);
        self.wait("readyok", allowance, |reply| (reply == Reply::ReadyOk).then_some(()))
    }

    fn order(&mut self, command: Command) {
        if let Some(orders) = &self.orders {
            // If the engine has ended, its missing answer will show it.
            let _ = orders.send(command);
        }
    }

    /// Reads until `take` returns a value. Lines that are not replies are ignored, as the protocol demands.
    fn wait<T>(
        &mut self,
        expected: &'static str,
        allowance: &mut Allowance,
        mut take: impl FnMut(Reply) -> Option<T>,
    ) -> Result<T, ProcessError> {
        loop {
            match allowance.receive(&self.lines) {
                Ok(TextLine::Text(text)) => match Reply::read(&text) {
                    Some(Reply::Info(info)) => {
                        let depth = info.depth.and_then(|depth| depth.try_into().ok());
                        self.effort.depth = depth.or(self.effort.depth);
                        self.effort.nodes = info.nodes.or(self.effort.nodes);
                        if let Some(text) = info.string.filter(|text| text.starts_with("error")) {
                            self.complaint = Some(excerpt(&text));
                        }
                    }
                    Some(reply) => {
                        if let Some(taken) = take(reply) {
                            return Ok(taken);
                        }
                    }
                    None => {}
                },
                Ok(TextLine::TooLong) => {}
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = allowance.all().as_secs_f64();
                    return Err(ProcessError::TimeOut { expected, seconds });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let how = self.describe_end();
                    return Err(ProcessError::Fault(format!("crash: ended without {expected} ({how})")));
                }
            }
        }
    }

    /// Its exit status, and its last line on standard error.
    fn describe_end(&mut self) -> String {
        let deadline = Instant::now() + END_REPORT;
        let status = self.wait_for_end(END_REPORT);
        let status = status.map_or_else(|| "its output is closed".to_owned(), |status| status.to_string());
        let reading = |errors: &JoinHandle<()>| !errors.is_finished();
        while self.errors.as_ref().is_some_and(reading) && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        let last_words = lock(&self.last_words);
        match last_words.as_str() {
            "" => status,
            words => format!("{status}: {words}"),
        }
    }

    /// Waits for the process to end, then kills everything that it has started; `None` if it has not ended within this
    /// time.
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

    /// True if the process has ended. It is not reaped: until then its id, which is its group's, cannot be reused.
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

    /// Kills the process and its group, unless it has been reaped.
    fn kill(&mut self) {
        if self.ended.is_some() {
            return;
        }
        running::kill_group(self.child.id());
        let _ = self.child.kill();
        running::forget(&self.child);
        self.ended = self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.order(Command::Quit);
        // Closes the engine's input after everything has been written.
        self.orders = None;
        if self.wait_for_end(KILL_DELAY).is_none() {
            self.kill();
        }
        self.over.store(true, Ordering::Relaxed);
    }
}

fn write_orders(mut stdin: ChildStdin, orders: Receiver<Command>) {
    for order in orders {
        // The line and its end in one write, so that no one reads half of it.
        if stdin.write_all(format!("{order}\n").as_bytes()).is_err() {
            break;
        }
    }
}

/// Reads to the end of an engine's output, or until `take` returns false.
fn while_lines(input: &mut impl io::BufRead, mut take: impl FnMut(TextLine) -> bool) {
    while let Ok(Some(line)) = read_line(input) {
        if !take(line) {
            break;
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    use chase_fixtures::wait_until;

    use super::*;

    /// A zombie has no command line, and a process has none at the moment of its `exec`: one look says little.
    fn lives(process: &str) -> bool {
        fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty())
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
                wait_until(format_args!("{end}: the child"), || lives(&child));
                if asks {
                    let position = Command::Position {
                        start: crate::ugi::Start::Initial,
                        moves: Vec::new(),
                    };
                    let answer = process.best_move(position, Go::default(), Duration::from_millis(300));
                    assert!(answer.is_err(), "{answer:?}");
                }
                drop(process);
                wait_until(format_args!("{end}: the child's end"), || !lives(&child));
            }
        }
    }

    /// A process that leaves the group of the engine lives on, but costs no threads and descriptors.
    #[test]
    fn nothing_waits_for_a_detached_process() {
        let home = tempfile::tempdir().expect("a folder");
        let file = home.path().join("child");
        let script = format!(
            "setsid sh -c 'echo $$ > \"{}\"; exec sleep 777' &
            while read line; do
                case \"$line\" in ugi) echo ugiok;; isready) echo readyok;; quit) exit;; esac
            done",
            file.display()
        );
        let command = ["sh", "-c", &script].map(str::to_owned);
        let mut process = Process::start(&command, Duration::from_secs(300)).expect("it runs");
        let child = || fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
        // Without a number the path would be that of the system's own command line.
        let detached = || !child().is_empty() && lives(&child());
        wait_until("the detached process", detached);
        let errors = process.errors.take().expect("it is read");
        drop(process);
        wait_until("the end of reading its errors", || errors.is_finished());
        wait_until("the detached process, which lives on", detached);
        running::kill_group(child().parse().expect("a number"));
    }

    #[test]
    fn of_any_number_of_options_only_ours_are_kept_each_once() {
        let script = r#"
            while read line; do
                case "$line" in
                ugi)
                    i=0
                    while [ $i -lt 2000 ]; do
                        i=$((i + 1))
                        echo "option name other$i type check default true"
                        echo "option name maxturns type spin default 400 min 0 max 500"
                    done
                    echo ugiok;;
                isready) echo readyok;;
                quit) exit;;
                esac
            done"#;
        let command = ["sh", "-c", script].map(str::to_owned);
        let process = Process::start(&command, Duration::from_secs(600)).expect("it runs");
        assert_eq!(process.options, ["maxturns"]);
    }
}
