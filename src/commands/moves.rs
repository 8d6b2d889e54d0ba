//! `chase moves`

use std::process::ExitCode;

use chase_engine::chase::Rules;
use chase_engine::{Chase, Game, GameName, TextError, with_game};
use serde::Serialize;

use crate::lines;

/// List the legal actions of positions, as JSON
///
/// Takes positions (for Chase in CFEN, see chase --help) as arguments, or reads them from standard input, one per line.
/// Answers each line at once with one JSON object: the position as it was read, its legal actions (text, the index in
/// the policy of a network, and the position after it; in Chase the article's form too), and the outcome if the game is
/// over: the winner, as "white" or "black" in Chase, or "draw" (in Chase also by 100 turns without a capture or Chamber
/// move, in other games by the rules alone). A line that is not a position gets an object with "error"; the other lines
/// are still read, and the exit code is 2.
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

#[derive(Serialize)]
struct Answer {
    position: String,
    actions: Vec<LegalAction>,
    outcome: Option<&'static str>,
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

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    // There is no other output.
    let _ = args.json;
    match args.game {
        GameName::Chase => {
            // A position shows neither its earlier occurrences nor the length limit of a game.
            let rules = Rules {
                repetition: None,
                max_turns: None,
                ..Rules::default()
            };
            answer_all::<Chase>(args, "positions in CFEN", &rules)
        }
        game => with_game!(game, G => {
            answer_all::<G>(args, &format!("positions of {game}"), &G::published_rules(&game.rules::<G>()))
        }),
    }
}

fn answer_all<G: Game>(args: &Args, form: &str, rules: &G::Rules) -> anyhow::Result<ExitCode> {
    let answer = |line: &str| answer::<G>(line, rules);
    lines::answer_positions(&args.positions, form, &|| false, answer)
}

fn answer<G: Game>(line: &str, rules: &G::Rules) -> Result<Answer, TextError> {
    let game = G::from_position_text(line, rules)?;
    let is_chase = G::NAME == Chase::NAME;
    let fields = line.split_whitespace().count();
    let result = |text: String| match is_chase {
        true => text,
        // Counters at the end of a position may be left out; then results leave them out too.
        false => text.split(' ').take(fields).collect::<Vec<_>>().join(" "),
    };
    let mut legal = Vec::new();
    game.legal_actions(&mut legal);
    let mut next = game.clone();
    let actions = legal.into_iter().map(|action| {
        next.clone_from(&game);
        next.apply(action);
        LegalAction {
            action: game.action_text(action),
            text: is_chase.then(|| game.people_text(action)),
            index: game.policy_index(action),
            result: result(next.position_text()),
        }
    });
    Ok(Answer {
        position: line.to_owned(),
        actions: actions.collect(),
        outcome: game.outcome().map(G::outcome_name),
    })
}
