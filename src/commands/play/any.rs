//! Play of any game against an opponent, without features of Chase alone (the article's notation, records that can be
//! loaded).

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow, ensure};
use chase_arena::analysis::{Analysis, AnalysisLimits, Analyst, EvaluatorSpec, ReportOptions};
use chase_arena::games::line_texts;
use chase_arena::{Agent, Decision, Efforts, GameResult, Playable, PlayerSpec};
use chase_engine::{GameName, Outcome, Player};
use chase_models::device;
use chase_statistics::generator;
use chase_training::files;
use rand::RngExt;

use super::Args;
use super::conversation::{Conversation, Mistake, Reply, converse};
use super::input::Input;
use super::interruption::Interruption;
use crate::cli;
use crate::commands::analyse::table;

/// Number of actions in a hint.
const HINTS: usize = 5;
/// The default opponent, which needs no network.
const OPPONENT: &str = "rollouts:simulations=400";

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
  quit            end (also Ctrl-D)";

/// Plays a game with a person.
pub fn run<G: Playable>(args: &Args, game: GameName, seed: u64) -> anyhow::Result<ExitCode> {
    ensure!(
        args.record.is_none(),
        "--record is for games of chase only, not of {game}: `save FILE` writes a game"
    );
    let rules = cli::rules::<G>(args.rules.as_deref(), game.rules::<G>())?;
    let start: G = match &args.position {
        None => G::start(&rules, &mut generator(seed, &[0])),
        text => cli::position("--position <POSITION>", text.as_deref(), &rules)?,
    };
    let person = match (args.black, args.random) {
        (true, _) => Player::Black,
        (_, true) if generator(seed, &[]).random() => Player::Black,
        _ => Player::White,
    };
    let player: PlayerSpec = match &args.opponent {
        Some(player) => player.clone(),
        None => OPPONENT.parse()?,
    };
    let device = device::parse(&args.device)?;
    let contestant = player.contestant_for::<G>(game.name(), device)?;
    let input = Input::new()?;
    let interruption = Interruption::listen(input.is_interactive())?;
    let mut agent = contestant.agent();
    agent.stop_when(interruption.stop());
    let judge = args.hints.clone().unwrap_or_else(|| match &player {
        PlayerSpec::Network(network) => EvaluatorSpec::Network(network.path.clone()),
        PlayerSpec::Baseline(_) | PlayerSpec::Engine(_) => EvaluatorSpec::Rollouts(1),
    });
    let mut table = Table {
        hints: Analyst::for_game(game.name(), &judge, device)?,
        simulations: args.hint_simulations,
        name: contestant.name().to_owned(),
        agent,
        rules,
        game: start.clone(),
        start,
        actions: Vec::new(),
        person,
        seed,
        flip: false,
        stop: Arc::clone(interruption.stop()),
        interruption,
    };
    let [you, opponent] = [person, !person].map(|player| G::PLAYERS[player]);
    cli::print(format_args!(
        "{game}: you play {you}, {} plays {opponent}; `help` lists the commands\n\n{}",
        table.name,
        table.board().trim_end()
    ))?;
    converse(&mut table, input)
}

/// A game between a person and an opponent.
struct Table<G: Playable> {
    agent: Box<dyn Agent<G>>,
    name: String,
    hints: Analyst<G>,
    simulations: u32,
    rules: G::Rules,
    start: G,
    game: G,
    actions: Vec<G::Action>,
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

    fn opponent_acts(&mut self) -> anyhow::Result<Option<String>> {
        if self.game.outcome().is_some() || self.game.to_move() == self.person {
            return Ok(None);
        }
        let mut decisions = [Decision {
            game: &self.game,
            start: &self.start,
            actions: &self.actions,
            rng: &mut generator(self.seed, &[self.actions.len() as u64, 1]),
        }];
        let agent = &mut self.agent;
        let chosen = self.interruption.stoppable(|| agent.choose_batch(&mut decisions))?;
        let action = *chosen.first().context("the opponent chose nothing")?;
        Ok(Some(self.play(action)))
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
            "record" => self.record()?,
            "save" if rest.is_empty() => return Err(Mistake("save: expected a file's name".to_owned()).into()),
            "save" => {
                let written = files::write_whole(Path::new(rest), self.record()?.as_bytes());
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
        let mut scene = self.game.scene();
        if self.flip != (self.person == Player::Black) {
            scene.flip();
        }
        scene.to_text()
    }

    /// The given text, then the board, then the end of the game, if it has ended.
    fn after(&self, text: &str) -> String {
        let mut news = format!("{text}\n\n{}", self.board());
        if let (Some(outcome), Some(reason)) = (self.game.outcome(), self.game.end_reason()) {
            let result = match outcome {
                Outcome::Win(winner) => format!("{} wins", G::PLAYERS[winner]),
                other => G::outcome_name(other).to_owned(),
            };
            news += &format!("the game is over: {result} ({reason})\n");
        }
        news
    }

    /// Plays a legal action, and says so.
    fn play(&mut self, action: G::Action) -> String {
        let text = format!("{}: {}", G::PLAYERS[self.game.to_move()], self.game.people_text(action));
        self.game.apply(action);
        self.actions.push(action);
        self.after(&text)
    }

    fn legal(&self) -> Vec<G::Action> {
        let mut legal = Vec::new();
        self.game.legal_actions(&mut legal);
        legal
    }

    fn moves(&self) -> String {
        let line =
            |(number, &action): (usize, &G::Action)| format!("{:3} {}", number + 1, self.game.people_text(action));
        self.legal().iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Plays what a person has typed: an action or its number.
    fn turn(&mut self, text: &str) -> Result<String, Mistake> {
        let legal = self.legal();
        // If actions are numbers themselves, as in Connect Four, actions take precedence.
        let read = self.game.parse_action(text);
        let by_number = || legal.get(text.parse::<usize>().ok()?.checked_sub(1)?).copied();
        match (read, by_number()) {
            (Ok(action), _) | (Err(_), Some(action)) => Ok(self.play(action)),
            (Err(error), None) => Err(Mistake(error.to_string())),
        }
    }

    /// Takes back all that was played since the person's last turn began, that turn included.
    fn undo(&mut self) -> Result<String, Mistake> {
        let mut movers = Vec::new();
        let mut game = self.start.clone();
        for &action in &self.actions {
            movers.push(game.to_move());
            game.apply(action);
        }
        let Some(last) = movers.iter().rposition(|&player| player == self.person) else {
            return Err(Mistake("there is nothing to take back".to_owned()));
        };
        let begin = movers[..last]
            .iter()
            .rposition(|&player| player != self.person)
            .map_or(0, |before| before + 1);
        self.actions.truncate(begin);
        self.game.clone_from(&self.start);
        self.actions.iter().for_each(|&action| self.game.apply(action));
        Ok(self.board())
    }

    fn hint(&mut self, simulations: u32) -> anyhow::Result<String> {
        if self.game.outcome().is_some() {
            return Err(Mistake("the game is over".to_owned()).into());
        }
        let limits = AnalysisLimits {
            simulations: Some(simulations),
            time: None,
        };
        let mut analysis = Analysis::new(self.game.clone(), limits);
        let (stop, hints) = (&self.stop, &mut self.hints);
        self.interruption.stoppable(|| hints.run_until(&mut analysis, stop))?;
        let report = analysis.report(&ReportOptions {
            top: Some(HINTS),
            lines: false,
        });
        let actions = table::actions(&report.actions);
        Ok(format!("{}\n{actions}", table::verdict(&report)))
    }

    /// The game so far, as a record; an unfinished one has no result.
    fn record(&self) -> anyhow::Result<String> {
        let actions = line_texts(&self.start, self.actions.iter().copied(), G::action_text);
        let initial = G::new(&self.rules).position_text();
        let result = GameResult {
            outcome: self.game.outcome().unwrap_or(Outcome::Truncated),
            reason: self.game.end_reason().unwrap_or("ply limit").to_owned(),
            plies: actions.len() as u32,
            opening_plies: 0,
            start: Some(self.start.position_text()).filter(|start| *start != initial),
            actions,
            effort: Efforts::default(),
        };
        let [white, black] = Player::BOTH.map(|player| if player == self.person { "you" } else { &self.name });
        let record = G::record(&[("White", white), ("Black", black)], &result, &self.rules);
        let record = record.map_err(|reason| anyhow!(reason))?;
        Ok(match self.game.outcome() {
            Some(_) => record,
            None => record.replace(
                "[Result \"truncated\"]\n[Termination \"ply limit\"]\n",
                "[Result \"*\"]\n",
            ),
        })
    }
}
