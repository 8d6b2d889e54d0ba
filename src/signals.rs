//! Signals that ask the program to end: Ctrl-C, SIGTERM from a batch system, SIGHUP from a closed terminal.
//!
//! The first is a request; the second ends the process at once. Neither may run destructors of libtorch: other threads
//! may still be executing generated code that these destructors free.
//!
//! Work that a signal ended early exits with 128 + the signal, as in shells: a script goes on with whole work only.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::thread;

use anyhow::Context;
use chase_arena::players::external;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level;

use crate::cli;

/// The first signal that set a flag of [`stop_flag`]; 0 before.
static FIRST: AtomicI32 = AtomicI32::new(0);

/// A flag that the first signal sets, which prints `notice`; the second ends the program.
pub fn stop_flag(notice: &'static str) -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    on_first(move |signal| {
        FIRST.store(signal, Ordering::Relaxed);
        flag.store(true, Ordering::Release);
        let again = match signal {
            SIGINT => "press Ctrl-C again to stop at once",
            _ => "a second signal stops at once",
        };
        cli::note(format_args!("{notice}; {again}"));
    })?;
    Ok(stop)
}

/// The exit code of work that ended early because the flag of [`stop_flag`] was set: 128 + the signal, so 130 after
/// Ctrl-C.
///
/// # Panics
/// If no signal has set it.
pub fn interrupted() -> ExitCode {
    let code = u8::try_from(128 + FIRST.load(Ordering::Relaxed)).ok();
    let code = code
        .filter(|&code| code > 128)
        .expect("only a signal sets the flag, and its number is small");
    ExitCode::from(code)
}

/// The exit code of work that is done, unless the flag of [`stop_flag`] has `stopped` it.
pub fn ended(stopped: bool) -> ExitCode {
    match stopped {
        true => interrupted(),
        false => ExitCode::SUCCESS,
    }
}

/// Calls `first`, once, on the first signal; the second ends the program at once with 128 + the signal, as in shells.
pub fn on_first(first: impl FnOnce(i32) + Send + 'static) -> anyhow::Result<()> {
    let mut first = Some(first);
    on_each(move |signal| match first.take() {
        Some(first) => first(signal),
        None => end(128 + signal),
    })
}

/// Calls `handle` on every signal, on a separate thread.
pub fn on_each(mut handle: impl FnMut(i32) + Send + 'static) -> anyhow::Result<()> {
    let mut listened = vec![SIGINT, SIGTERM];
    // A program started by `nohup` survives the closing of its terminal.
    if !is_ignored(SIGHUP) {
        listened.push(SIGHUP);
    }
    let mut signals = Signals::new(listened).context("cannot listen to signals")?;
    let listen = move || signals.forever().for_each(&mut handle);
    let thread = thread::Builder::new().name("signals".into()).spawn(listen);
    thread.context("cannot listen to signals")?;
    Ok(())
}

/// Ends the process cleanly while abandoned searches still run.
pub fn end(code: i32) -> ! {
    // Nothing is dropped from here on, and external engines run in process groups of their own.
    external::kill_all();
    // A failed flush does not matter if the reader is gone.
    let _ = std::io::stdout().flush();
    low_level::exit(code)
}

/// True if this process was started with the signal ignored. Only Linux reports this without unsafe code.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
}
