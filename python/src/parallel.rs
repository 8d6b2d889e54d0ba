//! Work on several threads.

use std::mem::take;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

/// The most threads that can be asked for.
pub const MOST: usize = 1024;

/// As many threads as the machine has cores for.
pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from).min(MOST)
}

/// Does the work of every task on at most N threads, neighbours together. What a task does must not depend on
/// others: then the number of threads changes nothing but the time.
///
/// The threads live for this call only, so that a process may fork between calls.
pub fn each<T: Send>(tasks: Vec<T>, threads: usize, work: impl Fn(T) + Sync) {
    let share = tasks.len().div_ceil(threads.clamp(1, MOST)).max(1);
    let mut tasks = tasks.into_iter();
    let mut next = move || tasks.by_ref().take(share).collect::<Vec<T>>();
    let own = next();
    scope(|scope| {
        let work = &work;
        loop {
            let chunk = next();
            if chunk.is_empty() {
                break;
            }
            // Behind a lock, so that the work is not lost with a thread that could not be started.
            let chunk = Mutex::new(chunk);
            let chunk = Arc::new(chunk);
            let theirs = Arc::clone(&chunk);
            let run = move |chunk: &Mutex<Vec<T>>| {
                let tasks = take(&mut *chunk.lock().unwrap_or_else(PoisonError::into_inner));
                tasks.into_iter().for_each(work);
            };
            if Builder::new().spawn_scoped(scope, move || run(&theirs)).is_err() {
                run(&chunk);
            }
        }
        own.into_iter().for_each(work);
    });
}
