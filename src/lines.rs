//! Lines of standard input, in bounded memory.

use std::io::{self, BufRead, Read};

use chase_engine::TextError;
use chase_training::store::files;

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
