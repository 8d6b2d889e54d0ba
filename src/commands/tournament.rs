//! `chase tournament`, and the parts shared with `chase match`.

mod console;
mod words;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, ensure};
use chase_arena::tournament::{Entrant, OpeningSpec, Tournament, TournamentConfig, TournamentEnd};
use chase_arena::{PlayerSpec, remote};
use chase_cluster::Cluster;
use chase_engine::{GameName, Playable, with_game};
use chase_statistics::SprtDecision;
use chase_training::settings::{Setting, Settings};
use chase_training::store::run_dir::CONFIG_FILE;
use chase_training::store::run_kind::RunKind;
use clap::ArgGroup;

use crate::cli::{Outcome, RunArgs};
use crate::output::Output;
use crate::{cli, signals};
use console::{BEGINNING, Console};

const EXAMPLES: &str = "\
Examples:
  chase tournament configs/tournament.toml
  chase tournament ladder.toml --set pairs=200 --set openings=balanced --run-dir runs/ladder
  chase tournament random greedy ab2=alpha-beta:depth=2 nnue-57 --pairs 100
  chase tournament --resume runs/ladder --threads 4
  chase tournament --resume runs/ladder --pairs 400 --set anchor=ab2
  chase tournament ladder.toml --cluster nats://localhost:4222";

/// Play a tournament of any number of players, and rate them jointly
///
/// The players are named on the command line, as for `chase match`, or in a file, which also says who meets whom, where
/// games start, and how many are played; configs/tournament.toml has every key with its meaning. Games come in pairs
/// from one opening with colours swapped. If no player is limited by time, the same seed gives the same games on any
/// number of threads, and with --cluster on any number of machines.
///
/// A tournament lives in one directory: configuration, games.jsonl with one game per line, records.txt to read, and a
/// report with ratings, tables and charts (report.html, report.json, standings.csv, cross-table.csv). Ctrl-C stops
/// after the current games, a second Ctrl-C at once. --resume continues a tournament, however it ended, and with more
/// --pairs one that is finished. With a sequential test (sprt) the exit code is 0 if it accepts the higher hypothesis,
/// and 1 if it accepts the lower one or is undecided.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = cli::help_with_players(EXAMPLES))]
#[command(group = ArgGroup::new("source").args(["given", "config", "resume"]).required(true).multiple(true))]
pub struct Args {
    /// A configuration in TOML, or two or more players
    #[arg(value_name = "FILE|PLAYER", conflicts_with = "config")]
    given: Vec<String>,
    /// The same as FILE
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    shared: SharedArgs,
}

/// Options of tournaments and matches.
#[derive(Debug, clap::Args)]
pub struct SharedArgs {
    /// The game [default: that of the first network, else chase]
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub game: Option<GameName>,
    /// Directory of the new games, which must not hold others [default: runs/NAME-SEED, or with -2, -3, …]
    #[arg(long, value_name = "DIR", value_parser = cli::directory())]
    run_dir: Option<PathBuf>,
    /// Pairs of games per match; with a sequential test, the most [default: 50]
    #[arg(long, value_name = "N", value_parser = cli::whole(1..=TournamentConfig::MOST_PAIRS))]
    pairs: Option<u32>,
    /// Openings of the pairs, such as none, moves:1A6A7, file:PATH or balanced [default: random:plies=4]
    ///
    /// random:plies=4: random plies. moves:1A6A7: always this line; blanks separate its moves. file:PATH: one opening
    /// per line, in their order. balanced:plies=6,count=100,depth=3,margin=50: random lines that an alpha-beta search
    /// considers even.
    #[arg(long)]
    openings: Option<OpeningSpec>,
    /// Plies after which a game is truncated [default: 2000]
    #[arg(long, value_name = "N", value_parser = cli::whole(1..=TournamentConfig::MOST_PLIES))]
    max_plies: Option<u32>,
    /// Continue the games in this directory
    ///
    /// Their configuration stays. Pairs can be added; threads, anchor and bootstrap can be changed.
    #[arg(long, value_name = "DIR", value_parser = cli::directory(), conflicts_with = "run_dir")]
    resume: Option<PathBuf>,
    #[command(flatten)]
    run: RunArgs,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (file, players) = match &args.given[..] {
        [] => (args.config.as_deref(), &[][..]),
        [file] => (Some(Path::new(file)), &[][..]),
        players => (None, players),
    };
    let text = file.map(cli::ConfigText::read).transpose();
    let text = text.map_err(|error| match &args.given[..] {
        [player] if player.parse::<Entrant>().is_ok() => {
            error.context("expected a configuration, or two players or more")
        }
        _ => error,
    })?;
    let file = text.as_ref().map(cli::ConfigText::source);
    let mut settings = Vec::new();
    if !players.is_empty() {
        ensure!(
            args.shared.resume.is_none(),
            "a resumed tournament has its players already: expected --resume DIR without players"
        );
        let players = players.iter().map(|player| player.parse());
        settings.push(players_setting(&players.collect::<Result<Vec<Entrant>, _>>()?)?);
    }
    play(&args.shared, "tournament", file, settings)
}

/// The setting of players from the command line.
pub fn players_setting(players: &[Entrant]) -> anyhow::Result<Setting> {
    // Lists of strings have the same form in JSON and TOML.
    let players = serde_json::to_string(players).context("players")?;
    Ok(format!("players={players}").into())
}

/// Starts a tournament or continues one, and prints its result. `file` is the name and the text of a configuration,
/// which new directories are named after; without one they are named after the command.
pub fn play(
    args: &SharedArgs,
    command: &str,
    file: Option<(&str, &str)>,
    mut settings: Vec<Setting>,
) -> anyhow::Result<ExitCode> {
    cli::add_option(&mut settings, "--game", "game", args.game);
    cli::add_option(&mut settings, "--pairs", "pairs", args.pairs);
    cli::add_option(&mut settings, "--max-plies", "max_plies", args.max_plies);
    let openings = args.openings.as_ref().map(|openings| cli::quoted(openings.to_string()));
    cli::add_option(&mut settings, "--openings", "openings", openings);
    settings.extend(args.run.all_settings());
    let stop = signals::stop_flag("stopping after the current games")?;
    let game = match &args.resume {
        Some(directory) => {
            RunKind::expect(directory, &[RunKind::Tournament])?;
            game_of(directory)?
        }
        None => {
            let config = TournamentConfig::load(file, &settings)?;
            let of_network = || {
                let players = config.players.iter().map(Entrant::player);
                players.filter_map(PlayerSpec::game).next()
            };
            // As far as can be seen, the game was not set.
            let unset = config.game == GameName::Chase && !settings.iter().any(|setting| setting.key() == Some("game"));
            let game = if unset { of_network() } else { None };
            settings.extend(game.map(|game| Setting::from(format!("game={game}"))));
            game.unwrap_or(config.game)
        }
    };
    // Before the directory: games that cannot begin should leave nothing behind.
    let cluster = args.run.cluster.connect()?;
    with_game!(game, G => conduct::<G>(args, command, file, &settings, cluster.as_ref(), &stop))
}

/// The game of a tournament in a directory. Faults in its files are reported when it is resumed.
fn game_of(directory: &Path) -> anyhow::Result<GameName> {
    let file = directory.join(CONFIG_FILE);
    match file.exists() {
        true => Ok(TournamentConfig::load(Some(cli::ConfigText::read(&file)?.source()), &[])?.game),
        false => Ok(GameName::Chase),
    }
}

/// Starts a tournament of a game or continues one, and prints its result.
fn conduct<G: Playable>(
    args: &SharedArgs,
    command: &str,
    file: Option<(&str, &str)>,
    settings: &[Setting],
    cluster: Option<&Cluster>,
    stop: &AtomicBool,
) -> anyhow::Result<ExitCode> {
    let (mut tournament, directory) = match &args.resume {
        Some(directory) => {
            let config = |began: (&str, &str)| TournamentConfig::load(Some(file.unwrap_or(began)), settings);
            (Tournament::<G>::resume(directory, config)?, directory.clone())
        }
        None => {
            let config = TournamentConfig::load(file, settings)?;
            if let Some(cluster) = cluster {
                for entrant in &config.players {
                    remote::check(entrant.player(), cluster.options().mixed)?;
                }
            }
            let name = file.map_or(command, |(name, _)| name);
            let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
            let name = format!("{stem}-{}", config.seed);
            let directory = args.run_dir.clone().unwrap_or_else(|| cli::new_directory(&name));
            (Tournament::create(&directory, config)?, directory)
        }
    };
    let games = tournament.results().schedule().games();
    let output = Output::new(false, args.run.json || args.run.quiet, games, BEGINNING);
    let mut console = Console::new(&output, tournament.results());
    output.say(format_args!("the games go to {}", directory.display()));
    let mut show = |results: &_| console.show(results);
    let ended = match cluster {
        None => tournament.play(stop, &mut show)?,
        Some(cluster) => tournament.play_on(cluster, stop, &mut show, &mut |text| output.warn(&text))?,
    };
    output.bar.finish_and_clear();
    let stopped = ended == TournamentEnd::Stopped;
    let (standings, page) = tournament.write_report()?;
    let outcome = Outcome {
        command,
        directory: &directory,
        report: &page,
        stopped,
    };
    outcome.print(&args.run, "standings", &standings, &words::in_words(&standings))?;
    if stopped {
        return Ok(signals::interrupted());
    }
    // Undecided does not count as confirmed: a script that waits for confirmation continues with code 0 only.
    let confirmed = standings.sprt.is_none_or(|sprt| sprt.verdict == SprtDecision::AcceptH1);
    Ok(ExitCode::from(u8::from(!confirmed)))
}
