//! What is attacked: the smallest training runs, tournaments, matches and studies that do all that large ones do.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::CHASE;

/// How long anything may take that is not given more to do than the works here, on any machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(600);

const TRAINING: &str = "
seed = 11
device = 'cpu'
precision = 'f32'
network = { blocks = 1, channels = 4, pooling = 0, policy_channels = 4, value_channels = 4, value_hidden = 4 }
search = { simulations = 2, fast_simulations = 1 }
selfplay = { games = 12, group_games = 3, in_flight = 3 }
rules = { max_turns = 12 }
measurement = { every = 2, games = 4, simulations = 2 }
replay = { window_rows = 60 }
learner = { batch = 8, replicas = 2, warmup_steps = 2 }
evaluation = { every = 2, opponents = ['random'], games = 4, simulations = 2 }
checkpoints = { keep_last = 2, keep_every = 0 }
limits = { generations = 3 }
";

const TOURNAMENT: &str = "
players = ['random', 'weak=greedy:blunders=0.8', 'more=rollouts:simulations=2']
pairs = 20
pairs_at_once = 3
seed = 7
threads = 2
bootstrap = 100
[rules]
max_turns = 60
";

/// Blunders leave the test undecided for some hundred pairs.
const MATCH: &str =
    "one=greedy:blunders=0.4 other=greedy:blunders=0.5 --pairs 2000 --sprt elo0=0,elo1=60 --seed 3 --threads 1";

const STUDY: &str = "
seed = 5
threads = 2
[games]
players = ['greedy:blunders=0.5']
replies = false
first_round = 1
most = 2
initial_factor = 1
max_plies = 12
shard = 16
in_flight = 16
[forks]
positions = 1
[checkpoints]
simulations = 1
curve_simulations = []
[search]
budgets = [1]
";

/// One kind of work, and how it ends when nothing interrupts it.
pub(crate) struct Work {
    pub(crate) name: &'static str,
    /// Subcommand and arguments of its beginning, but for the directory.
    begin: Vec<String>,
    /// Where it was done without interruption, in the folder [`RUN`].
    pub(crate) home: PathBuf,
    pub(crate) time: Duration,
    pub(crate) essence: BTreeMap<String, Vec<u8>>,
}

/// The directory of the work in its home.
pub(crate) const RUN: &str = "run";

impl Work {
    /// Does every kind of work once.
    pub(crate) fn all(folder: &Path) -> Result<Vec<Self>> {
        let file = |name: &str, text: &str| -> Result<String> {
            let path = folder.join(name);
            fs::write(&path, text)?;
            Ok(path.to_str().context("a path in UTF-8")?.to_owned())
        };
        let training = file("training.toml", TRAINING)?;
        let tournament = file("tournament.toml", TOURNAMENT)?;
        let study = file("study.toml", STUDY)?;
        let network = folder.join("training-1").join(RUN);
        let network = network.to_str().context("a path in UTF-8")?;
        let train = |threads| format!("train --quiet --config {training} --set threads={threads}");
        let works = [
            ("training-1", train(1)),
            ("tournament", format!("tournament {tournament}")),
            ("match", format!("match {MATCH}")),
            ("training-2", train(2)),
            ("study", format!("study --config {study} --checkpoint {network}")),
        ];
        works
            .into_iter()
            .map(|(name, begin)| Self::done(folder, name, &begin))
            .collect()
    }

    fn done(folder: &Path, name: &'static str, begin: &str) -> Result<Self> {
        let mut work = Self {
            name,
            begin: begin.split(' ').map(str::to_owned).collect(),
            home: folder.join(name),
            time: Duration::ZERO,
            essence: BTreeMap::new(),
        };
        fs::create_dir(&work.home)?;
        let began = Instant::now();
        let ended = work.start(&work.home)?.end()?;
        work.time = began.elapsed();
        ended.must_succeed()?;
        work.essence = essence(&work.home)?;
        Ok(work)
    }

    /// Begins the work in a home, or continues it.
    pub(crate) fn start(&self, home: &Path) -> Result<Running> {
        self.start_by(Command::new(CHASE), home)
    }

    /// The same by a command that starts the program with further arguments.
    pub(crate) fn start_by(&self, mut command: Command, home: &Path) -> Result<Running> {
        if home.join(RUN).join("meta.json").exists() {
            command.args([&self.begin[0], "--resume", RUN]);
        } else {
            command.args(&self.begin).args(["--run-dir", RUN]);
        }
        Running::start(command.current_dir(home), &home.join("told"))
    }

    /// Goes on until the work comes to its end.
    pub(crate) fn finish(&self, home: &Path) -> Result<Ended> {
        let ended = self.start(home)?.end()?;
        ended.must_succeed()?;
        Ok(ended)
    }

    /// Compares a home with that of the uninterrupted work; one file may be left out.
    pub(crate) fn must_be_done(&self, home: &Path, but: Option<&str>) -> Result<()> {
        let mut found = essence(home)?;
        let mut names: Vec<_> = found.keys().chain(self.essence.keys()).cloned().collect();
        names.sort_unstable();
        names.dedup();
        names.retain(|name| Some(&**name) != but);
        for name in names {
            match (found.remove(&name), self.essence.get(&name)) {
                (Some(found), Some(expected)) => ensure!(found == *expected, "{}: {name} differs", self.name),
                (Some(_), None) => bail!("{}: {name} is there, which no uninterrupted work leaves", self.name),
                (None, _) => bail!("{}: {name} is lost", self.name),
            }
        }
        Ok(())
    }
}

/// A process of chase.
pub(crate) struct Running {
    pub(crate) child: Child,
    told: PathBuf,
}

/// How it ended, and all that it has told.
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) told: String,
}

impl Running {
    /// Starts a command that tells what it has to tell to a file.
    pub(crate) fn start(command: &mut Command, told: &Path) -> Result<Self> {
        Self::fed(command, Stdio::null(), told)
    }

    /// As [`Running::start`], with something to read.
    pub(crate) fn fed(command: &mut Command, input: impl Into<Stdio>, told: &Path) -> Result<Self> {
        let file = File::create(told)?;
        command.stdin(input).stdout(file.try_clone()?).stderr(file);
        let child = command.spawn().context("chase does not start")?;
        Ok(Self {
            child,
            told: told.to_owned(),
        })
    }

    /// Waits so long at most.
    pub(crate) fn wait(&mut self, patience: Duration) -> Result<Option<ExitStatus>> {
        let began = Instant::now();
        loop {
            let status = self.child.try_wait()?;
            if status.is_some() || began.elapsed() >= patience {
                return Ok(status);
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Waits for its end, which must come.
    pub(crate) fn end(mut self) -> Result<Ended> {
        let Some(status) = self.wait(PATIENCE)? else {
            self.child.kill()?;
            self.child.wait()?;
            bail!("it does not end: {}", self.told()?);
        };
        let told = self.told()?;
        Ok(Ended { status, told })
    }

    fn told(&self) -> Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(&self.told)?).into_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Ended {
    fn must_succeed(&self) -> Result<()> {
        ensure!(self.status.success(), "it fails ({}): {}", self.status, self.told);
        Ok(())
    }

    /// Whether it has refused to go on, in the way in which all bad input is refused.
    pub(crate) fn is_refusal(&self) -> bool {
        self.status.code() == Some(2) && self.told.contains("error: ")
    }
}

/// The most memory that a process has had, in MiB; 0 where that cannot be seen.
pub(crate) fn most_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or(0) >> 10
}

/// All files below a folder.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => found.extend(files(&path)?),
            false => found.push(path),
        }
    }
    Ok(found)
}

/// All that must not depend on time or interruptions: by path, the content.
fn essence(home: &Path) -> Result<BTreeMap<String, Vec<u8>>> {
    let run = home.join(RUN);
    let mut found = BTreeMap::new();
    for path in files(&run)? {
        let name = path.strip_prefix(&run)?.to_string_lossy().into_owned();
        if !is_of_the_time(&name) {
            let content = fs::read(&path).with_context(|| name.clone())?;
            found.insert(name.clone(), without_times(&name, content));
        }
    }
    Ok(found)
}

/// Files that say when and by what they were written: locks, logs, facts about the process, and pages that repeat
/// those.
fn is_of_the_time(name: &str) -> bool {
    let names = ["LOCK", "log.txt", "clock.json", "meta.json", "report.html"];
    names.contains(&name) || name.starts_with("tb/")
}

fn without_times(name: &str, content: Vec<u8>) -> Vec<u8> {
    let mut lines: Vec<Value> = match name.rsplit_once('.') {
        Some((_, "json")) => serde_json::from_slice(&content).map_or_else(|_| Vec::new(), |value| vec![value]),
        Some((_, "jsonl")) => {
            let lines = content.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            lines
                .map(serde_json::from_slice)
                .collect::<Result<_, _>>()
                .unwrap_or_default()
        }
        _ => Vec::new(),
    };
    // What is no JSON is compared as it is.
    if lines.is_empty() {
        return content;
    }
    lines.iter_mut().for_each(remove_times);
    let mut lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    if name == "metrics.jsonl" {
        // An evaluation that is made up for comes later than others.
        lines.sort_unstable();
    }
    lines.join("\n").into_bytes()
}

fn remove_times(value: &mut Value) {
    match value {
        Value::Object(object) => {
            object.retain(|key, _| {
                // Rates, and what counts only what this process evaluated.
                let of_the_process = ["process/memory_mib", "inference/batch_mean", "speed"].contains(&&**key);
                let times = [
                    "seconds",
                    "milliseconds",
                    "last_milliseconds",
                    "started",
                    "first_game_at",
                    "eval/seconds",
                ];
                !times.contains(&&**key) && !key.starts_with("time") && !key.ends_with("_per_s") && !of_the_process
            });
            object.values_mut().for_each(remove_times);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}
