//! Workers, the learner and the server are killed and paused at random moments, for as long as one likes.
//!
//! One bounded round is a test. The long form is started by hand, and ends with a line that says what was done:
//! `CHASE_CHAOS_MINUTES=60 CHASE_CHAOS_SEED=1 cargo test -p chase-cluster --test cluster -- --ignored --exact storm::long --nocapture`

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chase_engine::seed;
use chase_fixtures::{Nats, essence};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};

use crate::chaos::{LONGER, PLAYED, TAKEN, command};
use crate::train;

/// Workers at a time.
const WORKERS: usize = 2;
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(5);
/// Time in which a round must end when nothing happens any more.
const PATIENCE: Duration = Duration::from_secs(900);

/// What may happen; each as often as it is here.
const BLOWS: [Blow; 18] = [
    Blow::KillWorker,
    Blow::KillWorker,
    Blow::KillWorker,
    Blow::KillPlaying,
    Blow::KillPlaying,
    Blow::KillPlaying,
    Blow::KillPlaying,
    Blow::KillLearner,
    Blow::KillLearner,
    Blow::KillLearner,
    Blow::RestartServer,
    Blow::RestartServer,
    Blow::EmptyServer,
    Blow::PauseWorker,
    Blow::PauseWorker,
    Blow::PauseServer,
    Blow::PauseServer,
    Blow::PauseLearner,
];

#[derive(Clone, Copy, Debug)]
enum Blow {
    KillWorker,
    /// A worker that is playing a unit.
    KillPlaying,
    /// The learner is started again, and resumes.
    KillLearner,
    RestartServer,
    /// The server loses all that it had.
    EmptyServer,
    /// Longer than the learner waits for signs of life, or shorter.
    PauseWorker,
    /// The others lose their connection if it is long.
    PauseServer,
    PauseLearner,
}

/// What was done, and what was found.
#[derive(Debug, Default)]
struct Tally {
    rounds: u64,
    workers: u64,
    playing: u64,
    learners: u64,
    restarts: u64,
    empty: u64,
    paused_workers: u64,
    paused_servers: u64,
    paused_learners: u64,
    compared: u64,
    failures: Vec<String>,
}

impl fmt::Display for Tally {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kills = self.workers + self.learners + self.restarts + self.empty;
        write!(
            out,
            "{} rounds, {kills} kills: {} of workers ({} in the middle of a unit), {} of the learner, {} of the server ({} of them \
             with the loss of its data); {} pauses: {} of workers, {} of the server, {} of the learner; {} results compared, {} \
             failures",
            self.rounds,
            self.workers,
            self.playing,
            self.learners,
            self.restarts + self.empty,
            self.empty,
            self.paused_workers + self.paused_servers + self.paused_learners,
            self.paused_workers,
            self.paused_servers,
            self.paused_learners,
            self.compared,
            self.failures.len()
        )
    }
}

/// A process that ends with this value.
struct Process {
    child: Child,
    /// Whether it is playing a unit.
    plays: Arc<AtomicBool>,
    paused_until: Option<Instant>,
}

impl Process {
    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

fn signal(process: u32, signal: Signal) {
    // It may have ended.
    let _ = kill_process(Pid::from_raw(process.cast_signed()).unwrap(), signal);
}

/// One run, its workers and its server.
struct Round<'a> {
    home: &'a Path,
    settings: &'a str,
    nats: Nats,
    server_paused_until: Option<Instant>,
    workers: Vec<Process>,
    learner: Process,
}

fn append(path: &Path) -> File {
    File::options().create(true).append(true).open(path).unwrap()
}

fn start(url: &str, home: &Path, run: Option<&Path>, settings: &str) -> Process {
    let name = if run.is_some() { "learner.log" } else { "workers.log" };
    let log = append(&home.join(name));
    let mut child = command(url, run, settings).stderr(log).spawn().unwrap();
    let plays = Arc::new(AtomicBool::new(false));
    if let Some(output) = child.stdout.take() {
        let plays = Arc::clone(&plays);
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if line.contains(TAKEN) || line.contains(PLAYED) {
                    plays.store(line.contains(TAKEN), Ordering::Relaxed);
                }
            }
        });
    }
    Process {
        child,
        plays,
        paused_until: None,
    }
}

impl<'a> Round<'a> {
    fn begin(home: &'a Path, settings: &'a str) -> Self {
        let nats = Nats::start();
        let worker = |_| start(&nats.url(), home, None, settings);
        Self {
            home,
            settings,
            workers: (0..WORKERS).map(worker).collect(),
            learner: start(&nats.url(), home, Some(&home.join("run")), settings),
            nats,
            server_paused_until: None,
        }
    }

    /// Lets time pass, until there is an end of it. Whether the run has ended.
    fn pass(&mut self, time: Duration, mut end: impl FnMut(&Self) -> bool) -> Result<bool, String> {
        let begin = Instant::now();
        loop {
            let is_over = |until: &mut Option<Instant>| until.take_if(|until| *until <= Instant::now()).is_some();
            if is_over(&mut self.server_paused_until) {
                signal(self.nats.process_id(), Signal::CONT);
            }
            for process in self.workers.iter_mut().chain([&mut self.learner]) {
                if is_over(&mut process.paused_until) {
                    signal(process.child.id(), Signal::CONT);
                }
            }
            for worker in &mut self.workers {
                if let Some(status) = worker.child.try_wait().unwrap() {
                    return Err(format!("a worker has ended by itself: {status}"));
                }
            }
            match self.learner.child.try_wait().unwrap() {
                Some(status) if status.success() => return Ok(true),
                Some(status) => return Err(format!("the learner fails: {status}")),
                None if begin.elapsed() >= time || end(self) => return Ok(false),
                None => thread::sleep(LOOK),
            }
        }
    }

    /// Whether the run has ended.
    fn strike(&mut self, blow: Blow, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<bool, String> {
        let url = self.nats.url();
        let mut number = rng.random_range(0..WORKERS);
        let moment = between(rng, 1.0, 100.0);
        let until = Some(Instant::now() + between(rng, 100.0, 20_000.0));
        match blow {
            Blow::KillWorker | Blow::KillPlaying => {
                if matches!(blow, Blow::KillPlaying) {
                    let playing = |round: &Self| {
                        let plays = |process: &Process| process.plays.load(Ordering::Relaxed);
                        round.workers.iter().position(plays)
                    };
                    if self.pass(Duration::from_secs(10), |round| playing(round).is_some())?
                        || self.pass(moment, |_| false)?
                    {
                        return Ok(true);
                    }
                    number = playing(self).unwrap_or(number);
                }
                let worker = &mut self.workers[number];
                worker.kill();
                tally.workers += 1;
                tally.playing += u64::from(worker.plays.load(Ordering::Relaxed));
                *worker = start(&url, self.home, None, self.settings);
            }
            Blow::KillLearner => {
                self.learner.kill();
                tally.learners += 1;
                let run = self.home.join("run");
                if !run.join("meta.json").exists() {
                    // It had not begun.
                    let _ = fs::remove_dir_all(&run);
                }
                self.learner = start(&url, self.home, Some(&run), self.settings);
            }
            Blow::RestartServer | Blow::EmptyServer => {
                let empty = matches!(blow, Blow::EmptyServer);
                self.nats.restart(empty);
                self.server_paused_until = None;
                *if empty { &mut tally.empty } else { &mut tally.restarts } += 1;
            }
            Blow::PauseWorker => {
                signal(self.workers[number].child.id(), Signal::STOP);
                self.workers[number].paused_until = until;
                tally.paused_workers += 1;
            }
            Blow::PauseServer => {
                signal(self.nats.process_id(), Signal::STOP);
                self.server_paused_until = until;
                tally.paused_servers += 1;
            }
            Blow::PauseLearner => {
                signal(self.learner.child.id(), Signal::STOP);
                self.learner.paused_until = until;
                tally.paused_learners += 1;
            }
        }
        Ok(false)
    }

    fn weather(mut self, blows: u32, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<(), String> {
        for _ in 0..blows {
            let (pause, blow) = (between(rng, 20.0, 4_000.0), BLOWS[rng.random_range(0..BLOWS.len())]);
            writeln!(append(&self.home.join("blows.log")), "after {pause:?}: {blow:?}").unwrap();
            if self.pass(pause, |_| false)? || self.strike(blow, rng, tally)? {
                return Ok(());
            }
        }
        match self.pass(PATIENCE, |_| false)? {
            true => Ok(()),
            false => Err(format!(
                "nothing happens any more, and the run has not ended after {PATIENCE:?}"
            )),
        }
    }
}

/// A time between two numbers of milliseconds, each order of magnitude as likely as another.
fn between(rng: &mut Xoshiro256PlusPlus, least: f64, most: f64) -> Duration {
    Duration::from_secs_f64(least * (most / least).powf(rng.random::<f64>()) / 1e3)
}

/// Any number of rounds, half of them of a run whose workers play ahead.
struct Storm {
    folder: tempfile::TempDir,
    seed: u64,
    settings: [String; 2],
    straight: [BTreeMap<String, Vec<u8>>; 2],
    tally: Tally,
}

impl Storm {
    fn new(seed: u64) -> Self {
        let folder = tempfile::Builder::new().prefix("chase-storm-").tempdir().unwrap();
        let settings = [0, 1].map(|ahead| format!("{} limits.generations=4 selfplay.ahead={ahead}", LONGER.join(" ")));
        let straight = [0, 1].map(|ahead: usize| {
            let run = folder.path().join(format!("straight-{ahead}"));
            train(&run, &settings[ahead].split(' ').collect::<Vec<_>>(), None);
            essence(&run)
        });
        Self {
            folder,
            seed,
            settings,
            straight,
            tally: Tally::default(),
        }
    }

    /// Notes what goes wrong, and keeps its folder.
    fn round(&mut self, blows: std::ops::Range<u32>) {
        let number = self.tally.rounds;
        self.tally.rounds += 1;
        let home = self.folder.path().join(format!("round-{number}"));
        fs::create_dir(&home).unwrap();
        let mut rng = seed::named("storm", &[self.seed, number]);
        let ahead = (number % 2) as usize;
        let tally = &mut self.tally;
        let done = catch_unwind(AssertUnwindSafe(|| {
            let blows = rng.random_range(blows);
            Round::begin(&home, &self.settings[ahead]).weather(blows, &mut rng, tally)?;
            tally.compared += 1;
            differences(&essence(&home.join("run")), &self.straight[ahead])
        }));
        let failure = match done {
            Ok(Ok(())) => {
                fs::remove_dir_all(&home).unwrap();
                return;
            }
            Ok(Err(reason)) => reason,
            Err(_) => "it panics".to_owned(),
        };
        let failure = format!("seed {}, round {number}, {}: {failure}", self.seed, home.display());
        say(&format!("FAILURE: {failure}"));
        self.tally.failures.push(failure);
    }

    /// The folder is kept if something in it may show what went wrong.
    fn end(self) -> Tally {
        if !self.tally.failures.is_empty() {
            let kept: PathBuf = self.folder.keep();
            say(&format!("all files are kept in {}", kept.display()));
        }
        self.tally
    }
}

fn differences(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let names = found.keys().chain(expected.keys());
    let mut different: Vec<_> = names.filter(|name| found.get(*name) != expected.get(*name)).collect();
    different.sort();
    different.dedup();
    match different[..] {
        [] => Ok(()),
        _ => Err(format!("the result differs from that of a straight run: {different:?}")),
    }
}

fn say(text: &str) {
    writeln!(std::io::stdout(), "{text}").unwrap();
}

#[test]
fn a_round_of_blows_at_random_moments_changes_nothing() {
    let mut storm = Storm::new(1);
    storm.round(8..9);
    let tally = storm.end();
    assert!(tally.failures.is_empty(), "{tally}: {:?}", tally.failures);
    assert!(tally.compared == 1 && tally.workers + tally.learners > 0, "{tally}");
}

/// Goes on for `CHASE_CHAOS_MINUTES`.
#[test]
#[ignore = "takes as long as it is told: CHASE_CHAOS_MINUTES"]
fn long() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let minutes = number("CHASE_CHAOS_MINUTES").unwrap_or(1);
    let begin = Instant::now();
    let mut storm = Storm::new(number("CHASE_CHAOS_SEED").unwrap_or(1));
    let done = |begin: Instant| begin.elapsed().as_secs_f64() / 60.0;
    while begin.elapsed() < Duration::from_secs(60 * minutes) {
        storm.round(8..20);
        say(&format!("{:.1} min: {}", done(begin), storm.tally));
    }
    let seed = storm.seed;
    let tally = storm.end();
    for failure in &tally.failures {
        say(failure);
    }
    say(&format!("seed {seed}, {:.1} min: {tally}", done(begin)));
    assert!(tally.failures.is_empty());
}
