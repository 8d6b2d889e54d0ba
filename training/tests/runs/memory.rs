//! Memory over a run of many generations.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use chase_training::events::Ended;

use crate::{create, metric};

/// Generations until everything has been used once: tables of libtorch, the window, threads' own heaps.
const WARM: usize = 20;
const GENERATIONS: usize = 60;

/// Not a test of its own: what the next one starts as a process, whose memory is that of one run.
#[test]
fn child() {
    let Some(directory) = std::env::var_os("CHASE_TEST_MEMORY") else {
        return;
    };
    let tiny = [
        "selfplay.games=6",
        "replay.window_rows=60",
        "replay.window_slope=0.0",
        "measurement.every=0",
        "evaluation.every=0",
        &format!("limits.generations={GENERATIONS}"),
    ];
    assert_eq!(create(Path::new(&directory), &tiny).0.unwrap(), Ended::Generations);
}

#[test]
fn a_run_does_not_grow_with_its_generations() {
    let directory = tempfile::tempdir().unwrap();
    let run = directory.path().join("run");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "memory::child", "--nocapture"]);
    command.env("CHASE_TEST_MEMORY", &run);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().unwrap().success());
    let memory = metric(&run, "process/memory_mib");
    assert_eq!(memory.len(), GENERATIONS);
    let state: serde_json::Value = serde_json::from_slice(&fs::read(run.join("state.json")).unwrap()).unwrap();
    let samples = state["samples"].as_f64().unwrap() * (GENERATIONS - WARM) as f64 / GENERATIONS as f64;
    // Two planes of 42 cells in 32 bits: a run that loses no more than the planes of what it trains on would be seen.
    let limit = samples * 2.0 * 42.0 * 4.0 / f64::from(1 << 20);
    let growth = memory[GENERATIONS - 1] - memory[WARM];
    assert!(
        growth < limit,
        "{growth:.2} MiB, expected less than {limit:.2}: {memory:?}"
    );
}
