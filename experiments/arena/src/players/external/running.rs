//! The engines that run, for when this program ends without waiting for them.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command as Program};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Processes that were started and not waited for yet; `None` after [`kill_all`]. Each leads a group, whose number is its own.
static RUNNING: Mutex<Option<BTreeSet<u32>>> = Mutex::new(Some(BTreeSet::new()));

fn running() -> MutexGuard<'static, Option<BTreeSet<u32>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program in a group of its own, which [`kill_all`] reaches until [`forget`] is called.
///
/// A group of its own: Ctrl-C in a terminal is for us, who end the engine when its game is over; and what the engine
/// itself has started can be killed with it.
pub(super) fn start(mut program: Program) -> io::Result<Child> {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut program, 0);
    // Locked until the process is known, so that none is started behind the back of `kill_all`.
    let mut running = running();
    let running = running
        .as_mut()
        .ok_or_else(|| io::Error::other("this program is about to end"))?;
    let child = spawn(program)?;
    running.insert(child.id());
    Ok(child)
}

/// Called before a process is waited for: after that its number may belong to another one.
pub(super) fn forget(child: &Child) {
    if let Some(running) = &mut *running() {
        running.remove(&child.id());
    }
}

/// Kills a process and its group.
pub(super) fn kill_group(process: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(process as i32) {
        // That all of the group has ended already is no fault.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = process;
}

/// Kills every engine that runs, and what it has started: for a program that ends at once, without dropping its agents.
/// No engine can be started after this.
pub fn kill_all() {
    for process in running().take().into_iter().flatten() {
        kill_group(process);
    }
}

#[cfg(not(target_os = "linux"))]
fn spawn(mut program: Program) -> io::Result<Child> {
    program.spawn()
}

/// Starts a program that the system kills when this one ends in whatever way.
///
/// The system does so when the thread that has started the program ends, so that one thread, which never does, starts all.
#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "what a child does between fork and exec can be said in no other way"
)]
fn spawn(mut program: Program) -> io::Result<Child> {
    use std::os::unix::process::CommandExt;
    use std::sync::LazyLock;
    use std::sync::mpsc::{Sender, channel};
    use std::thread;

    use rustix::process::{Signal, set_parent_process_death_signal};

    type Order = (Program, Sender<io::Result<Child>>);
    static STARTER: LazyLock<Mutex<Sender<Order>>> = LazyLock::new(|| {
        let (orders, to_start) = channel::<Order>();
        thread::spawn(move || {
            for (mut program, started) in to_start {
                let _ = started.send(program.spawn());
            }
        });
        Mutex::new(orders)
    });

    // SAFETY: between fork and exec there is one system call, which allocates nothing and takes no lock.
    unsafe {
        program.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
    }
    let (started, child) = channel();
    let orders = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    let gone = || io::Error::other("no process can be started");
    orders.send((program, started)).map_err(|_| gone())?;
    child.recv().map_err(|_| gone())?
}
