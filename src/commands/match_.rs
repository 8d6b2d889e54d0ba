//! `chase match`

use std::process::ExitCode;

use anyhow::ensure;
use chase_arena::tournament::Entrant;
use chase_training::settings::Setting;

use super::tournament::{SharedArgs, play, players_setting};
use crate::cli;

const EXAMPLES: &str = "\
Examples:
  chase match alpha-beta:depth=2 alpha-beta:depth=1 --pairs 100
  chase match new=net:runs/quick-1 old=net:runs/quick-1/checkpoints/gen-000000 --pairs 200
  chase match net:runs/quick-1,simulations=400 greedy --pairs 5000 --sprt elo0=0,elo1=10
  chase match --game queens alpha-beta:depth=4 greedy --pairs 20
  chase match a=agent-71,temperature=1 b=agent-71,temperature=1 --openings moves:1A6A7 --pairs 200
  chase match --resume runs/match-1
  chase match --resume runs/match-1 --pairs 400
  chase match new=net:runs/quick-1 agent-71 --cluster nats://localhost:4222";

/// Play a match of two players, and report their difference in strength with its interval
///
/// Players are baselines, networks, and programs that speak UGI (all are listed below); NAME=PLAYER gives one a name.
///
/// Each pair is two games from the same opening with colours swapped, and counts as one observation. In the first game
/// of a pair the first player is White. Games, records and a report go to a directory. --resume continues a match,
/// however it ended, and with more --pairs one that is finished.
///
/// With --sprt the match ends as soon as the test decides. The exit code is then 0 if it accepts the higher hypothesis,
/// and 1 if it accepts the lower one or is undecided.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = cli::help_with_players(EXAMPLES))]
pub struct Args {
    /// The two players
    #[arg(
        value_name = "PLAYER",
        num_args = 2,
        required_unless_present = "resume",
        conflicts_with = "resume"
    )]
    players: Vec<Entrant>,
    /// Sequential test: is the first player stronger by elo1 rather than by elo0?
    ///
    /// The match stops when that is clear. Both are in normalised Elo, or in ordinary Elo with model=logistic; alpha
    /// and beta are 0.05 by default.
    #[arg(long, value_name = "KEY=VALUE,…", value_delimiter = ',')]
    sprt: Vec<String>,
    #[command(flatten)]
    shared: SharedArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let mut settings = Vec::new();
    if let [first, second] = &args.players[..] {
        let name = second.name();
        ensure!(
            first.name() != name,
            "both players are called `{name}`: expected different names, as in 'a={}' 'b={}'",
            first.player(),
            second.player()
        );
        settings.push(players_setting(&args.players)?);
        // The rating of the first player is then its lead over the second.
        settings.push(format!("anchor={}", cli::quoted(second.name())).into());
    }
    let of_test = |word: &String| match word.split_once('=') {
        Some((key, value)) => Setting::of_option("--sprt", &format!("sprt.{key}"), value),
        None => format!("sprt.{word}").into(),
    };
    settings.extend(args.sprt.iter().map(of_test));
    play(&args.shared, "match", None, settings)
}
