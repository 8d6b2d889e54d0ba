//! Lines of standard input, in bounded memory, and answers to them.

use std::io::{self, BufRead, BufWriter, IsTerminal, Read, Write};
use std::process::ExitCode;

use chase_engine::TextError;
use chase_training::store::files;
use serde::Serialize;

use crate::{cli, signals};

/// The lines of an input that programs write.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
    longest: u64,
}

impl<R: BufRead> Lines<R> {
    /// The lines of `input`, each of less than `longest` bytes.
    pub fn new(input: R, longest: u64) -> Self {
        Self {
            input,
            bytes: Vec::new(),
            longest,
        }
    }

    /// The next line without its end, or, for a line that is too long, an error with its beginning. `None` at the end
    /// of the input.
    ///
    /// # Errors
    /// If the input cannot be read.
    pub fn next(&mut self) -> io::Result<Option<Result<String, TextError>>> {
        self.bytes.clear();
        let mut limited = self.input.by_ref().take(self.longest);
        if limited.read_until(b'\n', &mut self.bytes)? == 0 {
            return Ok(None);
        }
        let whole = self.bytes.ends_with(b"\n") || (self.bytes.len() as u64) < self.longest;
        let text = String::from_utf8_lossy(&self.bytes);
        let line = files::without_mark(&text).trim_end_matches(['\n', '\r']);
        if whole {
            return Ok(Some(Ok(line.to_owned())));
        }
        let shown: String = line.chars().take(80).collect();
        self.input.skip_until(b'\n')?;
        let what = format!("a line of less than {} bytes", self.longest);
        Ok(Some(Err(TextError::expected(what, &shown, 0..shown.len()))))
    }
}

/// Longer than any position; a longer line is an error before it fills the memory.
const LONGEST_POSITION: u64 = 1 << 16;

/// The answer to a line that is not a position.
#[derive(Debug, Serialize)]
struct Refusal<'a> {
    position: &'a str,
    error: &'a str,
    /// Range of the error in the line, in bytes.
    span: [usize; 2],
}

/// Answers each of the `given` positions, or if there are none each line of standard input, with one JSON object. After
/// a line that is not a position, which gets a [`Refusal`], the exit code is that of bad input. A person at a terminal
/// is asked for `form`. Lines are read until `stop` is true.
pub fn answer_positions<A: Serialize>(
    given: &[String],
    form: &str,
    stop: &dyn Fn() -> bool,
    answer: impl Fn(&str) -> Result<A, TextError>,
) -> anyhow::Result<ExitCode> {
    let mut output = BufWriter::new(io::stdout().lock());
    let mut code = ExitCode::SUCCESS;
    let mut write = |line: Result<String, TextError>| -> anyhow::Result<()> {
        let (line, answer) = match line {
            Ok(line) => (line.clone(), answer(&line)),
            Err(error) => (error.input.to_string(), Err(error)),
        };
        match answer {
            Ok(answer) => serde_json::to_writer(&mut output, &answer)?,
            Err(error) => {
                code = ExitCode::from(cli::BAD_INPUT);
                let refusal = Refusal {
                    position: &line,
                    error: &error.message,
                    span: [error.span.start, error.span.end],
                };
                serde_json::to_writer(&mut output, &refusal)?;
            }
        }
        output.write_all(b"\n")?;
        // Writers may wait for each answer before they write the next line.
        Ok(output.flush()?)
    };
    for position in given {
        write(Ok(position.clone()))?;
    }
    let input = io::stdin().lock();
    if given.is_empty() && input.is_terminal() {
        cli::note(format_args!("reading {form}, one per line; Ctrl-D ends"));
    }
    let mut lines = Lines::new(input, LONGEST_POSITION);
    while given.is_empty()
        && let Some(line) = lines.next()?
    {
        write(line)?;
        if stop() {
            return Ok(signals::interrupted());
        }
    }
    Ok(code)
}
