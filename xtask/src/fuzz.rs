//! `cargo xtask fuzz`: every fuzz target for a bounded number of executions, with the stable toolchain.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, ensure};

use crate::command::{cargo, create, entries, output, run_command};

/// The flags of `cargo fuzz --sanitizer none`: coverage feedback for libFuzzer, and checks in the code under test.
const RUSTFLAGS: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1";

#[derive(clap::Args)]
pub struct Options {
    /// Executions of each target.
    #[arg(long, default_value_t = 100_000)]
    runs: u64,
    /// Only this target.
    #[arg(long)]
    target: Option<String>,
    /// Seed of the mutations; the same seed and corpus give the same inputs.
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

pub fn run(repository: &Path, options: &Options) -> anyhow::Result<()> {
    let folder = repository.join("engine/fuzz");
    let files = entries(&folder.join("targets"))?;
    let names = files
        .iter()
        .filter_map(|file| file.file_stem()?.to_str().map(str::to_owned));
    let mut targets: Vec<String> = names.collect();
    if let Some(only) = &options.target {
        ensure!(
            targets.contains(only),
            "no fuzz target `{only}`; there are {}",
            targets.join(", ")
        );
        targets.retain(|target| target == only);
    }
    // With a target triple the flags apply to the program only, not to build scripts.
    let mut build = cargo(&folder, &format!("build --release --target {}", host_triple()?));
    run_command(build.env("RUSTFLAGS", RUSTFLAGS).env_remove("LIBTORCH"))?;
    let binaries = folder.join("target").join(host_triple()?).join("release");
    for target in targets {
        // New inputs go to the first folder, which is temporary; the committed corpus is only read.
        let found = folder.join("target/found").join(&target);
        create(&found)?;
        let mut fuzz = Command::new(binaries.join(&target));
        fuzz.args([format!("-runs={}", options.runs), format!("-seed={}", options.seed)]);
        fuzz.args(["-max_len=4096", "-timeout=60"]);
        let artifacts = folder.join("target").join(format!("{target}-"));
        fuzz.arg(format!("-artifact_prefix={}", artifacts.display()));
        fuzz.arg(found).arg(folder.join("corpus").join(&target));
        let start = Instant::now();
        output(&mut fuzz).with_context(|| format!("the input lies in engine/fuzz/target/{target}-*"))?;
        println!(
            "    {target}: {} executions in {:.0} s",
            options.runs,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}

fn host_triple() -> anyhow::Result<String> {
    let text = output(Command::new("rustc").arg("-vV"))?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc -vV names no host")
}
