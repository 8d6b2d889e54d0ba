//! Replies from an engine to its runner.

use std::fmt;
use std::str::SplitAsciiWhitespace;

/// The move in a reply without one: the game is over, or the position is unknown.
pub const NO_MOVE: &str = "none";

/// A line from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name …`: the name of the engine.
    Name(String),
    /// `id author …`: the author of the engine.
    Author(String),
    /// `option …`: an option of the engine.
    Option(EngineOption),
    /// `ugiok`: the end of the identification.
    UgiOk,
    /// `uciok`: the same, to a runner for chess.
    UciOk,
    /// `readyok`: all earlier commands are done.
    ReadyOk,
    /// `info …`: progress of the search.
    Info(Info),
    /// `bestmove …`: the move chosen.
    BestMove(String),
    /// `response …`: the answer to a query.
    Response(Response),
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name.
    pub name: String,
    /// The type and range of its value, as the engine describes them: `check default false`.
    pub kind: String,
}

/// The answer to a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Response {
    /// Yes.
    True,
    /// No.
    False,
    /// The first player has won.
    FirstWins,
    /// The second player has won.
    SecondWins,
    /// The game is drawn.
    Draw,
    /// There is no result.
    None,
}

/// Progress of a search. Fields are `None` or empty if the engine does not report them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Rank of the line from 1, if several are shown.
    pub multipv: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u64>,
    /// Value of the line for the player to move.
    pub score: Option<UgiScore>,
    /// Probabilities of win, draw and loss for the player to move, in thousandths that add up to 1000.
    pub wdl: Option<[u16; 3]>,
    /// Nodes visited.
    pub nodes: Option<u64>,
    /// Milliseconds since the search began.
    pub time: Option<u64>,
    /// Nodes per second.
    pub nps: Option<u64>,
    /// The line: moves in the game's notation.
    pub pv: Vec<String>,
    /// Any text, for people.
    pub string: Option<String>,
}

/// The value of a line for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UgiScore {
    /// In hundredths of a point; the engine defines the point.
    Cp(i64),
    /// Plies until the game is won; negative if it is lost.
    Mate(i64),
}

impl Info {
    /// A message for people.
    pub fn message(text: impl Into<String>) -> Self {
        Self {
            string: Some(text.into()),
            ..Self::default()
        }
    }

    /// Parses the known parts of a line, and ignores the rest.
    fn read(line: &str) -> Self {
        let mut info = Self::default();
        let (fields, string) = match line.split_once(" string ") {
            Some((fields, string)) => (fields, Some(string)),
            None => (line, None),
        };
        info.string = string.map(str::to_owned);
        let mut words = fields.split_ascii_whitespace();
        while let Some(word) = words.next() {
            let number = |words: &mut SplitAsciiWhitespace<'_>| words.next()?.parse().ok();
            match word {
                "multipv" => info.multipv = number(&mut words),
                "depth" => info.depth = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "time" => info.time = number(&mut words),
                "nps" => info.nps = number(&mut words),
                "score" => {
                    let kind = words.next();
                    let value = words.next().and_then(|word| word.parse().ok());
                    info.score = match (kind, value) {
                        (Some("cp"), Some(value)) => Some(UgiScore::Cp(value)),
                        (Some("mate"), Some(value)) => Some(UgiScore::Mate(value)),
                        _ => None,
                    };
                }
                "wdl" => {
                    let mut share = || words.next()?.parse().ok();
                    info.wdl = share()
                        .zip(share())
                        .zip(share())
                        .map(|((win, draw), loss)| [win, draw, loss]);
                }
                "pv" => info.pv = words.by_ref().map(str::to_owned).collect(),
                _ => {}
            }
        }
        info
    }
}

impl Response {
    const NAMES: [(Self, &'static str); 6] = [
        (Self::True, "true"),
        (Self::False, "false"),
        (Self::FirstWins, "p1win"),
        (Self::SecondWins, "p2win"),
        (Self::Draw, "draw"),
        (Self::None, "none"),
    ];

    /// Name of the answer.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(response, _)| *response == self);
        named.expect("every answer has a name").1
    }
}

impl From<bool> for Response {
    fn from(yes: bool) -> Self {
        if yes { Self::True } else { Self::False }
    }
}

impl EngineOption {
    fn read(text: &str) -> Option<Self> {
        let (name, kind) = text.strip_prefix("name ")?.split_once(" type ")?;
        Some(Self {
            name: name.trim_ascii().to_owned(),
            kind: kind.to_owned(),
        })
    }
}

impl Reply {
    /// Reads a line; `None` if it is not a reply, or not a useful one.
    pub fn read(line: &str) -> Option<Self> {
        let line = line.trim_ascii();
        let (word, rest) = line.split_once([' ', '\t']).unwrap_or((line, ""));
        let rest = rest.trim_ascii_start();
        match word {
            "id" => match rest.split_once(' ') {
                Some(("name", name)) => Some(Self::Name(name.to_owned())),
                Some(("author", author)) => Some(Self::Author(author.to_owned())),
                _ => None,
            },
            "option" => EngineOption::read(rest).map(Self::Option),
            "ugiok" => Some(Self::UgiOk),
            "uciok" => Some(Self::UciOk),
            "readyok" => Some(Self::ReadyOk),
            "info" => Some(Self::Info(Info::read(&line["info".len()..]))),
            "bestmove" => {
                let best = rest.split_ascii_whitespace().next();
                best.map(|text| Self::BestMove(text.to_owned()))
            }
            "response" => {
                let response = Response::NAMES.iter().find(|(_, name)| *name == rest);
                response.map(|&(response, _)| Self::Response(response))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "id name {name}"),
            Self::Author(author) => write!(f, "id author {author}"),
            Self::Option(EngineOption { name, kind }) => write!(f, "option name {name} type {kind}"),
            Self::UgiOk => f.write_str("ugiok"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => info.fmt(f),
            Self::BestMove(text) => write!(f, "bestmove {text}"),
            Self::Response(response) => write!(f, "response {}", response.name()),
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let mut field = |name, value: Option<u64>| value.map_or(Ok(()), |value| write!(f, " {name} {value}"));
        field("multipv", self.multipv)?;
        field("depth", self.depth)?;
        match self.score {
            Some(UgiScore::Cp(value)) => write!(f, " score cp {value}")?,
            Some(UgiScore::Mate(plies)) => write!(f, " score mate {plies}")?,
            None => {}
        }
        if let Some([win, draw, loss]) = self.wdl {
            write!(f, " wdl {win} {draw} {loss}")?;
        }
        let mut field = |name, value: Option<u64>| value.map_or(Ok(()), |value| write!(f, " {name} {value}"));
        field("nodes", self.nodes)?;
        field("time", self.time)?;
        field("nps", self.nps)?;
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        if let Some(string) = &self.string {
            write!(f, " string {string}")?;
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
            "id name chase 0.1.0",
            "id author The Chase developers",
            "option name MultiPV type spin default 1 min 1 max 150",
            "option name Debug type check default false",
            "ugiok",
            "readyok",
            "info multipv 2 depth 7 score cp -12 wdl 300 280 420 nodes 5000 time 80 nps 62500 pv A3NW I3SE =C9",
            "info score mate -4 nodes 1 time 0 nps 0",
            "info string error: no position",
            "bestmove A3NW",
            "bestmove none",
            "response true",
            "response false",
            "response p1win",
            "response p2win",
            "response draw",
            "response none",
        ] {
            let reply = Reply::read(line).expect(line);
            assert_eq!(reply.to_string(), line);
        }
    }

    #[test]
    fn what_others_add_is_passed_over() {
        for (line, meaning) in [
            ("bestmove A3NW ponder I3SE", "bestmove A3NW"),
            ("  readyok  ", "readyok"),
            (
                "info depth 1 seldepth 3 score cp 5 lowerbound nodes 10 hashfull 0 pv A3NW",
                "info depth 1 score cp 5 nodes 10 pv A3NW",
            ),
            ("info depth x time 3", "info time 3"),
            (
                "option name Hash type spin default much min 1 max 2",
                "option name Hash type spin default much min 1 max 2",
            ),
        ] {
            let reply = Reply::read(line).expect(line);
            assert_eq!(reply.to_string(), meaning);
        }
        for line in [
            "",
            "hello",
            "bestmove",
            "response maybe",
            "id",
            "option Hash",
            "Bestmove A3NW",
        ] {
            assert_eq!(Reply::read(line), None, "{line}");
        }
    }
}
