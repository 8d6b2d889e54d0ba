//! Commands that a person can type.

use std::path::PathBuf;

/// A parsed line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Play the action with this text or number.
    Play(String),
    /// List the legal actions, or only those that begin with a text.
    Moves(String),
    /// Show the board.
    Board,
    /// Take back this many of the person's decisions.
    Undo(usize),
    /// Show a search's choice, after this many simulations if given.
    Hint(Option<u32>),
    /// Show the game so far.
    Record,
    /// Write the game to a file.
    Save(PathBuf),
    /// Continue the game in a file.
    Load(PathBuf),
    /// Resign the game.
    Resign,
    /// Turn the board.
    Flip,
    /// Swap sides with the opponent.
    Swap,
    /// Start a new game.
    New,
    /// Explain the commands.
    Help,
    /// End the program.
    Quit,
}

/// Output of `help`, behind the forms of actions.
pub const HELP: &str = "\
Or a command:
  moves [CELL]    list the legal actions, or those that begin with a cell
  board           show the board
  hint [N]        ask a search of N simulations; Ctrl-C ends it early
  undo [N]        take back your last decision, or the last N, with what followed
  record          show the game so far
  save FILE       write the game to a file
  load FILE       continue the game in a file
  resign          give the game up
  flip            turn the board
  swap            change sides with the opponent
  new             begin again
  quit            end (also Ctrl-D)
Tab completes actions and commands.
Rules and notation: docs/src/chase/rules.md, docs/src/chase/notation.md";

/// The words of the commands.
pub const COMMANDS: [&str; 13] = [
    "board", "flip", "help", "hint", "load", "moves", "new", "quit", "record", "resign", "save", "swap", "undo",
];

impl Command {
    /// Parses a line; `None` if it is blank. What is no command is an action.
    ///
    /// # Errors
    /// A message with the expected form.
    pub fn read(line: &str) -> Result<Option<Self>, String> {
        let line = chase_training::store::files::without_mark(line).trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_ascii_lowercase();
        let command = match word.as_str() {
            "" => return Ok(None),
            "moves" | "m" => return Ok(Some(Self::Moves(rest.to_owned()))),
            "undo" | "u" => return Ok(Some(Self::Undo(number("undo", rest)?.unwrap_or(1)))),
            "hint" | "h" => return Ok(Some(Self::Hint(number("hint", rest)?))),
            "save" | "load" if rest.is_empty() => return Err(format!("{word}: expected a file's name")),
            "save" => return Ok(Some(Self::Save(rest.into()))),
            "load" => return Ok(Some(Self::Load(rest.into()))),
            "board" | "b" => Self::Board,
            "record" => Self::Record,
            "resign" => Self::Resign,
            "flip" => Self::Flip,
            "swap" => Self::Swap,
            "new" => Self::New,
            "help" | "?" => Self::Help,
            "quit" | "exit" | "q" => Self::Quit,
            // Every action of every game has a digit, in the name of a cell or of a column.
            _ if !word.bytes().any(|byte| byte.is_ascii_digit()) => {
                return Err(format!(
                    "expected an action or a command, found `{word}`; `help` lists the commands"
                ));
            }
            _ => return Ok(Some(Self::Play(line.to_owned()))),
        };
        if rest.is_empty() {
            Ok(Some(command))
        } else {
            Err(format!("expected nothing behind `{word}`, found `{rest}`"))
        }
    }
}

/// The number after a command, if there is one; at least 1.
fn number<T: std::str::FromStr + PartialOrd + From<u8>>(word: &str, text: &str) -> Result<Option<T>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.parse().ok().filter(|number| *number >= T::from(1));
    let number = number.ok_or_else(|| format!("{word}: expected a number from 1, found `{text}`"))?;
    Ok(Some(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood_or_explained() {
        for (line, command) in [
            ("", None),
            ("a3nw ", Some(Command::Play("a3nw".into()))),
            ("12", Some(Command::Play("12".into()))),
            (" Moves a3", Some(Command::Moves("a3".into()))),
            ("moves", Some(Command::Moves(String::new()))),
            ("undo", Some(Command::Undo(1))),
            ("hint 50", Some(Command::Hint(Some(50)))),
            ("save My Game.txt", Some(Command::Save("My Game.txt".into()))),
        ] {
            assert_eq!(Command::read(line), Ok(command), "{line}");
        }
        for (line, reason) in [
            ("undo 0", "undo: expected a number from 1, found `0`"),
            ("dance", "expected an action or a command, found `dance`"),
            ("save", "save: expected a file's name"),
            ("resign now", "expected nothing behind `resign`, found `now`"),
        ] {
            let error = Command::read(line).expect_err(line);
            assert!(error.contains(reason), "{line}: {error}");
        }
    }
}
