//! `chase solve`

mod answer;
mod players;

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Instant;

use anyhow::ensure;
use chase_arena::PlayerSpec;
use chase_arena::analysis::Request;
use chase_engine::chase::{DiceAhead, Position, Rules};
use chase_engine::proof::{Budget, Goal, ProofVerdict, Prover, Win};
use chase_engine::{Chase, GameName, Player};

use crate::move_list::MoveList;
use crate::program::Program;
use crate::{cli, lines, signals};
use answer::{Answer, Question};

const EXAMPLES: &str = "\
Examples:
  chase solve '2f3f2/9/1D1f1f3/3E2D1E/3a5/9/8C/D8/9 b' --attacker white --within 4
  chase solve --moves A4E2 --goal dice --within 4
  chase solve --moves A3D2 --goal dice --within 8 --json
  chase solve '1f1f1f1e1/9/9/9/9/9/Cb3D3/9/F1F1F4 w' --within 1 --actions
  cat positions.txt | chase solve --stream --within 5 --nodes 100000 --actions
  chase solve --player net:agent-71,simulations=32 --player alpha-beta:depth=2";

/// Prove or disprove that a player wins by force, or wins dice; or measure how often players find it
///
/// The answer is proved (whatever the other player does), disproved (the other player can prevent it), or unknown
/// (there were too few nodes). A turn is all that a player does before the other acts; turns of both players count. The
/// published rules apply, without draws and length limits: a player who can avoid a loss forever has not lost.
///
/// With --goal dice the player must have captured at least --gain more dice than the opponent after --within turns.
/// A die that is recaptured within these turns is not won; one that can be recaptured right after them is.
///
/// Exit codes: 0 proved, 1 disproved or unknown, 2 bad usage or input; with --stream 0, or 2 if a line was not a
/// position. Ctrl-C ends the search: the answer is then unknown, and the exit code 130.
///
/// With --player it tests players instead. In each position of a set something is forced, and all actions that keep it
/// are proved. The result is the share of positions in which the player chooses one of these actions, with a 95 %
/// interval, next to the share for random choices. The built-in set has wins at once, within 3 and within 5 turns, and
/// gains of dice in 4 turns that begin with a capture or with a quiet move; each position is from another game. The
/// exit code is 0.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, after_long_help = cli::help_with_players(EXAMPLES))]
pub struct Args {
    /// The position in CFEN (see chase --help), as one argument [default: the initial position]
    position: Option<Position>,
    /// The position as an option, as in other commands
    #[arg(long = "position", value_name = "CFEN", conflicts_with = "position")]
    option: Option<Position>,
    /// Actions to play from there first, separated by blanks, in exact (A3NW) or article form (A3D2)
    ///
    /// Numbers of moves, such as 1., are ignored.
    #[arg(long, value_name = "ACTIONS")]
    moves: Option<String>,
    /// The goal to reach
    #[arg(long, value_enum, default_value = "win")]
    goal: Aim,
    /// The player who tries to reach it [default: the player to move]
    #[arg(long, value_name = "SIDE", value_parser = cli::choice(cli::SIDES))]
    attacker: Option<Player>,
    /// With --goal dice: how many more dice to capture than the opponent, -20 to 20 [default: 1]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = cli::whole::<i32>(-20..=20))]
    gain: Option<i32>,
    /// Turns of both players, 0 to 1000; --goal dice needs it [default: any number]
    #[arg(long, value_name = "TURNS", value_parser = cli::whole::<u32>(0..=1000))]
    within: Option<u32>,
    /// Give up after this many nodes (positions whose actions are all generated)
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = cli::whole::<u64>(0..=1_000_000_000_000_000))]
    nodes: u64,
    /// Memory of the table of positions, in MiB, 1 to 65536
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = cli::whole::<u32>(1..=65536))]
    memory: u32,
    /// Also say for each legal action whether it reaches the goal
    #[arg(long)]
    actions: bool,
    /// Print JSON instead of text
    #[arg(long)]
    json: bool,
    /// Answer positions in CFEN from standard input, one per line, with one line of JSON each
    ///
    /// All have the same limits. The player to move is the attacker, unless --attacker says otherwise.
    #[arg(long, conflicts_with_all = ["position", "option", "moves", "json"])]
    stream: bool,
    /// Measure how often this player finds what is forced; may be repeated
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["position", "option", "moves", "goal", "attacker", "gain", "within", "nodes", "memory", "actions", "stream"])]
    player: Vec<PlayerSpec>,
    /// With --player: random seed of players that choose at random
    #[arg(long, default_value_t = 1, requires = "player", value_parser = cli::seed)]
    seed: u64,
    /// With --player: threads, 0 for one per core
    #[arg(long, default_value_t = 0, requires = "player", value_parser = cli::threads)]
    threads: usize,
    /// With --player: device of networks: auto, cpu, cuda or cuda:N
    #[arg(long, default_value = "cpu", requires = "player", value_parser = cli::device)]
    device: String,
}

/// A goal to reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Aim {
    /// To win the game
    Win,
    /// To win dice
    Dice,
}

pub fn run<P: Program>(args: &Args) -> anyhow::Result<ExitCode> {
    match args.goal {
        Aim::Win => ensure!(args.gain.is_none(), "--gain is for --goal dice"),
        Aim::Dice => ensure!(
            args.within.is_some(),
            "--goal dice needs --within TURNS: the dice are counted after that many turns"
        ),
    }
    match args.player.is_empty() {
        true => prove(args),
        false => P::with_networks(|| players::run(args)),
    }
}

/// Proves or disproves, without any player.
fn prove(args: &Args) -> anyhow::Result<ExitCode> {
    let stop = signals::stop_flag("stopping")?;
    let stop = || stop.load(Ordering::Relaxed);
    if args.stream {
        let answer = |line: &str| Ok(args.answer(line.parse()?, &stop));
        return lines::answer_positions(&[], "positions in CFEN", &stop, answer);
    }
    let moves = MoveList::new(args.moves.as_deref().unwrap_or_default(), GameName::Chase)?;
    let request = Request {
        position: args.position.or(args.option).map(|position| position.to_string()),
        moves: moves.actions(),
        rules: Some(Rules::PUBLISHED.to_string()),
        ..Request::default()
    };
    let game = request.game::<Chase>(&Rules::PUBLISHED);
    let position = *game.map_err(|error| moves.refuse(error))?.position();
    let answer = args.answer(position, &stop);
    cli::note_speed(answer.nodes, answer.seconds);
    cli::print_result(args.json, &answer, || answer.text(stop()))?;
    Ok(match answer.verdict {
        ProofVerdict::Proved => ExitCode::SUCCESS,
        ProofVerdict::Unknown if stop() => signals::interrupted(),
        ProofVerdict::Disproved | ProofVerdict::Unknown => ExitCode::FAILURE,
    })
}

impl Args {
    fn answer(&self, position: Position, stop: &dyn Fn() -> bool) -> Answer {
        let attacker = self.attacker.unwrap_or(position.to_move());
        let gain = self.gain.unwrap_or(1);
        let question = Question {
            position,
            attacker,
            gain: (self.goal == Aim::Dice).then_some(gain),
            within: self.within,
        };
        match (self.goal, self.within) {
            (Aim::Dice, Some(turns)) => {
                let dice = gain;
                self.search(question, DiceAhead { attacker, dice, turns }, stop)
            }
            (_, Some(turns)) => self.search(question, Win::within(attacker, turns), stop),
            (_, None) => self.search(question, Win::of(attacker), stop),
        }
    }

    fn search(&self, question: Question, goal: impl Goal<Chase>, stop: &dyn Fn() -> bool) -> Answer {
        let game = Chase::from_position(question.position, Rules::PUBLISHED);
        let mut prover = Prover::new(goal, (self.memory as usize) << 20);
        let start = Instant::now();
        let mut budget = Budget::with_stop(self.nodes, stop);
        let verdict = prover.prove(&game, &mut budget);
        let actions = self.actions.then(|| prover.actions(&game, &mut budget));
        let seconds = start.elapsed().as_secs_f64();
        let nodes = budget.spent();
        // Each position of the proof costs one more node, so a fresh budget is used: it must not fail because the old
        // one is spent.
        let line = prover.line(&game, &mut Budget::with_stop(self.nodes, stop));
        Answer::new(question, verdict, &line, actions.as_deref(), nodes, seconds)
    }
}
