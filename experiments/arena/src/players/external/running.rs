//! The running engines, to be killed if this program ends without waiting for them.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command as Program};
use std::sync::{Mutex, MutexGuard};
use std::thread::{self, JoinHandle};

use crate::lock;

/// Processes that were started and not reaped yet; `None` after [`kill_all`]. Each leads a group with its own id.
static RUNNING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn running() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    lock(&RUNNING)
}

/// Starts a program in its own process group, which [`kill_all`] reaches until [`forget`] is called.
///
/// With its own group, Ctrl-C in a terminal reaches only this program, which ends the engine when its game is over; and
/// everything that the engine has started can be killed with it.
pub(super) fn start(mut program: Program) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut program, 0);
    // Locked until the process is known, so that `kill_all` misses none.
    let mut running = running();
    let running = running
        .as_mut()
        .ok_or_else(|| io::Error::other("this program is about to end"))?;
    let child = spawn(program)?;
    running.insert(child.id());
    Ok(child)
}

/// Must be called before a process is reaped: after that its id may be reused.
pub(super) fn forget(child: &Child) {
    if let Some(running) = &mut *running() {
        running.remove(&child.id());
    }
}

/// Kills a process and its group.
pub(super) fn kill_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(process as i32) {
        // It is not a fault if all of the group has already ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Kills every running engine and everything that it has started: for a program that exits without dropping its agents.
/// No engine can be started after this.
pub fn kill_all() {
    for process in running().take().into_iter().flatten() {
        kill_group(process);
    }
}

/// Starts a thread beside an engine.
///
/// # Errors
/// If the system has no room for another one.
pub(super) fn thread(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name("engine".to_owned()).spawn(work)
}

#[cfg(not(target_os = "linux"))]
fn spawn(mut program: Program) -> io::Result<Child> {
    program.spawn()
}

/// Starts a program that the system kills when this one ends in any way.
///
/// The system does so when the thread that started the program ends, so a single thread, which never ends, starts all
/// programs.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "what a child does between fork and exec can be said in no other way"
)]
fn spawn(mut program: Program) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    use std::sync::mpsc::{Sender, channel};

    use rustix::process::{Signal, set_parent_process_death_signal};

    type Order = (Program, Sender<io::Result<Child>>);
    static STARTER: Mutex<Option<Sender<Order>>> = Mutex::new(None);

    // SAFETY: between fork and exec there is one system call, which neither allocates nor takes a lock.
    unsafe {
        program.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
    let (started, child) = channel();
    let mut starter = lock(&STARTER);
    let orders = match &mut *starter {
        Some(orders) => orders,
        none => {
            let (orders, to_start) = channel::<Order>();
            thread(move || {
                for (mut program, started) in to_start {
                    let _ = started.send(program.spawn());
                }
            })?;
            none.insert(orders)
        }
    };
    let gone = || io::Error::other("no process can be started");
    orders.send((program, started)).map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}
