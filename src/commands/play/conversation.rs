//! A game that is played line by line: lines from a person, answers to each.

use std::process::ExitCode;

use super::input::{Input, Line};
use crate::cli;

/// A game between a person and an opponent.
pub trait Conversation {
    /// The prompt: the text before the line that a person types.
    fn prompt(&self) -> String;

    /// Commands, and actions as a person types them: what Tab completes.
    fn words(&self) -> Vec<String>;

    /// Lets the opponent act once, if it is its turn, and says what happened.
    ///
    /// # Errors
    /// If the opponent cannot continue.
    fn opponent_acts(&mut self) -> anyhow::Result<Option<String>>;

    /// Executes the command of a line.
    ///
    /// # Errors
    /// A [`Mistake`], after which the game continues, or an error that ends it.
    fn obey(&mut self, line: &str) -> anyhow::Result<Reply>;
}

/// Something that the person asked for and cannot have.
#[derive(Debug)]
pub struct Mistake(pub String);

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Mistake {}

/// The effect of a command.
#[derive(Debug)]
pub enum Reply {
    /// Print this.
    Say(String),
    /// End.
    Quit,
}

/// Takes lines until there are no more, or one ends the game. The exit code says whether all lines of a pipe were
/// understood.
///
/// # Errors
/// If something ends the game that is no [`Mistake`].
pub fn converse(game: &mut impl Conversation, mut input: Input) -> anyhow::Result<ExitCode> {
    let (mut understood, mut interrupted) = (true, false);
    loop {
        while let Some(news) = game.opponent_acts()? {
            cli::print(news)?;
        }
        let line = match input.next(&game.prompt(), || game.words())? {
            Line::Text(line) => line,
            Line::Interrupted if !interrupted => {
                interrupted = true;
                cli::print("Ctrl-C again leaves, as `quit` does")?;
                continue;
            }
            Line::Interrupted | Line::End => break,
        };
        interrupted = false;
        let answer = line.map_err(|error| Mistake(error.kind.to_string()).into());
        match answer.and_then(|line| game.obey(&line)) {
            Ok(Reply::Say(text)) if text.is_empty() => {}
            Ok(Reply::Say(text)) => cli::print(text)?,
            Ok(Reply::Quit) => break,
            Err(error) if error.is::<Mistake>() => {
                cli::print(format_args!("{error}"))?;
                understood = false;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(if understood || input.is_interactive() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(cli::BAD_INPUT)
    })
}
