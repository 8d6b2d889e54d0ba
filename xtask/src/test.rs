//! `cargo xtask test`: everything that must hold before a change lands.

use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::beside::Beside;
use crate::command::run_command;
use crate::{bench, nats, python, setup};

pub fn run(repository: &Path) -> anyhow::Result<()> {
    step("set-up", || setup::run(repository, &setup::Options::default()))?;
    // A failure of one step does not hide those of others.
    let mut failures = Vec::new();
    let mut check = |name, work: &dyn Fn() -> anyhow::Result<()>| failures.extend(step(name, work).err());
    check("format", &|| cargo(repository, "fmt --all --check"));
    check("clippy", &|| {
        cargo(
            repository,
            "clippy --workspace --all-targets --quiet -- --deny warnings",
        )
    });
    check("documentation", &|| {
        let mut doc = command(repository, "doc --workspace --no-deps --quiet");
        run_command(doc.env("RUSTDOCFLAGS", "--deny warnings"))
    });
    // Without the feature `torch`, which the other crates enable: bindings and tools need manifests only.
    check("clippy without libtorch", &|| {
        let arguments = "clippy --package chase-models --no-default-features --all-targets --quiet -- --deny warnings";
        cargo(repository, arguments)
    });
    // Games, numbers and pages: these must build without libtorch. Their tests run with all others: here the engine
    // would be compiled once more, for other features of its dependencies.
    check("games, numbers and pages without libtorch", &|| {
        let arguments =
            "check --package chase-engine --package chase-statistics --package chase-report --all-targets --quiet";
        let mut check = command(repository, arguments);
        run_command(check.env("LIBTORCH", repository.join("target/no-libtorch")))
    });
    check("server of NATS", &|| nats::run(repository));
    let tests_of = "test --workspace --quiet --no-fail-fast";
    // Clippy has compiled the examples, which have no tests.
    let kinds = "--lib --bins --tests";
    check("build of the tests", &|| {
        cargo(repository, &format!("{tests_of} {kinds} --no-run"))
    });
    // The build keeps every core busy, the tests do not: that is the time for what is independent of them.
    let beside = Beside::start(repository, independent())?;
    check("tests", &|| {
        let mut tests = command(repository, &format!("{tests_of} {kinds}"));
        run_command(tests.env("RUST_TEST_THREADS", test_threads().to_string()))
    });
    check("tests in the documentation", &|| {
        cargo(repository, &format!("{tests_of} --doc"))
    });
    failures.extend(beside.wait());
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

/// Commands that are independent of the tests and share little of their build.
fn independent() -> Vec<&'static str> {
    let mut commands = Vec::new();
    if python::available() {
        commands.push("python");
    } else {
        println!("==> Python package: left out, since there is no Python of 3.10 or newer with venv");
    }
    commands.push("fuzz");
    if bench::valgrind() {
        commands.push("bench --instructions");
    } else {
        println!("==> instruction counts: left out, since valgrind is not there");
    }
    commands
}

fn step(name: &str, work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<()> {
    println!("==> {name}");
    let start = Instant::now();
    let done = work();
    let result = if done.is_ok() { "good" } else { "failed" };
    println!("    {name}: {result}, {:.0} s", start.elapsed().as_secs_f64());
    done.with_context(|| name.to_owned())
}

fn cargo(repository: &Path, arguments: &str) -> anyhow::Result<()> {
    run_command(&mut command(repository, arguments))
}

fn command(repository: &Path, arguments: &str) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(repository).args(arguments.split(' '));
    command
}
