//! Everything fails at random moments, for as long as it is asked for.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use async_nats::jetstream;
use chase_fixtures::{Nats, assert_same_files, essence};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::chaos::{LONGER, start};
use crate::train;

/// Workers of a run.
const WORKERS: usize = 2;
/// Settings of a server that has no room for what a run needs.
const FULL: [&str; 2] = [
    "jetstream { max_file_store: 64KB }\n",
    "jetstream { max_file_store: 300MB, max_memory_store: 1KB }\n",
];
/// Time after which a run that has not ended is stuck.
const STUCK: Duration = Duration::from_secs(900);

/// Counts of faults, and of compared runs.
#[derive(Default)]
struct Tally {
    workers: u64,
    learners: u64,
    servers: u64,
    empty: u64,
    full: u64,
    silent: u64,
    lost: u64,
    repeated: u64,
    runs: u64,
}

impl Tally {
    const fn kills(&self) -> u64 {
        self.workers + self.learners + self.servers + self.empty + self.full
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} kills ({} of workers, {} of learners, {} of servers, {} of servers that lost their data, {} of servers that had no \
             room then), {} workers silent, {} connections lost, {} units delivered again; {} runs compared, all the same",
            self.kills(),
            self.workers,
            self.learners,
            self.servers,
            self.empty,
            self.full,
            self.silent,
            self.lost,
            self.repeated,
            self.runs
        )
    }
}

/// A process that ends with this value.
struct Process(Child);

impl Process {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Lets it do nothing for a while.
    fn pause(&self, time: Duration) {
        let signal = |name: &str| {
            Command::new("kill")
                .args([name, &self.0.id().to_string()])
                .status()
                .unwrap()
        };
        signal("-STOP");
        thread::sleep(time);
        signal("-CONT");
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Units that were ever seen on a server, by subject.
#[derive(Default)]
struct Seen(BTreeMap<String, Vec<u8>>);

impl Seen {
    /// Remembers the units on the server. Requests that fail, since the server is lost, are skipped.
    async fn look(&mut self, context: &jetstream::Context) -> Option<()> {
        let mut units = context.get_stream("CHASE_WORK").await.ok()?;
        let state = units.info().await.ok()?.state.clone();
        for sequence in state.first_sequence..=state.last_sequence {
            if let Ok(message) = units.get_raw_message(sequence).await {
                self.0.insert(message.subject.to_string(), message.payload.to_vec());
            }
        }
        Some(())
    }

    /// Looks, and offers all of them once more if `again`, as if the server had delivered them twice or late. Returns
    /// how many the server took.
    fn deliver(&mut self, url: &str, again: bool) -> u64 {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let Ok(client) = async_nats::connect(url).await else {
                return 0;
            };
            let context = jetstream::new(client);
            self.look(&context).await;
            let mut taken = 0;
            for (subject, content) in self.0.iter().filter(|_| again) {
                // Refused, where the unit is still there.
                if let Ok(answer) = context.publish(subject.clone(), content.clone().into()).await {
                    taken += u64::from(answer.await.is_ok());
                }
            }
            taken
        })
    }
}

/// A run to its end, while something fails every few seconds.
///
/// `whole` is the time that the run takes alone. Faults become rarer with time, so that a run ends however slow the
/// machine is.
fn round(
    run: &Path,
    (straight, whole): (&Path, Duration),
    rng: &mut Xoshiro256PlusPlus,
    until: Instant,
    tally: &mut Tally,
) {
    let mut nats = Nats::start();
    let url = nats.url();
    let mut learner = Process(start(&url, Some(run)));
    let mut workers: Vec<_> = (0..WORKERS).map(|_| Process(start(&url, None))).collect();
    let (mut seen, mut repeated, begin) = (Seen::default(), 0, Instant::now());
    // True if the learner ended while there was no server, on which it then left what it had there.
    let mut left = false;
    let mut patience = whole.max(Duration::from_secs(1));
    loop {
        assert!(
            begin.elapsed() < STUCK,
            "the run in {} does not end: {tally}",
            run.display()
        );
        let wait = patience.mul_f64(rng.random_range(0.05..0.5));
        patience = patience.mul_f64(1.03);
        let begin = Instant::now();
        while begin.elapsed() < wait && learner.is_running() {
            thread::sleep(Duration::from_millis(20));
        }
        if let Some(status) = learner.0.try_wait().unwrap() {
            assert!(status.success(), "the learner fails: {status}; {tally}");
            break;
        }
        for worker in &mut workers {
            if !worker.is_running() {
                *worker = Process(start(&url, None));
            }
        }
        // When the time is over the run ends in peace.
        if Instant::now() >= until {
            continue;
        }
        seen.deliver(&url, false);
        let one = rng.random_range(0..WORKERS);
        let pause = Duration::from_millis(rng.random_range(300..4000));
        let fault = rng.random_range(0..100);
        match fault {
            0..40 => {
                workers[one].kill();
                workers[one] = Process(start(&url, None));
                tally.workers += 1;
            }
            40..56 => {
                learner.kill();
                learner = Process(start(&url, Some(run)));
                tally.learners += 1;
            }
            56..68 => {
                nats.restart(false);
                tally.servers += 1;
            }
            68..74 => {
                nats.restart(true);
                tally.empty += 1;
            }
            74..80 => {
                nats.restart_with(Some(FULL[rng.random_range(0..FULL.len())]));
                thread::sleep(pause);
                nats.restart_with(None);
                tally.full += 2;
            }
            80..87 => {
                workers[one].pause(pause);
                tally.silent += 1;
            }
            87..92 => {
                nats.pause(pause);
                tally.lost += 1;
            }
            _ => repeated += seen.deliver(&url, true),
        }
        left = (56..80).contains(&fault) && !learner.is_running();
    }
    assert_same_files(&essence(run), &essence(straight));
    // What was delivered again may be there still, since no learner expects it.
    if repeated == 0 && !left {
        assert_eq!(nats.messages(), 0);
    }
    tally.repeated += repeated;
    tally.runs += 1;
}

/// Goes on for `CHASE_SOAK_SECONDS`; what `cargo xtask soak --cluster` starts.
#[test]
#[ignore = "takes as long as it is told: cargo xtask soak --cluster"]
fn soak() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let (seconds, seed) = (
        number("CHASE_SOAK_SECONDS").unwrap_or(60),
        number("CHASE_SOAK_SEED").unwrap_or(1),
    );
    let begin = Instant::now();
    let until = begin + Duration::from_secs(seconds);
    let directory = tempfile::tempdir().unwrap();
    let straight = directory.path().join("straight");
    train(&straight, &LONGER, None);
    let whole = begin.elapsed();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut tally = Tally::default();
    let minutes = || begin.elapsed().as_secs_f64() / 60.0;
    while Instant::now() < until {
        let run = directory.path().join(format!("run-{}", tally.runs));
        round(&run, (&straight, whole), &mut rng, until, &mut tally);
        std::fs::remove_dir_all(run).unwrap();
        eprintln!("{:.1} min: {tally}", minutes());
    }
    eprintln!("seed {seed}, {:.1} min: {tally}", minutes());
}
