//! `cargo xtask quick`: the main job, from nothing to a trained agent and its report.

use std::path::Path;
use std::process::Command;

use crate::command::run_command;
use crate::setup;

#[derive(clap::Args)]
pub struct Options {
    /// Configuration of the run; any of those in `configs/`.
    #[arg(long, default_value = "configs/quick.toml")]
    config: String,
    /// More arguments for `chase train`, behind `--`.
    #[arg(last = true)]
    arguments: Vec<String>,
}

/// What a newcomer may do with the agent; the run has printed where its report is.
const NEXT: &str = "
Three things to do next:
  cargo run --release -- serve      play in the browser, and look at the run
  cargo run --release -- play       play against the strongest agent, in the terminal
  docs/src/tutorial.md              what the run has printed and written, and how to train longer";

pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    println!("1 of 3: libtorch, a download of 540 MB: a minute or two, unless it is there");
    setup::run(repository, &setup::Options::default())?;
    // Not quietly: cargo shows its progress.
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(repository).args(arguments);
        cargo
    };
    println!("2 of 3: the build, with two cores and nothing compiled yet some ten minutes");
    run_command(&mut cargo(&["build", "--release"]))?;
    println!("3 of 3: the run of {}; it prints how far it is", options.config);
    let mut train = cargo(&[
        "run",
        "--quiet",
        "--release",
        "--",
        "train",
        "--config",
        &options.config,
    ]);
    run_command(train.args(&options.arguments))?;
    println!("{NEXT}");
    Ok(())
}
