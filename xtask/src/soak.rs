//! `cargo xtask soak`: the attacks of `tests/soak` on the whole program, or those on a cluster, for a given time.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::command::run_command;
use crate::nats;

#[derive(clap::Args)]
pub struct Options {
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

pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    let minutes = options.hours.map_or(options.minutes, |hours| hours * 60);
    let mut soak = Command::new("cargo");
    let arguments = match options.cluster {
        true => {
            nats::run(repository)?;
            "test --quiet --release --package chase-cluster --test cluster -- --ignored --exact soak::soak --nocapture"
        }
        false => "test --quiet --release --package chase --test soak -- --ignored --exact soak --nocapture",
    };
    soak.current_dir(repository).args(arguments.split(' '));
    soak.env("CHASE_SOAK_SECONDS", (minutes * 60).to_string())
        .env("CHASE_SOAK_SEED", options.seed.to_string());
    if let Some(round) = options.round {
        soak.env("CHASE_SOAK_ROUND", round.to_string());
    }
    // The test's own output goes to standard error, and ends with the counts.
    run_command(soak.stdout(Stdio::null()))
}
