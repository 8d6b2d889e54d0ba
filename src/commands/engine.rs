//! `chase engine`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use anyhow::{Context, bail};
use chase_arena::engine::{self as ugi, Identity};
use chase_arena::{NetworkSpec, PlayerSpec, SearchSpec, Usage};
use chase_engine::{GameName, Playable, with_game};
use chase_nnue::shipped;
use chase_training::kinds::NetworkKind;
use chase_training::training_loop::checkpoint_folder;

use crate::program::Program;
use crate::{become_whole, cli};

const EXAMPLES: &str = "\
Examples:
  chase engine net:runs/quick-1
  chase engine alpha-beta:depth=4
  chase engine alpha-beta --game stax-cyl
  printf 'position startpos moves A3NW\\nquery p1turn\\n' | chase engine random

Conversely, ugi:command=PROGRAM can stand wherever a player is named.";

/// Play for a program that speaks UGI, as graphical boards and match runners do
///
/// The limits in the player's text apply, and so do those that the program sends with every go. A baseline needs no
/// limit here. Positions are in the text form of the game (for Chase CFEN), moves in the exact form of actions, one for
/// each ply. Commands, options and the units of scores are described in docs/src/reference/ugi.md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = cli::help_with_players(EXAMPLES))]
pub struct Args {
    /// The player [default: nnue-57, the strongest built-in agent; with --runs the newest network there]
    player: Option<PlayerSpec>,
    /// The game [default: that of the player's network, else chase]
    #[arg(long, value_name = "NAME")]
    game: Option<GameName>,
    /// A folder of runs, whose newest network of either kind plays
    #[arg(long, value_name = "DIR", conflicts_with = "player")]
    runs: Option<PathBuf>,
    /// Random seed of the player
    #[arg(long, default_value_t = 1, value_parser = cli::seed)]
    seed: u64,
    /// Where a network computes: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", value_parser = cli::device)]
    device: String,
}

pub fn run<P: Program>(args: &Args) -> anyhow::Result<ExitCode> {
    let player = player(args)?;
    if !P::suffices(&[&player], &args.device) {
        return Err(become_whole());
    }
    if args.player.is_none() {
        cli::note(format_args!("no player given: {player} plays"));
    }
    let game = args.game.or_else(|| player.game()).unwrap_or(GameName::Chase);
    with_game!(game, G => serve::<G, P>(args, game, &player))
}

/// The player that is named, the newest network of the runs that are named, or else the built-in one.
fn player(args: &Args) -> anyhow::Result<PlayerSpec> {
    if let Some(player) = &args.player {
        return Ok(player.clone());
    }
    let game = args.game.unwrap_or(GameName::Chase);
    // It has no limit of its own: the runner sets one.
    match (&args.runs, game) {
        (Some(runs), game) => {
            fs::read_dir(runs).with_context(|| format!("--runs {}: expected a folder", runs.display()))?;
            let found = newest_network(runs, game);
            found.with_context(|| format!("no network of {game} in {}: expected a player", runs.display()))
        }
        (None, GameName::Chase) => Ok(SearchSpec::updatable(shipped::NAME).into()),
        (None, game) => bail!("there is no built-in agent of {game}: expected a player, or --runs with its network"),
    }
}

fn serve<G: Playable, P: Program>(args: &Args, game: GameName, player: &PlayerSpec) -> anyhow::Result<ExitCode> {
    let agent = P::ready::<G>(player, game, &args.device, Usage::Game)?.agent();
    let identity = Identity {
        name: format!("chase {} {player}", env!("CARGO_PKG_VERSION")),
        author: env!("CARGO_PKG_AUTHORS").to_owned(),
    };
    let (input, output) = (io::stdin().lock(), io::stdout());
    let served = ugi::serve(&identity, &game.rules::<G>(), agent, args.seed, input, output);
    served.context("the program that the engine plays for")?;
    Ok(ExitCode::SUCCESS)
}

/// The player with the newest network for a game in a folder of runs.
fn newest_network(runs: &Path, game: GameName) -> Option<PlayerSpec> {
    let folders = fs::read_dir(runs).ok()?.flatten().map(|entry| entry.path());
    let written = |run: PathBuf| {
        let checkpoint = checkpoint_folder(&run, NetworkKind::of(&run)).ok();
        let checkpoint = checkpoint.filter(|checkpoint| *checkpoint != run)?;
        let written: SystemTime = fs::metadata(&checkpoint).and_then(|folder| folder.modified()).ok()?;
        Some((written, run))
    };
    let mut networks: Vec<(SystemTime, PathBuf)> = folders.filter_map(written).collect();
    networks.sort_unstable();
    // Newest first, since the game may stand in a large file.
    networks.into_iter().rev().find_map(|(_, run)| {
        let player = PlayerSpec::from(SearchSpec::network(NetworkSpec::at(run)));
        (player.game() == Some(game)).then_some(player)
    })
}
