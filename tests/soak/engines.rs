//! Engines that do what no engine should, in matches that must go on without them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use chase_fixtures::lives;
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::CHASE;
use crate::tally::Tally;
use crate::works::{PATIENCE, Running, most_memory};

/// Does what its first argument says at the command that its second argument names, and all else as it should.
const ENGINE: &str = r#"
do_wrong() {
    case "$1" in
    silent) ;;
    sleep) sleep 1000 ;;
    crash) echo "out of ideas" >&2; exit 3 ;;
    segv) kill -SEGV $$ ;;
    closed) exec 1>&-; sleep 1000 ;;
    illegal) echo "bestmove E5E" ;;
    empty) echo; echo bestmove ;;
    three) echo "bestmove A3NW"; echo "bestmove A3NW"; echo "bestmove A3NW" ;;
    html) echo "<html><body>404</body></html>" ;;
    nul) printf 'bestmove \000\377\376\n' ;;
    line) head -c 100000000 /dev/zero | tr '\0' x; echo ;;
    endless) tr '\0' x < /dev/zero ;;
    info) while :; do echo "info depth 1 nodes 99999999999999999999 score cp nan pv A3NW"; done ;;
    options) while :; do echo "option name $line type spin default 1 min 0 max 99"; done ;;
    stderr) while :; do echo "warning: all is well" >&2; done ;;
    forks) sleep 1000 & sleep 1000 & ;;
    stubborn) trap '' TERM INT HUP; while :; do sleep 1000; done ;;
    esac
}
line=$(head -c 20000 /dev/zero | tr '\0' x)
while read -r word rest; do
    [ "$word" = "$2" ] && do_wrong "$1"
    case "$word" in
    ugi) echo "id name wrong"; echo "ugiok" ;;
    isready) echo "readyok" ;;
    quit) exit 0 ;;
    esac
done
"#;

const WRONGS: [&str; 17] = [
    "silent", "sleep", "crash", "segv", "closed", "illegal", "empty", "three", "html", "nul", "line", "endless",
    "info", "options", "stderr", "forks", "stubborn",
];

pub(crate) fn attack(home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let engine = home.join("engine.sh");
    fs::write(&engine, ENGINE)?;
    let wrong = WRONGS[rng.random_range(0..WRONGS.len())];
    // Half of them go wrong where most is at stake.
    let command = ["ugi", "isready", "position", "quit", "go", "go", "go", "go"][rng.random_range(0..8)];
    let mark = format!("CHASE_SOAK_MARK={}", home.display());
    let player = format!(
        "ugi:ms=1,timeout=0.3,command=env {mark} sh {} {wrong} {command}",
        engine.display()
    );
    let mut program = Command::new(CHASE);
    program.args([
        "match",
        &player,
        "random",
        "--pairs",
        "1",
        "--max-plies",
        "20",
        "--threads",
        "1",
        "--run-dir",
        "run",
    ]);
    let mut running = Running::start(program.current_dir(home), &home.join("told"))?;
    tally.engines += 1;
    let process = running.child.id();
    let (began, mut memory) = (Instant::now(), 0);
    while running.wait(Duration::from_millis(20))?.is_none() {
        memory = memory.max(most_memory(process));
        ensure!(
            began.elapsed() < PATIENCE,
            "an engine that is {wrong} at {command} holds the match up"
        );
    }
    let ended = running.end()?;
    ensure!(
        ended.status.success() || ended.is_refusal(),
        "with an engine that is {wrong} at {command} the match ends with {}: {}",
        ended.status,
        ended.told
    );
    ensure!(
        memory < 1500,
        "an engine that is {wrong} at {command} took {memory} MiB of chase"
    );
    let killed = Instant::now();
    while lives(&mark) {
        ensure!(
            killed.elapsed() < PATIENCE,
            "an engine that is {wrong} at {command} has left a process"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}
