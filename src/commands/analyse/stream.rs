//! Requests from standard input, answers to standard output, many in flight.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};
use std::process::ExitCode;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use anyhow::Context;
use chase_arena::analysis::{Answer, Desk};
use chase_engine::Playable;
use chase_engine::TextError;

use crate::cli;
use crate::lines::Lines;

/// Longer than any request with a long game; a longer line is an error before it fills the memory.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines read in advance.
const AHEAD: usize = 256;

/// Requests in flight beyond which no more lines are read.
const MOST: usize = 4096;

type Line = io::Result<Result<String, TextError>>;

/// Answers requests until standard input ends and all have been answered.
pub fn run<G: Playable>(mut desk: Desk<G>) -> anyhow::Result<ExitCode> {
    if io::stdin().is_terminal() {
        cli::note("reading requests, one JSON object per line; Ctrl-D ends");
    }
    let lines = read_ahead()?;
    let mut output = Output {
        writer: BufWriter::new(io::stdout().lock()),
        errors: false,
    };
    let mut open = true;
    while open || !desk.is_idle() {
        while open && desk.in_flight() < MOST {
            let line = if desk.is_idle() {
                // Idle: clients that wait for answers must get them.
                output.writer.flush()?;
                lines.recv().map_err(|_| TryRecvError::Disconnected)
            } else {
                lines.try_recv()
            };
            let line = match line {
                Ok(line) => line.context("cannot read standard input")?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    open = false;
                    break;
                }
            };
            match line {
                Ok(line) if line.trim().is_empty() => {}
                Ok(line) => output.write(&desk.take(&line))?,
                Err(error) => {
                    let error = error.message.to_string();
                    output.write(&[Answer::Error { id: None, error }])?;
                }
            }
        }
        output.write(&desk.step()?)?;
    }
    output.writer.flush()?;
    Ok(if output.errors {
        ExitCode::from(cli::BAD_INPUT)
    } else {
        ExitCode::SUCCESS
    })
}

/// Reads lines on a separate thread, so that requests can arrive while others are searched.
fn read_ahead() -> anyhow::Result<Receiver<Line>> {
    let (send, receive) = mpsc::sync_channel(AHEAD);
    let read = move || {
        let mut lines = Lines::new(io::stdin().lock(), LONGEST_LINE);
        while let Some(line) = lines.next().transpose() {
            let failed = line.is_err();
            if send.send(line).is_err() || failed {
                return;
            }
        }
    };
    let thread = thread::Builder::new().name("requests".to_owned()).spawn(read);
    thread.context("cannot start the thread that reads")?;
    Ok(receive)
}

struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    /// True if any answer was an error.
    errors: bool,
}

impl Output {
    fn write(&mut self, answers: &[Answer]) -> anyhow::Result<()> {
        for answer in answers {
            self.errors |= matches!(answer, Answer::Error { .. });
            serde_json::to_writer(&mut self.writer, answer)?;
            self.writer.write_all(b"\n")?;
        }
        if !answers.is_empty() {
            self.writer.flush()?;
        }
        Ok(())
    }
}
