//! `chase moves`

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use chase_engine::TextError;
use chase_engine::chase::{Position, Rules};
use chase_engine::{Chase, Game, GameName, with_game};
use serde::Serialize;

use crate::cli;
use crate::lines::Lines;

/// List the legal actions of positions, as JSON
///
/// Takes positions (for Chase in CFEN, see chase --help) as arguments, or reads them from standard input, one per line.
/// Answers each line at once with one JSON object: the position as it was read, its legal actions (text, the index in
/// the policy of a network, and the position after it; in Chase the article's form too), and the outcome if the game is
/// over: the winner, as "white" or "black" in Chase, or "draw" (in Chase also by 100 turns without a capture or Chamber
/// move, in other games by the rules alone). A line that is not a position gets an object with "error"; the other lines
/// are still read, and the exit code is
/// 2.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  chase moves 'abcdedcba/9/9/9/9/9/9/9/ABCDEDCBA w'
  chase moves < positions.txt
  chase moves --game stax '8/8/8/8/8/2(MM)5/1(qMMMMMMMMMMmmmmmmmmmmm)6/8 l -'")]
pub struct Args {
    /// Positions, each in quotation marks [default: the lines of standard input]
    #[arg(value_name = "POSITION")]
    positions: Vec<String>,
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = GameName::Chase)]
    game: GameName,
    /// Print JSON; this is always done, with or without this option
    #[arg(long)]
    json: bool,
}

/// Longer than any position; a longer line is an error before it fills the memory.
const LONGEST_LINE: u64 = 1 << 16;

#[derive(Serialize)]
struct Answer<'a> {
    position: &'a str,
    actions: Vec<LegalAction>,
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Range of the error in the line, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
}

#[derive(Serialize)]
struct LegalAction {
    action: String,
    /// The article's form; only for Chase.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Index in a network's policy, from the point of view of the player to move.
    index: usize,
    result: String,
}

/// A function that answers a line.
type Answering = Box<dyn Fn(&str) -> Answer<'_>>;

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // There is no other output.
    let _ = args.json;
    let answer: Answering = match args.game {
        GameName::Chase => Box::new(answer),
        game => with_game!(game, G => {
            Box::new(move |line| answer_of::<G>(line, &G::published_rules(&game.rules::<G>())))
        }),
    };
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut all_good = true;
    let mut write = |answer: &Answer<'_>| -> anyhow::Result<()> {
        all_good &= answer.error.is_none();
        serde_json::to_writer(&mut output, answer)?;
        output.write_all(b"\n")?;
        // Writers may wait for each answer before they write the next line.
        Ok(output.flush()?)
    };
    for position in &args.positions {
        write(&answer(position))?;
    }
    if args.positions.is_empty() {
        read(args.game, answer, &mut write)?;
    }
    Ok(if all_good {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(cli::BAD_INPUT)
    })
}

/// Answers the lines of standard input.
fn read(
    game: GameName,
    answer: Answering,
    write: &mut dyn FnMut(&Answer<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let input = io::stdin().lock();
    if input.is_terminal() {
        cli::note(match game {
            GameName::Chase => "reading positions in CFEN, one per line; Ctrl-D ends".to_owned(),
            game => format!("reading positions of {game}, one per line; Ctrl-D ends"),
        });
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
    // A position shows neither its earlier occurrences nor the length limit of a game.
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
                text: Some(position.article_text(action)),
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

/// The answer for any game.
fn answer_of<'a, G: Game>(line: &'a str, rules: &G::Rules) -> Answer<'a> {
    let game = match G::from_position_text(line, rules) {
        Ok(game) => game,
        Err(error) => {
            let told = error.to_string();
            return Answer {
                position: line,
                actions: Vec::new(),
                outcome: None,
                // The lines below repeat the text, which the answer contains.
                error: told.lines().next().map(str::to_owned),
                span: None,
            };
        }
    };
    // Counters at the end of a position may be left out; then results leave them out too.
    let fields = line.split_whitespace().count();
    let cut = |text: String| text.split(' ').take(fields).collect::<Vec<_>>().join(" ");
    let outcome = game.outcome().map(G::outcome_name);
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let action = |action| {
        let mut next = game.clone();
        next.apply(action);
        LegalAction {
            action: game.action_text(action),
            text: None,
            index: game.policy_index(action),
            result: cut(next.position_text()),
        }
    };
    Answer {
        position: line,
        actions: legal.into_iter().map(action).collect(),
        outcome,
        error: None,
        span: None,
    }
}

fn refuse<'a>(line: &'a str, error: &TextError) -> Answer<'a> {
    Answer {
        position: line,
        actions: Vec::new(),
        outcome: None,
        error: Some(error.message.to_string()),
        span: Some([error.span.start, error.span.end]),
    }
}
