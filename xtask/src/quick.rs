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

pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    setup::run(repository, &setup::Options::default())?;
    let mut train = Command::new("cargo");
    // Not quietly: the first build takes minutes, and cargo shows its progress.
    train
        .current_dir(repository)
        .args(["run", "--release", "--", "train", "--config", &options.config]);
    run_command(train.args(&options.arguments))
}
