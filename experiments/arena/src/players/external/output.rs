//! The output of an engine, which is read until it is closed or no one needs it any more.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest wait between two looks at whether the output is still needed.
#[cfg(unix)]
const LOOK: rustix::time::Timespec = rustix::time::Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

/// A pipe from an engine. It ends when `over` is set, even if a process that the engine has detached keeps the pipe
/// open: a thread that reads it would otherwise stay for as long as that process lives.
#[derive(Debug)]
pub(super) struct Output<R> {
    pub(super) pipe: R,
    pub(super) over: Arc<AtomicBool>,
}

#[cfg(unix)]
impl<R: Read + std::os::fd::AsFd> Read for Output<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        use rustix::event::{PollFd, PollFlags, poll};
        while !self.over.load(Ordering::Relaxed) {
            let mut waiting = [PollFd::new(&self.pipe, PollFlags::IN)];
            match poll(&mut waiting, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                // A pipe that is closed is ready, too.
                Ok(_) => return self.pipe.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(0)
    }
}

#[cfg(not(unix))]
impl<R: Read> Read for Output<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.over.load(Ordering::Relaxed) {
            true => Ok(0),
            false => self.pipe.read(buffer),
        }
    }
}
