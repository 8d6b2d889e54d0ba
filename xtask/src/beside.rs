//! Commands that run in parallel with others, since one build leaves resources for another: their output goes to files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::JoinHandle;
use std::time::Instant;

use anyhow::{Context, Error, Result, ensure};

/// Commands of this program, run one after the other on a separate thread.
pub struct Beside(JoinHandle<Vec<Error>>);

impl Beside {
    /// Starts the commands, each given as its words, such as `fuzz`.
    pub fn start(repository: &Path, commands: Vec<&'static str>) -> Result<Self> {
        let logs = repository.join("target/xtask");
        fs::create_dir_all(&logs).with_context(|| format!("cannot create {}", logs.display()))?;
        Ok(Self(std::thread::spawn(move || {
            let failures = commands.into_iter().filter_map(|command| run(command, &logs).err());
            failures.collect()
        })))
    }

    /// Waits for all of them to end, and returns their failures.
    pub fn wait(self) -> Vec<Error> {
        self.0.join().expect("starting a command does not panic")
    }
}

fn run(words: &str, logs: &Path) -> Result<()> {
    let log: PathBuf = logs.join(format!("{}.log", words.replace([' ', '-'], "")));
    let file = File::create(&log).with_context(|| format!("cannot write {}", log.display()))?;
    let mut command = Command::new(std::env::current_exe().context("this program")?);
    command.args(words.split(' ')).stdout(file.try_clone()?).stderr(file);
    let begin = Instant::now();
    let status = command.status().with_context(|| format!("cannot start `{words}`"))?;
    let said = || fs::read_to_string(&log).unwrap_or_default();
    ensure!(status.success(), "`cargo xtask {words}` failed ({status}):\n{}", said());
    let last = said().lines().last().unwrap_or_default().to_owned();
    println!(
        "    cargo xtask {words} (beside the others): good, {:.0} s: {last}",
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}
