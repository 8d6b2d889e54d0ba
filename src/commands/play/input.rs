//! Lines from a person, with history, or from a pipe.

use std::io::{self, IsTerminal, StdinLock};

use anyhow::Context;
use chase_engine::TextError;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Editor, Helper};

use crate::lines::Lines;

/// Longer than any command, including a file name in it.
const LONGEST_LINE: u64 = 1 << 13;

/// The source of commands.
pub enum Input {
    /// A terminal, with line editing, history and completion.
    Terminal(Box<Editor<Words, DefaultHistory>>),
    /// A pipe or a file.
    Pipe(Lines<StdinLock<'static>>),
}

/// Words that Tab completes at the beginning of a line, in either case of letters.
#[derive(Default)]
pub struct Words(Vec<String>);

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &rustyline::Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line[..at].to_ascii_uppercase();
        let fits = |word: &&String| word.to_ascii_uppercase().starts_with(&typed);
        Ok((0, self.0.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}
impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}

/// Input from the source.
pub enum Line {
    /// A line, or the error in it.
    Text(Result<String, TextError>),
    /// Ctrl-C at the prompt, which discards the typed text.
    Interrupted,
    /// End of the input.
    End,
}

impl Input {
    /// Opens standard input.
    pub fn new() -> anyhow::Result<Self> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let config = Config::builder().completion_type(CompletionType::List).build();
            let editor = Editor::with_config(config).context("cannot read from the terminal")?;
            return Ok(Self::Terminal(Box::new(editor)));
        }
        Ok(Self::Pipe(Lines::new(io::stdin().lock(), LONGEST_LINE)))
    }

    /// True if a person types at a terminal.
    pub const fn is_interactive(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// Reads the next line. Only a terminal shows the prompt, and completes these words.
    pub fn next(&mut self, prompt: &str, words: impl FnOnce() -> Vec<String>) -> anyhow::Result<Line> {
        match self {
            Self::Pipe(lines) => {
                let line = lines.next().context("cannot read standard input")?;
                Ok(line.map_or(Line::End, Line::Text))
            }
            Self::Terminal(editor) => {
                editor.set_helper(Some(Words(words())));
                Self::typed(editor, prompt)
            }
        }
    }

    fn typed(editor: &mut Editor<Words, DefaultHistory>, prompt: &str) -> anyhow::Result<Line> {
        loop {
            return match editor.readline(prompt) {
                Ok(line) => {
                    // Failing to store a line in the history is not an error.
                    let _ = editor.add_history_entry(&line);
                    Ok(Line::Text(Ok(line)))
                }
                Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                Err(ReadlineError::Eof) => Ok(Line::End),
                // The editor also reports signals, late: they have been handled already.
                Err(ReadlineError::Signal(_)) => continue,
                Err(error) => Err(error).context("cannot read from the terminal"),
            };
        }
    }
}
