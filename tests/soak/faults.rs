//! System calls that fail, are done by half, or are the last ones of the process.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::tally::Tally;
use crate::works::Work;

/// Builds the library that makes calls fail; none where programs cannot be given one.
pub(crate) fn library() -> Result<Option<PathBuf>> {
    if !cfg!(target_os = "linux") {
        return Ok(None);
    }
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
    let mut build = Command::new(cargo);
    build
        .args(["build", "--quiet", "--package", "chase-faults", "--target-dir"])
        .arg(&folder);
    let built = build
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status()
        .context("cargo")?;
    ensure!(built.success(), "the library of faults cannot be built");
    Ok(Some(folder.join("debug/libchase_faults.so")))
}

pub(crate) fn attack(
    work: &Work,
    library: &Path,
    home: &Path,
    rng: &mut Xoshiro256PlusPlus,
    tally: &mut Tally,
) -> Result<()> {
    let mut plans = Vec::new();
    // What goes on after a fault may meet another one.
    for _ in 0..rng.random_range(1..4) {
        let number = rng.random_range(0..work.calls.len());
        let action = action(&work.calls[number], rng);
        plans.push(format!("{action}:{}, which is {}", number + 1, work.calls[number]));
        let fault = format!("{action}:{}", number + 1);
        let log = home.join("calls");
        let variables = [
            ("LD_PRELOAD", library.to_owned()),
            ("CHASE_FAULTS", fault.into()),
            ("CHASE_FAULTS_LOG", log.clone()),
        ];
        let ended = work.start(home, &variables)?.end()?;
        let killed = ended.status.signal() == Some(9) && !["enospc", "eio", "full", "short"].contains(&action);
        ensure!(
            killed || ended.status.success() || ended.is_refusal(),
            "at {plans:?} it ends with {}: {}",
            ended.status,
            ended.told
        );
        // What is nearly done makes fewer calls.
        let calls = fs::read_to_string(&log).unwrap_or_default().lines().count();
        tally.faults += u64::from(calls > number);
        let _ = fs::remove_file(log);
    }
    work.finish(home).with_context(|| format!("after {plans:?}"))?;
    tally.compared += 1;
    work.must_be_done(home, None)
        .with_context(|| format!("after {plans:?}"))
}

/// One that a call of this kind can meet.
fn action(call: &str, rng: &mut Xoshiro256PlusPlus) -> &'static str {
    let writes = call.starts_with("write") || call.starts_with("pwrite");
    let actions: &[&str] = match writes {
        true => &["enospc", "eio", "full", "short", "torn", "before", "after"],
        false => &["enospc", "eio", "full", "before", "after"],
    };
    actions[rng.random_range(0..actions.len())]
}
