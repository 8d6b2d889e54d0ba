//! `cargo xtask browser`: the page of `chase serve` in a real browser.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use crate::command::run_command;
use crate::setup;

/// The version that the tests were written for; it drives any installed Chromium.
const PLAYWRIGHT: &str = "playwright==1.65.2";
const CHROMIUM: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

#[derive(clap::Args)]
pub struct Options {
    /// Only these tests, such as test_play or test_board.Board.test_a_choice_can_be_taken_back.
    tests: Vec<String>,
}

/// Installs Playwright into `.tools/browser` once, builds `chase`, and runs the tests of `tests/browser/`.
pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    let chromium = std::env::var_os("CHROMIUM").or_else(|| {
        let mut names = CHROMIUM.into_iter();
        names
            .find(|name| Command::new(name).arg("--version").output().is_ok())
            .map(Into::into)
    });
    ensure!(
        chromium.is_some(),
        "no Chromium found: install one (Debian: apt install chromium), or name it in CHROMIUM"
    );
    setup::run(repository, &setup::Options::default())?;
    let environment = repository.join(".tools/browser");
    let python = environment.join("bin/python");
    let installed = Command::new(&python).args(["-c", "import playwright"]).output();
    if !installed.is_ok_and(|tried| tried.status.success()) {
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
        run_command(Command::new(&python).args(["-m", "pip", "install", "--quiet", PLAYWRIGHT]))?;
    }
    run_command(
        Command::new("cargo")
            .current_dir(repository)
            .args(["build", "--package", "chase"]),
    )?;
    let mut tests = Command::new(&python);
    tests
        .args(["-B", "-m", "unittest"])
        .args(&options.tests)
        .current_dir(repository.join("tests/browser"))
        .env("CHROMIUM", chromium.context("no Chromium")?);
    run_command(&mut tests)
}
