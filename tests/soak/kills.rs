//! Work that is ended by signals at random moments, and goes on until it is done.

use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;
use rustix::process::{Pid, Signal, kill_process};

use crate::tally::Tally;
use crate::works::{PATIENCE, RUN, Running, Work};

/// With patience growing by a tenth each time, the last of them are a thousand times as long as the first.
const MOST: u32 = 100;

pub(crate) fn attack(work: &Work, home: &Path, rng: &mut Xoshiro256PlusPlus, tally: &mut Tally) -> Result<()> {
    let (mut scale, mut killed) = (1.0, false);
    for _ in 0..MOST {
        let mut running = work.start(home)?;
        let patience = work.time.mul_f64(rng.random_range(0.02..0.9) * scale);
        if let Some(status) = running.wait(patience)? {
            ensure!(status.success(), "it fails after kills: {}", running.end()?.told);
            if !killed {
                // The machine is faster than it was when the work was timed.
                fs::remove_dir_all(home.join(RUN))?;
                scale /= 2.0;
                continue;
            }
            tally.compared += 1;
            return work.must_be_done(home, None);
        }
        end(running, rng)?;
        tally.kills += 1;
        (killed, scale) = (true, scale * 1.1);
    }
    bail!("killed {MOST} times, it does not get on")
}

/// Ends a process by a signal: at once, or asked politely once or twice.
fn end(mut running: Running, rng: &mut Xoshiro256PlusPlus) -> Result<()> {
    let process = Pid::from_child(&running.child);
    // It may have ended by itself meanwhile.
    let send = |signal| {
        let _ = kill_process(process, signal);
    };
    let polite = [Signal::INT, Signal::TERM, Signal::HUP];
    if rng.random_bool(0.6) {
        send(Signal::KILL);
        running.wait(PATIENCE)?;
        return Ok(());
    }
    let signal = polite[rng.random_range(0..polite.len())];
    send(signal);
    if rng.random_bool(0.3) && running.wait(Duration::from_millis(rng.random_range(0..50)))?.is_none() {
        send(signal);
    }
    // The work may have been done before the signal came.
    let codes = [0, 1, 128 + signal.as_raw()];
    let ended = running.end()?;
    // Before the program listens for signals, they end it as the system would.
    let early = std::os::unix::process::ExitStatusExt::signal(&ended.status) == Some(signal.as_raw());
    ensure!(
        early || ended.status.code().is_some_and(|code| codes.contains(&code)),
        "after {signal:?} it ends with {}: {}",
        ended.status,
        ended.told
    );
    Ok(())
}
