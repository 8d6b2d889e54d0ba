//! A disk that takes only the beginning of a file: every file of the process has a largest size.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rustix::process::Signal;

use crate::CHASE;
use crate::tally::Tally;
use crate::works::{RUN, Work, files};

/// Bytes of a block, the unit of `ulimit -f`.
const BLOCK: u64 = 512;
/// Blocks that there is always room for: messages are written to a file too.
const LEAST: u64 = 8;

pub(crate) fn attack(work: &Work, home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let mut sizes = Vec::new();
    for path in files(&work.home.join(RUN))? {
        sizes.push(fs::metadata(path)?.len() / BLOCK);
    }
    sizes.retain(|&size| size > LEAST);
    ensure!(
        !sizes.is_empty(),
        "{}: no file is larger than {LEAST} blocks",
        work.name
    );
    let mut told = Vec::new();
    // A process that continues after a full disk may meet another one.
    for _ in 0..rng.random_range(1..4) {
        let size = sizes[rng.random_range(0..sizes.len())];
        let blocks = rng.random_range(LEAST..size);
        let dies = rng.random_bool(0.3);
        told.push(format!("{blocks} blocks{}", if dies { ", or it dies" } else { "" }));
        let ended = work.start_by(limited(blocks, dies), home)?.end()?;
        let killed = dies && ended.status.signal() == Some(Signal::XFSZ.as_raw());
        ensure!(
            killed || ended.status.success() || ended.is_refusal(),
            "with {told:?} it ends with {}: {}",
            ended.status,
            ended.told
        );
        tally.full += u64::from(!ended.status.success());
    }
    work.finish(home).with_context(|| format!("after {told:?}"))?;
    tally.compared += 1;
    work.must_be_done(home, None).with_context(|| format!("after {told:?}"))
}

/// The program with at most that many blocks in each file. A longer one is an error, or, if the program `dies`, its
/// end in the middle of a write.
fn limited(blocks: u64, dies: bool) -> Command {
    let trap = if dies { "" } else { "trap '' XFSZ; " };
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("{trap}ulimit -c 0; ulimit -f {blocks}; exec \"$0\" \"$@\""),
        CHASE,
    ]);
    command
}
