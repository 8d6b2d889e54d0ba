//! `cargo xtask test`: everything that must hold before a change lands.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use crate::command::{cargo, create, run_command};
use crate::{jobs, python, setup};

pub fn run(repository: &Path) -> Result<()> {
    let check = |arguments: &str| run_command(&mut cargo(repository, arguments));
    step("set-up", || setup::run(repository, &setup::Options::default()))?;
    // A failure of one step does not hide those of others.
    let mut failures = Vec::new();
    let mut tried = |name: &str, work: &dyn Fn() -> Result<()>| failures.extend(step(name, work).err());
    tried("format", &|| check("fmt --all --check"));
    tried("clippy", &|| {
        check("clippy --workspace --all-targets --quiet -- --deny warnings")
    });
    tried("documentation", &|| {
        let mut doc = cargo(repository, "doc --workspace --no-deps --quiet");
        run_command(doc.env("RUSTDOCFLAGS", "--deny warnings"))
    });
    // Without the feature `torch`, which the other crates enable: bindings and tools need manifests only.
    tried("clippy without libtorch", &|| {
        check("clippy --package chase-models --no-default-features --all-targets --quiet -- --deny warnings")
    });
    // Games, numbers and pages: these must build without libtorch. Their tests run with all others: here the engine
    // would be compiled once more, for other features of its dependencies.
    tried("games, numbers and pages without libtorch", &|| {
        let arguments =
            "check --package chase-engine --package chase-statistics --package chase-report --all-targets --quiet";
        let mut check = cargo(repository, arguments);
        run_command(check.env("LIBTORCH", repository.join("target/no-libtorch")))
    });
    tried("server of NATS", &|| jobs::nats(repository));
    let tests_of = "test --workspace --quiet --no-fail-fast";
    // Clippy has compiled the examples, which have no tests.
    let kinds = "--lib --bins --tests";
    tried("build of the tests", &|| check(&format!("{tests_of} {kinds} --no-run")));
    // The build keeps every core busy, the tests do not: that is the time for what is independent of them.
    let logs = repository.join("target/xtask");
    create(&logs)?;
    let commands = independent().into_iter();
    let beside = thread::spawn(move || {
        let failures = commands.filter_map(|command| run_beside(command, &logs).err());
        failures.collect::<Vec<_>>()
    });
    tried("tests", &|| {
        let mut tests = cargo(repository, &format!("{tests_of} {kinds}"));
        run_command(tests.env("RUST_TEST_THREADS", test_threads().to_string()))
    });
    tried("tests in the documentation", &|| check(&format!("{tests_of} --doc")));
    failures.extend(beside.join().expect("starting a command does not panic"));
    for failure in &failures {
        println!("==> {failure:#}");
    }
    ensure!(failures.is_empty(), "{} steps failed", failures.len());
    Ok(())
}

/// Tests at a time: 1.5 per core, since some wait for processes, kills and connections.
fn test_threads() -> usize {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    cores + cores.div_ceil(2)
}

/// Commands that are independent of the tests and share little of their build, each given as its words.
fn independent() -> Vec<&'static str> {
    let (python, valgrind) = (python::available(), jobs::valgrind());
    if !python {
        println!("==> Python package: left out, since there is no Python of 3.10 or newer with venv");
    }
    if !valgrind {
        println!("==> instruction counts: left out, since valgrind is not there");
    }
    let commands = [(python, "python"), (true, "fuzz"), (valgrind, "bench --instructions")];
    commands
        .into_iter()
        .filter(|(is_there, _)| *is_there)
        .map(|(_, command)| command)
        .collect()
}

fn step(name: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("==> {name}");
    let start = Instant::now();
    let done = work();
    let result = if done.is_ok() { "good" } else { "failed" };
    println!("    {name}: {result}, {:.0} s", start.elapsed().as_secs_f64());
    done.with_context(|| name.to_owned())
}

/// Runs a command of this program while others run: its output goes to a file.
fn run_beside(words: &str, logs: &Path) -> Result<()> {
    let log = logs.join(format!("{}.log", words.replace([' ', '-'], "")));
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
