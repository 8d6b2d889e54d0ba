//! Commands from a runner to an engine.

use std::fmt;
use std::str::FromStr;

/// A line from a runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ugi`: identify yourself and list the options.
    Ugi,
    /// `uci`: the same, from a runner for chess. Its other commands are those of UGI but for the names of clocks.
    Uci,
    /// `setoption name NAME value VALUE`; an empty value if none was given.
    SetOption {
        /// The option.
        name: String,
        /// Its new value.
        value: String,
    },
    /// `isready`: answer once everything before this is done.
    IsReady,
    /// `uginewgame`: the following commands belong to another game.
    NewGame,
    /// `position startpos`, `position fen FEN`, and after either `moves MOVE…`.
    Position {
        /// The initial position of the game.
        start: Start,
        /// All moves since, in the game's notation.
        moves: Vec<String>,
    },
    /// `go …`: choose a move.
    Go(Go),
    /// `query …`: a question about the position.
    Query(Query),
    /// `stop`: end the search and answer.
    Stop,
    /// `quit`: end.
    Quit,
}

/// The initial position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial position by the rules.
    Initial,
    /// A position as text, its fields separated by single blanks.
    Fen(String),
}

/// A question about the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// `p1turn`: is it the first player's turn?
    FirstToMove,
    /// `gameover`: is the game over?
    GameOver,
    /// `result`: who has won?
    Result,
}

/// Limits of a search; it ends at the first one reached. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Remaining time on the clocks of the first and of the second player.
    pub clocks: [Option<u64>; 2],
    /// Increment per move of each of them.
    pub increments: [Option<u64>; 2],
    /// Time for this move.
    pub movetime: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Searches until `stop`.
    pub infinite: bool,
}

/// Error returned for a line that is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No command begins like this.
    #[error("unknown command `{0}`")]
    Unknown(String),
    /// The command is incomplete, or has an invalid part.
    #[error("in `{command}`: expected {expected}")]
    Expected {
        /// First word of the command.
        command: &'static str,
        /// The expected words.
        expected: &'static str,
    },
}

const fn expected(command: &'static str, expected: &'static str) -> CommandError {
    CommandError::Expected { command, expected }
}

impl Query {
    const NAMES: [(Self, &'static str); 3] = [
        (Self::FirstToMove, "p1turn"),
        (Self::GameOver, "gameover"),
        (Self::Result, "result"),
    ];

    /// Name of the query.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(query, _)| *query == self);
        named.expect("every query has a name").1
    }
}

impl Go {
    /// The limits, with their names in UGI, and those of clocks in UCI.
    const fn limits(&mut self) -> [(&'static str, &'static str, &mut Option<u64>); 7] {
        let ([first, second], [first_more, second_more]) = (&mut self.clocks, &mut self.increments);
        [
            ("p1time", "wtime", first),
            ("p2time", "btime", second),
            ("p1inc", "winc", first_more),
            ("p2inc", "binc", second_more),
            ("movetime", "", &mut self.movetime),
            ("depth", "", &mut self.depth),
            ("nodes", "", &mut self.nodes),
        ]
    }

    /// Words of UCI that UGI does not have, and whether a number follows: clocks are shared out as if there were no
    /// `movestogo`, and a search ends at its other limits.
    const FOREIGN: [(&'static str, bool); 3] = [("movestogo", true), ("mate", true), ("ponder", false)];

    /// The words of a line that its `go` leaves out, though it is obeyed.
    pub fn left_out(line: &str) -> Vec<&str> {
        let mut words = line.split_ascii_whitespace();
        let is_foreign = |word: &&str| Self::FOREIGN.iter().any(|(foreign, _)| foreign == word);
        match words.next() {
            Some("go") => words.filter(is_foreign).collect(),
            _ => Vec::new(),
        }
    }

    fn read<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Self, CommandError> {
        const LIMITS: &str = "p1time, p2time, p1inc, p2inc, movetime, depth or nodes with a number, or infinite";
        let mut go = Self::default();
        while let Some(word) = words.next() {
            if word == "infinite" {
                go.infinite = true;
                continue;
            }
            if let Some((_, has_number)) = Self::FOREIGN.iter().find(|(foreign, _)| *foreign == word) {
                if *has_number {
                    words.next();
                }
                continue;
            }
            let named = go
                .limits()
                .into_iter()
                .find(|(ugi, uci, _)| [*ugi, *uci].contains(&word));
            let (.., limit) = named.ok_or(expected("go", LIMITS))?;
            let number = words.next().and_then(number);
            *limit = Some(number.ok_or(expected("go", LIMITS))?);
        }
        Ok(go)
    }
}

/// An integer. Too large values count as the largest one; negative ones, as on a clock that has run out, count as zero.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    Some(if digits.len() < text.len() {
        0
    } else {
        digits.parse().unwrap_or(u64::MAX)
    })
}

impl FromStr for Command {
    type Err = CommandError;

    /// Parses a line; its words are separated by any blanks.
    fn from_str(line: &str) -> Result<Self, CommandError> {
        let mut words = line.split_ascii_whitespace();
        let command = words.next().unwrap_or_default();
        let alone = match command {
            "ugi" => Some(Self::Ugi),
            "uci" => Some(Self::Uci),
            "isready" => Some(Self::IsReady),
            "uginewgame" | "ucinewgame" => Some(Self::NewGame),
            "stop" => Some(Self::Stop),
            "quit" => Some(Self::Quit),
            _ => None,
        };
        if let Some(command) = alone {
            return Ok(command);
        }
        match command {
            "setoption" => {
                const FORM: &str = "`setoption name NAME value VALUE`";
                if words.next() != Some("name") {
                    return Err(expected("setoption", FORM));
                }
                let name = join(words.by_ref().take_while(|&word| word != "value"));
                if name.is_empty() {
                    return Err(expected("setoption", FORM));
                }
                let value = join(words);
                Ok(Self::SetOption { name, value })
            }
            "position" => {
                const FORM: &str =
                    "`startpos` or `fen` with a position, then nothing or `moves` with one or more moves";
                let (start, moves) = match words.next() {
                    Some("startpos") => (Start::Initial, words.next()),
                    Some("fen") => {
                        let mut moves = None;
                        let fields = words.by_ref().take_while(|&word| {
                            moves = (word == "moves").then_some(word);
                            moves.is_none()
                        });
                        let text = join(fields);
                        (Start::Fen(text), moves)
                    }
                    _ => return Err(expected("position", FORM)),
                };
                let moves: Vec<_> = match moves {
                    None => Vec::new(),
                    // Runners may send `moves` without any moves.
                    Some("moves") => words.map(str::to_owned).collect(),
                    Some(_) => return Err(expected("position", FORM)),
                };
                match start {
                    Start::Fen(text) if text.is_empty() => Err(expected("position", FORM)),
                    start => Ok(Self::Position { start, moves }),
                }
            }
            "go" => Ok(Self::Go(Go::read(words)?)),
            "query" => {
                let word = words.next().unwrap_or_default();
                let query = Query::NAMES.iter().find(|(_, name)| *name == word);
                let query = query.ok_or(expected("query", "p1turn, gameover or result"))?;
                Ok(Self::Query(query.0))
            }
            unknown => Err(CommandError::Unknown(unknown.to_owned())),
        }
    }
}

fn join<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ugi => f.write_str("ugi"),
            Self::Uci => f.write_str("uci"),
            Self::SetOption { name, value } => write!(f, "setoption name {name} value {value}"),
            Self::IsReady => f.write_str("isready"),
            Self::NewGame => f.write_str("uginewgame"),
            Self::Position { start, moves } => {
                match start {
                    Start::Initial => f.write_str("position startpos")?,
                    Start::Fen(text) => write!(f, "position fen {text}")?,
                }
                if !moves.is_empty() {
                    write!(f, " moves {}", moves.join(" "))?;
                }
                Ok(())
            }
            Self::Go(go) => go.fmt(f),
            Self::Query(query) => write!(f, "query {}", query.name()),
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let mut go = *self;
        for (name, _, limit) in go.limits() {
            if let Some(limit) = limit {
                write!(f, " {name} {limit}")?;
            }
        }
        if self.infinite {
            f.write_str(" infinite")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for line in [
            "ugi",
            "uci",
            "isready",
            "uginewgame",
            "stop",
            "quit",
            "setoption name Repetition value 3",
            "setoption name A long name value a long value",
            "position startpos",
            "position startpos moves A3NW I3SE =C9",
            "position fen abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1",
            "position fen abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w 0 1 moves A3NW 1A6A7",
            "go",
            "go infinite",
            "go p1time 1000 p2time 900 p1inc 10 p2inc 0",
            "go movetime 500",
            "go depth 3",
            "go nodes 5000",
            "query p1turn",
            "query gameover",
            "query result",
        ] {
            let command: Command = line.parse().expect(line);
            assert_eq!(command.to_string(), line);
        }
    }

    #[test]
    fn blanks_clocks_below_zero_and_missing_moves_are_forgiven() {
        for (line, meaning) in [
            ("  go \t nodes   7 \r", "go nodes 7"),
            ("go p1time -5 p2time 3", "go p1time 0 p2time 3"),
            ("go nodes 99999999999999999999999", "go nodes 18446744073709551615"),
            ("position startpos moves", "position startpos"),
            ("position  fen 9/9 w moves", "position fen 9/9 w"),
            ("setoption name Clear", "setoption name Clear value "),
            ("isready now", "isready"),
            ("ucinewgame", "uginewgame"),
            ("go movestogo 40 wtime 5", "go p1time 5"),
            ("go ponder mate 3 wtime 5", "go p1time 5"),
            (
                "go wtime 5 btime 4 winc 3 binc 2",
                "go p1time 5 p2time 4 p1inc 3 p2inc 2",
            ),
        ] {
            let command: Command = line.parse().expect(line);
            assert_eq!(command.to_string(), meaning);
        }
        assert_eq!(Go::left_out("go ponder wtime 5 movestogo 40"), ["ponder", "movestogo"]);
        assert_eq!(Go::left_out("setoption name ponder value true"), [""; 0]);
    }

    #[test]
    fn errors_name_what_is_expected() {
        for (line, message) in [
            ("", "unknown command ``"),
            ("usi", "unknown command `usi`"),
            ("go nodes", "in `go`: expected p1time"),
            ("go nodes many", "in `go`: expected p1time"),
            ("position", "in `position`: expected `startpos`"),
            ("position fen", "in `position`: expected `startpos`"),
            ("query", "in `query`: expected p1turn"),
            ("setoption Threads 4", "in `setoption`: expected `setoption name"),
            ("setoption name value 4", "in `setoption`: expected `setoption name"),
        ] {
            let error = line.parse::<Command>().expect_err(line).to_string();
            assert!(error.starts_with(message), "{line}: {error}");
        }
    }
}
