//! A session line by line: lines from a person, answers to each.

use std::process::ExitCode;

use chase_engine::Playable;

use super::input::{Input, Line};
use super::session::{Mistake, Reply, Session};
use super::texts::Texts;
use crate::cli;

/// Takes lines until there are no more, or one ends the game. The exit code says whether all lines of a pipe were
/// understood.
///
/// # Errors
/// If something ends the game that is not a [`Mistake`].
pub fn converse<G: Playable, T: Texts<G>>(game: &mut Session<G, T>, mut input: Input) -> anyhow::Result<ExitCode> {
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
        let answer = line.map_err(|error| Mistake(error.message.to_string()).into());
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
