//! `chase play`

mod command;
mod input;
mod interruption;
mod session;
pub mod texts;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, ensure};
use chase_arena::{NetworkSpec, PlayerSpec, SearchLimits, SearchSpec, Usage};
use chase_engine::{GameName, Playable, Player, with_game};
use chase_statistics::generator;
use rand::RngExt;

use crate::commands::analyse;
use crate::program::Program;
use crate::{become_whole, cli};
use input::{Input, Line};
use interruption::Interruption;
use session::{Mistake, Session};
use texts::View;

const EXAMPLES: &str = "\
Examples:
  chase play
  chase play net:agent-71,ms=2000 --black
  chase play random --black
  chase play alpha-beta:depth=6 --game queens
  chase play --game stax --record game.txt
  chase play net:runs/quick-1,simulations=800 --random --record game.txt
  chase play greedy --position '4a1C2/1d2BcC2/6Ad1/B3C4/7B1/dA7/1e7/d8/9 w'";

/// Play against a baseline or a network, in the terminal
///
/// In Chase, actions are typed in the article's form (A3D2, E4:F4), in exact form (A3NW, 1A6A7, =C9) or by their number
/// in the list that `moves` prints; `help` explains the other commands. White's dice are plain digits, Black's are in
/// parentheses. Ctrl-C stops a search; pressed twice it ends the program, and a game without a file is then saved in
/// unfinished-game.txt. Commands can also come through a pipe, one per line; the exit code is then 2 if a line was not
/// understood.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = cli::help_with_players(EXAMPLES))]
pub struct Args {
    /// The opponent, such as greedy, alpha-beta:ms=1000 or net:agent-71,simulations=800 [default:
    /// nnue-57,nodes=1000000; in games other than Chase rollouts:simulations=400]
    #[arg(value_name = "PLAYER")]
    opponent: Option<PlayerSpec>,
    /// The game [default: that of the record or of the opponent's network, else chase]
    #[arg(long, value_name = "NAME")]
    game: Option<GameName>,
    /// Play White, who begins: the default, unless a continued game says otherwise
    #[arg(long, group = "side")]
    white: bool,
    /// Play Black
    #[arg(long, group = "side")]
    black: bool,
    /// Choose your side at random
    #[arg(long, group = "side")]
    random: bool,
    /// Begin from this position (for Chase in CFEN, see chase --help) [default: the initial position]
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Conventions of draws and length, each a number of turns or off [default: repetition 3, quiet 100, length 400]
    #[arg(long)]
    rules: Option<String>,
    /// Save the game in this file after every action; an existing game is continued
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The player for hints, such as nnue-57 [default: the opponent's network, else agent-71; in games other than Chase
    /// rollouts]
    #[arg(long, value_name = "PLAYER", value_parser = analyse::judge)]
    hints: Option<SearchSpec>,
    /// Random seed [default: the time]
    #[arg(long, value_parser = cli::seed)]
    seed: Option<u64>,
    /// Where networks compute: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", value_parser = cli::device)]
    device: String,
}

impl Args {
    /// The file of the record with the game in it, if it is there.
    fn begun(&self) -> anyhow::Result<Option<&Path>> {
        let file = self.record.as_deref().filter(|file| file.exists());
        if let Some(file) = file {
            let fresh = self.position.is_none() && self.rules.is_none();
            let file = file.display();
            ensure!(fresh, "{file} holds a game: leave out --position and --rules");
        }
        Ok(file)
    }

    /// The person's side, in a game that may have begun with the person on one.
    fn person(&self, begun_as: Option<Player>, seed: u64) -> Player {
        match begun_as {
            Some(person) if !(self.white || self.black || self.random) => person,
            _ if self.black || (self.random && generator(seed, &[]).random()) => Player::Black,
            _ => Player::White,
        }
    }

    /// The player for hints: by default with the network of the opponent, or if it has none, the usual one of the game.
    fn judge(&self, opponent: &PlayerSpec, game: GameName) -> SearchSpec {
        let of_opponent = || {
            let NetworkSpec { kind, path, .. } = opponent.network()?;
            Some(SearchSpec::network(NetworkSpec::new(*kind, path)))
        };
        let given = self.hints.clone().or_else(of_opponent);
        given.unwrap_or_else(|| analyse::usual_judge(game))
    }
}

/// The game that is named, or else that of the record, or of the opponent's network.
fn game(args: &Args) -> anyhow::Result<GameName> {
    let game = match args.game {
        None => game_of_record(args.record.as_deref())?,
        given => given,
    };
    let of_opponent = || args.opponent.as_ref().and_then(PlayerSpec::game);
    Ok(game.or_else(of_opponent).unwrap_or(GameName::Chase))
}

pub fn run<P: Program>(args: &Args) -> anyhow::Result<ExitCode> {
    let seed = args.seed.unwrap_or_else(|| {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        now.map_or(0, |since| since.as_nanos() as u64)
    });
    let game = game(args)?;
    with_game!(game, G => play::<G, P>(args, game, seed))
}

/// The game of the record in a file, if the file exists and says so.
fn game_of_record(file: Option<&Path>) -> anyhow::Result<Option<GameName>> {
    let Some(file) = file.filter(|file| file.exists()) else {
        return Ok(None);
    };
    let name = chase_engine::record::game_of_record(&cli::read(file)?);
    let name = name.map(|name| name.parse()).transpose();
    name.with_context(|| file.display().to_string())
}

fn play<G: Playable, P: Program>(args: &Args, game: GameName, seed: u64) -> anyhow::Result<ExitCode> {
    let rules = cli::rules::<G>(args.rules.as_deref(), game.rules::<G>())?;
    let start = match &args.position {
        None => G::start(&rules, &mut generator(seed, &[0])),
        text => cli::position("--position <POSITION>", text.as_deref(), &rules)?,
    };
    let usual = || Ok(texts::opponent(game).parse()?);
    let player: PlayerSpec = args.opponent.clone().map_or_else(usual, anyhow::Ok)?;
    let judge = args.judge(&player, game);
    if !P::suffices(&[&player, &judge.clone().into()], &args.device) {
        return Err(become_whole());
    }
    let begun = args.begun()?.map(|file| session::read::<G>(file, &game.rules::<G>()));
    let begun = begun.transpose()?;
    let person = args.person(begun.as_ref().and_then(session::person_of), seed);
    let contestant = P::ready::<G>(&player, game, &args.device, Usage::Match)?;
    // The line editor installs its own SIGINT handler, so ours must be installed after it.
    let input = Input::new()?;
    let interruption = Interruption::listen(input.is_interactive())?;
    let mut agent = contestant.agent();
    agent.stop_when(interruption.stop());
    let usual = judge.limits.or_nodes(judge.search.form().analysis);
    let judge = judge.as_judge(SearchLimits::default()).into();
    let hints = P::ready::<G>(&judge, game, &args.device, Usage::Analysis)?;
    let mut session = Session {
        record: begun.unwrap_or_else(|| session::begin(start, rules, person, contestant.name())),
        last: None,
        person,
        opponent: contestant,
        agent,
        seed,
        hints: hints.agent(),
        usual,
        file: args.record.clone(),
        view: View {
            color: cli::When::Auto.paints(),
            flip: person == Player::Black,
        },
        interruption,
    };
    session.begin();
    // Before a game that could not be kept.
    session.keep()?;
    cli::print(session.welcome())?;
    let code = converse(&mut session, input)?;
    session.leave();
    Ok(code)
}

/// Takes lines until there are no more, or one ends the game. The exit code says whether all lines of a pipe were
/// understood.
///
/// # Errors
/// If something ends the game that is not a [`Mistake`].
fn converse<G: Playable>(game: &mut Session<G>, mut input: Input) -> anyhow::Result<ExitCode> {
    let (mut understood, mut interrupted) = (true, false);
    loop {
        while let Some(news) = game.opponent_acts()? {
            cli::print(news)?;
        }
        let line = match input.next(&game.prompt(), || game.words())? {
            Line::Text(line) => line,
            Line::Interrupted if !interrupted => {
                interrupted = true;
                cli::print("Ctrl-C again leaves, as `quit` does")?;
                continue;
            }
            Line::Interrupted | Line::End => break,
        };
        interrupted = false;
        let answer = line.map_err(|error| Mistake(error.message.to_string()).into());
        match answer.and_then(|line| game.obey(&line)) {
            Ok(Some(text)) if text.is_empty() => {}
            Ok(Some(text)) => cli::print(text)?,
            Ok(None) => break,
            Err(error) if error.is::<Mistake>() => {
                cli::print(format_args!("{error}"))?;
                understood = false;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(match understood || input.is_interactive() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(cli::BAD_INPUT),
    })
}
