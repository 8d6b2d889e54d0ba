//! `chase moves`

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use chase_engine::chase::notation::ParseError;
use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game};
use serde::Serialize;

use crate::cli;
use crate::lines::Lines;

/// List the legal actions of positions, as JSON
///
/// Takes positions in CFEN (see chase --help) as arguments, or reads them from standard input, one per line. Answers each line at once with one JSON
/// object: the position as it was read, its legal actions (exact form, the article's form, the index in the policy of a
/// network, and the position after it), and the outcome if the game is over: "white", "black" or "draw" (by 100 turns
/// without a capture or Chamber move). A line that is not a position gets an object with "error"; the other lines are
/// still read, and the exit code is 2.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase moves 'abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w'
  chase moves < positions.txt")]
pub struct Args {
    /// Positions, each in quotation marks [default: the lines of standard input]
    #[arg(value_name = "CFEN")]
    positions: Vec<String>,
}

/// No position is longer; what is gets an error before it fills the memory.
const LONGEST_LINE: u64 = 1 << 16;

#[derive(Serialize)]
struct Answer<'a> {
    position: &'a str,
    actions: Vec<LegalAction>,
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Where in the line the error is: bytes from and to.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
}

#[derive(Serialize)]
struct LegalAction {
    action: String,
    text: String,
    /// In a network's policy, from the view of the player to move.
    index: usize,
    result: String,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut all_good = true;
    let mut write = |answer: &Answer<'_>| -> anyhow::Result<()> {
        all_good &= answer.error.is_none();
        serde_json::to_writer(&mut output, answer)?;
        output.write_all(b"\n")?;
        // Who writes a line may wait for its answer before the next.
        Ok(output.flush()?)
    };
    for position in &args.positions {
        write(&answer(position))?;
    }
    if args.positions.is_empty() {
        read(&mut write)?;
    }
    Ok(if all_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(cli::BAD_INPUT)
    })
}

/// Answers the lines of standard input.
fn read(write: &mut dyn FnMut(&Answer<'_>) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let input = io::stdin().lock();
    if input.is_terminal() {
        cli::note("reading positions in CFEN, one per line; Ctrl-D ends");
    }
    let mut lines = Lines::new(input, LONGEST_LINE);
    while let Some(line) = lines.next()? {
        write(&match &line {
            Ok(line) => answer(line),
            Err(error) => refuse(&error.input, error),
        })?;
    }
    Ok(())
}

fn answer(line: &str) -> Answer<'_> {
    let position: Position = match line.parse() {
        Ok(position) => position,
        Err(error) => return refuse(line, &error),
    };
    // Neither an earlier occurrence nor the length limit of a game can be seen in a position.
    let rules = Rules {
        repetition: None,
        max_turns: None,
        ..Rules::default()
    };
    let outcome = position.end(&rules, 1).map(|(outcome, _)| outcome.name());
    let mut actions = Vec::new();
    if outcome.is_none() {
        let game = Chase::from_position(position, rules);
        position.for_each_action(|action| {
            let mut next = position;
            next.play_unchecked(action);
            actions.push(LegalAction {
                action: action.to_string(),
                text: position.article_text(action),
                index: game.policy_index(action),
                result: next.to_string(),
            });
        });
    }
    Answer {
        position: line,
        actions,
        outcome,
        error: None,
        span: None,
    }
}

fn refuse<'a>(line: &'a str, error: &ParseError) -> Answer<'a> {
    Answer {
        position: line,
        actions: Vec::new(),
        outcome: None,
        error: Some(error.kind.to_string()),
        span: Some([error.span.start, error.span.end]),
    }
}
