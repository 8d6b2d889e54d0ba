//! The text form of an external program.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use crate::players::grammar::{self, SpecError, TextOption, Values, key_values, set_all};
use crate::ugi::Go;

/// An external program that speaks UGI, as a player: `ugi:command=PROGRAM ARGUMENTS…`, with options before `command`.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineSpec {
    /// The program and its arguments, as typed.
    command: String,
    /// The same, split as a shell would.
    pub(super) words: Vec<String>,
    /// The limits of every `go`.
    pub(super) limit: Go,
    /// Time limit for starting, and for a decision before it loses the game.
    pub(super) timeout: Duration,
}

/// A text of this kind.
pub(crate) const EXAMPLE: &str = "ugi:nodes=200,command=chase engine net:runs/quick-1";
/// Default milliseconds per decision.
const MOVETIME: u64 = 1000;
/// Default time limit of a decision.
const TIMEOUT: Duration = Duration::from_secs(60);
/// The last option, whose value may contain commas.
const COMMAND: &str = "command";

/// The options of an external program.
pub(crate) static OPTIONS: [TextOption<EngineSpec>; 5] = [
    TextOption {
        key: "nodes",
        values: Values::Integer("an integer", 1..=u64::MAX, |program, nodes| {
            program.limit.nodes = Some(nodes);
        }),
        default: "no limit",
        meaning: "Nodes per decision, sent with every go.",
        get: |program| Some(program.limit.nodes?.to_string()),
    },
    TextOption {
        key: "depth",
        values: Values::Integer("plies", 1..=10_000, |program, plies| {
            program.limit.depth = Some(plies);
        }),
        default: "no limit",
        meaning: "Depth of the search, sent with every go.",
        get: |program| Some(program.limit.depth?.to_string()),
    },
    TextOption {
        key: "ms",
        values: Values::Integer("milliseconds", 1..=3_600_000, |program, ms| {
            program.limit.movetime = Some(ms);
        }),
        default: "1000; no limit with nodes or depth",
        meaning: "Time per decision, sent with every go as movetime.",
        get: |program| {
            let usual = program.limit == USUAL;
            program.limit.movetime.filter(|_| !usual).map(|ms| ms.to_string())
        },
    },
    TextOption {
        key: "timeout",
        values: Values::Text("seconds from 0.001 to 86400", |program, text| {
            let seconds = text.parse().ok().filter(|seconds| (0.001..=86_400.0).contains(seconds));
            let timeout = seconds.map(Duration::from_secs_f64);
            timeout.map(|timeout| program.timeout = timeout).is_some()
        }),
        default: "60",
        meaning: "Wall-clock time to start, and for each decision; a late decision loses the game.",
        get: |program| (program.timeout != TIMEOUT).then(|| program.timeout.as_secs_f64().to_string()),
    },
    TextOption {
        key: COMMAND,
        values: Values::Text(
            "a program and its arguments, every quotation closed",
            |program, text| {
                let words = shlex::split(text);
                program.command = text.to_owned();
                words.map(|words| program.words = words).is_some()
            },
        ),
        default: "none: it must be given",
        meaning: "The program and its arguments, split as a shell would; always the last option.",
        get: |program| Some(program.command.clone()),
    },
];

/// The default limits.
const USUAL: Go = Go {
    clocks: [None; 2],
    increments: [None; 2],
    movetime: Some(MOVETIME),
    depth: None,
    nodes: None,
    infinite: false,
};

impl EngineSpec {
    /// Reads the text after `ugi:`; `spec` is the whole text.
    pub(crate) fn read(spec: &str, options: &str) -> Result<Self, SpecError> {
        let missing = || SpecError::missing(spec, format_args!("a program as its last option, as in {EXAMPLE}"));
        let (options, command) = match options.strip_prefix("command=") {
            Some(command) => (None, command),
            None => {
                let (options, command) = options.split_once(",command=").ok_or_else(missing)?;
                (Some(options), command)
            }
        };
        let mut read = Self {
            command: String::new(),
            words: Vec::new(),
            limit: Go::default(),
            timeout: TIMEOUT,
        };
        set_all(&OPTIONS, spec, &[(COMMAND, command)], &mut read)?;
        let Some(program) = read.words.first() else {
            return Err(missing());
        };
        let is_option = |option: &TextOption<Self>| program.contains(&format!(",{}=", option.key));
        if OPTIONS.iter().any(is_option) && !Path::new(program).exists() {
            return Err(SpecError::unfit(
                spec,
                format_args!("expected options before command=, which takes all the rest: {EXAMPLE}"),
            ));
        }
        if let Some(options) = options {
            set_all(&OPTIONS, spec, &key_values(spec, options)?, &mut read)?;
        }
        if read.limit == Go::default() {
            read.limit = USUAL;
        }
        let movetime = read.limit.movetime.map(Duration::from_millis);
        if movetime.is_some_and(|movetime| movetime >= read.timeout) {
            let timeout = read.timeout.as_secs_f64().to_string();
            let expected = "more seconds than the limit of time allows for a decision";
            return Err(SpecError::value(spec, "timeout", &timeout, expected));
        }
        Ok(read)
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = OPTIONS.iter().filter_map(|option| option.text(self));
        f.write_str(&grammar::text("ugi", None, options))
    }
}
