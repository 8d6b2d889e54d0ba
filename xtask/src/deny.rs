//! `cargo xtask deny`: advisories, licences and sources of all crates that the lock files name.

use std::path::Path;
use std::process::Command;

use crate::command::run_command;

/// Pinned, since newer versions may report what was allowed before.
const DENY: &str = "cargo-deny@0.20.2";

/// The workspaces, each with its own lock file.
const WORKSPACES: [&str; 3] = ["Cargo.toml", "python/Cargo.toml", "engine/fuzz/Cargo.toml"];

#[derive(clap::Args)]
pub struct Options {
    /// Leave advisories out, whose database comes over the network.
    #[arg(long)]
    offline: bool,
}

pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    let tools = repository.join(".tools");
    let mut install = Command::new("cargo");
    // Does nothing if that version is installed.
    let install = install.args(["install", "--locked", "--quiet", DENY, "--root"]);
    run_command(install.arg(&tools))?;
    for workspace in WORKSPACES {
        let mut deny = Command::new(tools.join("bin/cargo-deny"));
        deny.current_dir(repository).arg("--manifest-path").arg(workspace);
        deny.arg("--config").arg(repository.join("deny.toml"));
        deny.args(["check", "bans", "licenses", "sources"]);
        if !options.offline {
            deny.arg("advisories");
        }
        run_command(&mut deny)?;
    }
    Ok(())
}
