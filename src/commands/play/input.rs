//! Lines from a person, with history, or from a pipe.

use std::io::{self, IsTerminal, StdinLock};

use anyhow::Context;
use chase_engine::chase::notation::ParseError;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::lines::Lines;

/// No command is longer, nor a file's name in it.
const LONGEST_LINE: u64 = 1 << 13;

/// Where commands come from.
pub enum Input {
    /// A terminal, with line editing and history.
    Terminal(Box<DefaultEditor>),
    /// A pipe or a file.
    Pipe(Lines<StdinLock<'static>>),
}

/// What comes from there.
pub enum Line {
    /// A line, or what is wrong with it.
    Text(Result<String, ParseError>),
    /// Ctrl-C at the prompt, which takes back what was typed.
    Interrupted,
    /// No more.
    End,
}

impl Input {
    /// Standard input.
    pub fn new() -> anyhow::Result<Self> {
        if io::stdin().is_terminal() && io::stdout().is_terminal() {
            let editor = DefaultEditor::new().context("cannot read from the terminal")?;
            return Ok(Self::Terminal(Box::new(editor)));
        }
        Ok(Self::Pipe(Lines::new(io::stdin().lock(), LONGEST_LINE)))
    }

    /// Whether a person types.
    pub const fn is_interactive(&self) -> bool {
        matches!(self, Self::Terminal(_))
    }

    /// What comes next. Only a terminal shows the prompt.
    pub fn next(&mut self, prompt: &str) -> anyhow::Result<Line> {
        match self {
            Self::Pipe(lines) => {
                let line = lines.next().context("cannot read standard input")?;
                Ok(line.map_or(Line::End, Line::Text))
            }
            Self::Terminal(editor) => loop {
                return match editor.readline(prompt) {
                    Ok(line) => {
                        // That a line cannot be kept is no reason to stop.
                        let _ = editor.add_history_entry(&line);
                        Ok(Line::Text(Ok(line)))
                    }
                    Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
                    Err(ReadlineError::Eof) => Ok(Line::End),
                    // The editor hears of signals too, late: what they mean was done when they came.
                    Err(ReadlineError::Signal(_)) => continue,
                    Err(error) => Err(error).context("cannot read from the terminal"),
                };
            },
        }
    }
}
