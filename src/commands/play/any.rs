//! Play of any game against an opponent, without the features of Chase alone, such as the article's notation.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use chase_arena::analysis::{AnalysisLimits, Analyst, EvaluatorSpec, ReportOptions};
use chase_arena::games::PlainRecord;
use chase_arena::{Agent, Decision, Playable};
use chase_engine::{GameName, Outcome, Player};
use chase_models::device;
use chase_statistics::generator;
use chase_training::files;

use super::Args;
use super::conversation::{Conversation, Mistake, Reply, converse};
use super::input::Input;
use super::interruption::Interruption;
use super::text;
use crate::commands::analyse::table;
use crate::{cli, columns};

/// Number of actions in a hint.
const HINTS: usize = 5;
/// The default opponent, which needs no network.
const OPPONENT: &str = "rollouts:simulations=400";
/// The person's name in records.
const PERSON: &str = "you";

const COMMANDS: [&str; 9] = [
    "board", "flip", "help", "hint", "moves", "quit", "record", "save", "undo",
];

const HELP: &str = "\
To play, type an action as `moves` lists it, or its number there. Or a command:
  moves           list the legal actions
  board           show the board
  hint [N]        ask a search of N simulations; Ctrl-C ends it early
  undo            take back your last turn, with what followed
  flip            turn the board
  record          show the game so far
  save FILE       write the game to a file
  help            this
  quit            end (also Ctrl-D)
Tab completes actions and commands.";

/// Plays a game with a person.
pub fn run<G: Playable>(args: &Args, game: GameName, seed: u64) -> anyhow::Result<ExitCode> {
    let begun = args.begun(|file| read::<G>(file, game))?;
    let person = args.person(begun.as_ref().and_then(person_of), seed);
    let player = args.opponent(OPPONENT)?;
    let device = device::parse(&args.device)?;
    let contestant = player.contestant_for::<G>(game.name(), device)?;
    let input = Input::new()?;
    let interruption = Interruption::listen(input.is_interactive())?;
    let mut agent = contestant.agent();
    agent.stop_when(interruption.stop());
    let judge = args.judge(&player, EvaluatorSpec::Rollouts(1));
    let mut record = match begun {
        Some(record) => record,
        None => {
            let rules = cli::rules::<G>(args.rules.as_deref(), game.rules::<G>())?;
            let start = match &args.position {
                None => G::start(&rules, &mut generator(seed, &[0])),
                text => cli::position("--position <POSITION>", text.as_deref(), &rules)?,
            };
            PlainRecord::<G>::new(start, rules)
        }
    };
    let names = Player::BOTH.map(|player| if player == person { PERSON } else { contestant.name() });
    record.set_tag("White", names[0]);
    record.set_tag("Black", names[1]);
    let mut table = Table {
        hints: Analyst::for_game(game.name(), &judge, device)?,
        simulations: args.hint_simulations,
        name: contestant.name().to_owned(),
        agent,
        record,
        file: args.record.clone(),
        person,
        seed,
        flip: false,
        stop: Arc::clone(interruption.stop()),
        interruption,
    };
    // Before a game that could not be kept.
    table.keep()?;
    let [you, opponent] = [person, !person].map(|player| G::PLAYERS[player]);
    cli::print(format_args!(
        "{game}: you play {you}, {} plays {opponent}; `help` lists the commands\n\n{}",
        table.name,
        table.board().trim_end()
    ))?;
    let code = converse(&mut table, input)?;
    table.interruption.leave();
    Ok(code)
}

/// Reads a file with one game.
fn read<G: Playable>(file: &Path, game: GameName) -> anyhow::Result<PlainRecord<G>> {
    let record = PlainRecord::read(&cli::read(file)?, &game.rules::<G>());
    record.with_context(|| format!("{} is not a record of a game of {game}", file.display()))
}

/// The person's side by the tags of a record; `None` if they do not say.
fn person_of<G: Playable>(record: &PlainRecord<G>) -> Option<Player> {
    let is_person = |player| record.tag(PlainRecord::<G>::player_tag(player)) == Some(PERSON);
    match Player::BOTH.map(is_person) {
        [true, false] => Some(Player::White),
        [false, true] => Some(Player::Black),
        _ => None,
    }
}

/// A game between a person and an opponent.
struct Table<G: Playable> {
    agent: Box<dyn Agent<G>>,
    name: String,
    hints: Analyst<G>,
    simulations: u32,
    record: PlainRecord<G>,
    /// The file of the record.
    file: Option<PathBuf>,
    person: Player,
    seed: u64,
    flip: bool,
    stop: Arc<AtomicBool>,
    interruption: Interruption,
}

impl<G: Playable> Conversation for Table<G> {
    fn prompt(&self) -> String {
        format!("{}> ", G::PLAYERS[self.person])
    }

    fn words(&self) -> Vec<String> {
        let game = self.record.game();
        let actions = self.legal().into_iter().map(|action| game.action_text(action));
        actions.chain(COMMANDS.map(str::to_owned)).collect()
    }

    fn opponent_acts(&mut self) -> anyhow::Result<Option<String>> {
        let record = &self.record;
        if record.end().is_some() || record.game().to_move() == self.person {
            return Ok(None);
        }
        let mut decisions = [Decision {
            game: record.game(),
            start: record.start(),
            actions: record.actions(),
            rng: &mut generator(self.seed, &[record.actions().len() as u64, 1]),
        }];
        let agent = &mut self.agent;
        let chosen = self.interruption.stoppable(|| agent.judge_batch(&mut decisions))?;
        let choice = *chosen.first().context("the opponent chose nothing")?;
        Ok(Some(self.play(choice.action, &text::expectation(choice.expects))?))
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Reply> {
        let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        let text = match word {
            "" => String::new(),
            "quit" | "exit" | "q" => return Ok(Reply::Quit),
            "help" | "?" => HELP.to_owned(),
            "board" | "b" => self.board(),
            "moves" | "m" => self.moves(),
            "flip" => {
                self.flip = !self.flip;
                self.board()
            }
            "undo" | "u" => self.undo()?,
            "hint" | "h" if rest.is_empty() => self.hint(self.simulations)?,
            "hint" | "h" => {
                let wrong = |_| Mistake(format!("hint: expected a number of simulations, found `{rest}`"));
                self.hint(rest.parse().map_err(wrong)?)?
            }
            "record" => self.record.to_string(),
            "save" if rest.is_empty() => return Err(Mistake("save: expected a file's name".to_owned()).into()),
            "save" => {
                let written = files::write_whole(Path::new(rest), self.record.to_string().as_bytes());
                written.map_err(|error| Mistake(error.to_string()))?;
                format!("written to {rest}")
            }
            text => self.turn(text)?,
        };
        Ok(Reply::Say(text.trim_end().to_owned()))
    }
}

impl<G: Playable> Table<G> {
    fn board(&self) -> String {
        let mut scene = self.record.game().scene();
        if self.flip != (self.person == Player::Black) {
            scene.flip();
        }
        scene.to_text()
    }

    /// The given text, then the board, then the end of the game, if it has ended.
    fn after(&self, text: &str) -> String {
        let mut news = format!("{text}\n\n{}", self.board());
        if let Some((outcome, reason)) = self.record.end() {
            let result = match outcome {
                Outcome::Win(winner) => format!("{} wins", G::PLAYERS[winner]),
                other => G::outcome_name(other).to_owned(),
            };
            news += &format!("the game is over: {result} ({reason})\n");
        }
        news
    }

    /// Writes the record to its file. One without a file is written when a person leaves in the middle of the game.
    fn keep(&self) -> anyhow::Result<()> {
        let text = self.record.to_string();
        if let Some(file) = &self.file {
            return files::write_whole(file, text.as_bytes()).context("the game is not saved");
        }
        let unfinished = self.record.end().is_none() && !self.record.actions().is_empty();
        self.interruption.set_unkept(unfinished.then_some(text));
        Ok(())
    }

    /// Plays a legal action, and says so, with a remark.
    fn play(&mut self, action: G::Action, remark: &str) -> anyhow::Result<String> {
        let game = self.record.game();
        let text = format!("{}: {}{remark}", G::PLAYERS[game.to_move()], game.people_text(action));
        self.record.push(action);
        self.keep()?;
        Ok(self.after(&text))
    }

    fn legal(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        if self.record.end().is_none() {
            self.record.game().legal_actions(&mut legal);
        }
        legal
    }

    fn moves(&self) -> String {
        let line = |(number, &action): (usize, &G::Action)| {
            format!("{:3} {}", number + 1, self.record.game().people_text(action))
        };
        columns::listed(&self.legal().iter().enumerate().map(line).collect::<Vec<_>>())
    }

    /// Plays what a person has typed: an action or its number.
    fn turn(&mut self, text: &str) -> anyhow::Result<String> {
        if let Some((_, reason)) = self.record.end() {
            return Err(Mistake(format!("the game is over: {reason}")).into());
        }
        let legal = self.legal();
        // If actions are numbers themselves, as in Connect Four, actions take precedence.
        let read = self.record.game().parse_action(text);
        let by_number = || legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
        match (read, by_number()) {
            (Ok(action), _) | (Err(_), Some(action)) => self.play(action, ""),
            (Err(error), None) => Err(Mistake(error.to_string()).into()),
        }
    }

    /// Takes back all actions since the person's last turn began, that turn included.
    fn undo(&mut self) -> anyhow::Result<String> {
        let mut movers = Vec::new();
        let mut game = self.record.start().clone();
        for &action in self.record.actions() {
            movers.push(game.to_move());
            game.apply(action);
        }
        let Some(last) = movers.iter().rposition(|&player| player == self.person) else {
            return Err(Mistake("there is nothing to take back".to_owned()).into());
        };
        let begin = movers[..last]
            .iter()
            .rposition(|&player| player != self.person)
            .map_or(0, |before| before + 1);
        self.record.truncate(begin);
        self.keep()?;
        Ok(self.board())
    }

    fn hint(&mut self, simulations: u32) -> anyhow::Result<String> {
        if self.record.end().is_some() {
            return Err(Mistake("the game is over".to_owned()).into());
        }
        let limits = AnalysisLimits {
            simulations: Some(simulations),
            time: None,
        };
        let mut analysis = self.hints.analysis(self.record.game().clone(), limits);
        let (stop, hints) = (&self.stop, &mut self.hints);
        self.interruption.stoppable(|| hints.run_until(&mut analysis, stop))?;
        let report = analysis.report(&ReportOptions {
            top: Some(HINTS),
            lines: false,
        });
        let actions = table::actions(&report.actions);
        Ok(format!("{}\n\n{}\n{actions}", self.board(), table::verdict(&report)))
    }
}
