//! Lines of nonsense to the commands that read lines.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use crate::CHASE;
use crate::requests::mutated;
use crate::tally::Tally;
use crate::works::Running;

/// Lines of one attack.
const LINES: usize = 500;

const POSITIONS: &[&str] = &[
    "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w",
    "f1f1f3e/9/9/9/5D3/9/9/9/ABC1EDCBA b 0 1",
    "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 100 90",
];

const REQUESTS: &[&str] = &[
    r#"{"id": "a", "simulations": 3}"#,
    r#"{"id": 7, "position": "abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w", "moves": "A3NW I3SE", "simulations": 2, "top": 3}"#,
    r#"{"id": "b", "moves": ["A3D2"], "milliseconds": 1}"#,
];

const COMMANDS: &[&str] = &[
    "ugi",
    "isready",
    "uginewgame",
    "setoption name Hash value 4",
    "position startpos moves A3NW I3SE",
    "position fen abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w moves A3NW",
    "go nodes 3",
    "go movetime 1",
    "stop",
    "query p1turn",
    "status",
];

pub(crate) fn attack(home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let kinds: [(&[&str], &[&str]); 3] = [
        (&["moves"], POSITIONS),
        (&["analyse", "uniform", "--stream"], REQUESTS),
        (&["engine", "random"], COMMANDS),
    ];
    let (args, lines) = kinds[rng.random_range(0..kinds.len())];
    let mut input = Vec::new();
    for _ in 0..LINES {
        let line = lines[rng.random_range(0..lines.len())].as_bytes();
        match rng.random_bool(0.8) {
            true => input.extend(mutated(line, rng)),
            false => input.extend(line),
        }
        input.push(b'\n');
    }
    let file = home.join("input");
    fs::write(&file, &input)?;
    let mut command = Command::new(CHASE);
    let running = Running::fed(
        command.args(args).current_dir(home),
        File::open(&file)?,
        &home.join("told"),
    )?;
    tally.inputs += LINES as u64;
    let ended = running.end().with_context(|| format!("chase {args:?}"))?;
    let code = ended.status.code();
    ensure!(
        [Some(0), Some(2)].contains(&code) && !ended.told.contains("panicked"),
        "chase {args:?} ends with {}: {}",
        ended.status,
        ended.told.lines().last().unwrap_or_default()
    );
    Ok(())
}
