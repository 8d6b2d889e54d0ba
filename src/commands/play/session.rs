//! A game between a person and an opponent: its state, and the commands on it.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use chase_arena::analysis::ReportOptions;
use chase_arena::{Agent, Contestant, Decision, SearchLimits};
use chase_engine::{Outcome, Playable, Player, Record, Wdl};
use chase_statistics::generator;
use chase_training::store::files;

use super::command::{COMMANDS, Command, HELP};
use super::interruption::Interruption;
use super::texts::{self, View};
use crate::commands::analyse::{self, table};
use crate::destination::Destination;
use crate::{cli, columns};

/// The person's name in records.
const PERSON: &str = "person";
/// Number of actions in a hint.
const HINTS: usize = 5;
/// Characters of an action in a list at a terminal.
const LONGEST: usize = 21;

/// Something that the person asked for and cannot have.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Mistake(pub String);

/// A game in progress.
pub struct Session<G: Playable> {
    pub record: Record<G>,
    /// The last action, and the game before it.
    pub last: Option<(G, G::Action)>,
    pub person: Player,
    /// The opponent. Its randomness depends on the game and the seed alone: its choice does not change if actions are
    /// taken back and played again.
    pub opponent: Contestant<G>,
    pub agent: Box<dyn Agent<G>>,
    pub seed: u64,
    /// The player that gives hints, and its limits, unless the person asks for a number of simulations or nodes.
    pub hints: Box<dyn Agent<G>>,
    pub usual: SearchLimits,
    /// The file of the record.
    pub file: Option<PathBuf>,
    pub view: View,
    pub interruption: Interruption,
}

/// The player's name in a sentence, and its tag in a record.
fn name<G: Playable>(player: Player) -> &'static str {
    Record::<G>::player_tag(player)
}

/// The person's side by the tags of a record; `None` if they do not say.
pub fn person_of<G: Playable>(record: &Record<G>) -> Option<Player> {
    match Player::BOTH.map(|player| record.tag(name::<G>(player)) == Some(PERSON)) {
        [true, false] => Some(Player::White),
        [false, true] => Some(Player::Black),
        _ => None,
    }
}

/// The record of a new game between the person and an opponent.
pub fn begin<G: Playable>(start: G, rules: G::Rules, person: Player, opponent: &str) -> Record<G> {
    let mut record = Record::new(start, rules);
    name_players(&mut record, person, opponent);
    record
}

/// Sets the players' names in a record.
fn name_players<G: Playable>(record: &mut Record<G>, person: Player, opponent: &str) {
    for player in Player::BOTH {
        let name_of = if player == person { PERSON } else { opponent };
        let set = record.set_tag(name::<G>(player), name_of);
        set.expect("the tag of a player can be set");
    }
}

/// Reads a file with one game.
pub fn read<G: Playable>(file: &Path, standard: &G::Rules) -> anyhow::Result<Record<G>> {
    let record = Record::read(&cli::read(file)?, standard);
    let game = G::name(standard);
    record.map_err(|error| anyhow!("{} is not a record of a game of {game}: {error}", file.display()))
}

impl<G: Playable> Session<G> {
    /// Continues the game of the record.
    pub fn begin(&mut self) {
        self.replay();
        self.name_players();
    }

    /// Says in the record who continues, if it is one of a person's games; names that came from elsewhere stay.
    fn name_players(&mut self) {
        if person_of(&self.record).is_some() {
            name_players(&mut self.record, self.person, self.opponent.name());
        }
    }

    /// The text at the start of a session.
    pub fn welcome(&self) -> String {
        let [side, other] = [self.person, !self.person].map(name::<G>);
        let opponent = self.opponent.name();
        format!(
            "You play {side} against {opponent} ({other}). `help` explains the commands.\n\n{}",
            self.board()
        )
    }

    /// The text before the line that a person types.
    pub fn prompt(&self) -> String {
        match self.record.end() {
            Some(_) => "game over> ".to_owned(),
            None => texts::prompt(self.record.game(), name::<G>(self.person)),
        }
    }

    /// Commands, and actions as a person types them: what Tab completes.
    pub fn words(&self) -> Vec<String> {
        let game = self.record.game();
        let actions = self.actions().unwrap_or_default();
        let actions = actions.into_iter().map(|action| game.people_text(action));
        actions.chain(COMMANDS.map(str::to_owned)).collect()
    }

    /// Lets the opponent act once, if it is its turn, and says what happened.
    ///
    /// # Errors
    /// If the opponent cannot continue.
    pub fn opponent_acts(&mut self) -> anyhow::Result<Option<String>> {
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
        let chosen = self.interruption.stoppable(|| agent.choose_batch(&mut decisions))?;
        let choice = *chosen.first().context("the opponent chose nothing")?;
        let news = self.play(choice.action)? + &expectation(choice.expects);
        let continues = self.record.end().is_none() && self.record.game().to_move() != self.person;
        Ok(Some(match continues {
            true => news,
            false => format!("{news}\n\n{}", self.board()),
        }))
    }

    /// Executes the command of a line, and says what happened; `None` for the command that ends the game. An action
    /// takes precedence where a command has the same name.
    ///
    /// # Errors
    /// A [`Mistake`], after which the game continues, or an error that ends it.
    pub fn obey(&mut self, line: &str) -> anyhow::Result<Option<String>> {
        let game = self.record.game();
        let mut actions = self.actions().unwrap_or_default().into_iter();
        if let Some(action) = actions.find(|&action| game.action_text(action) == line.trim()) {
            return self.person_plays(action).map(Some);
        }
        let command = Command::read(line).map_err(Mistake)?;
        let Some(command) = command else {
            return Ok(Some(String::new()));
        };
        let say = match command {
            Command::Quit => return Ok(None),
            Command::Help => format!("{}\n{HELP}", texts::forms(game)),
            Command::Board => self.board(),
            Command::Record => self.record.to_string().trim_end().to_owned(),
            Command::Play(text) => {
                let action = self.read(&text)?;
                self.person_plays(action)?
            }
            Command::Moves(from) => self.list(&from)?,
            Command::Hint(simulations) => self.hint(simulations)?,
            Command::Undo(count) => self.undo(count)?,
            Command::Resign => self.resign()?,
            Command::Save(file) => {
                let text = self.record.to_string();
                let saved = Destination::open(&file).and_then(|to| to.write_whole(text.as_bytes()));
                saved.map_err(|error| Mistake(format!("the game is not saved: {error:#}")))?;
                format!("saved in {}", file.display())
            }
            Command::Load(file) => {
                let loaded = read(&file, self.record.rules());
                self.record = loaded.map_err(|error| Mistake(format!("{error:#}")))?;
                self.name_players();
                self.changed()?
            }
            Command::Flip => {
                self.view.flip ^= true;
                self.board()
            }
            Command::Swap => {
                self.person = !self.person;
                self.view.flip ^= true;
                self.name_players();
                self.keep()?;
                format!("you play {} now\n\n{}", name::<G>(self.person), self.board())
            }
            Command::New => {
                let (start, rules) = (self.record.start().clone(), self.record.rules().clone());
                self.record = begin(start, rules, self.person, self.opponent.name());
                self.changed()?
            }
        };
        Ok(Some(say))
    }

    /// Writes the record to its file. One without a file is written when the person leaves in the middle of the game.
    pub fn keep(&self) -> anyhow::Result<()> {
        if let Some(file) = &self.file {
            let text = self.record.to_string();
            return files::write_whole(file, text.as_bytes()).context("the game is not saved");
        }
        let unfinished = self.record.end().is_none() && !self.record.actions().is_empty();
        let unkept = unfinished.then(|| self.record.to_string());
        self.interruption.set_unkept(unkept);
        Ok(())
    }

    /// Keeps a game that would be lost.
    pub fn leave(&self) {
        self.interruption.leave();
    }

    /// The board, with the end of the game or what the person has to know to choose.
    fn board(&self) -> String {
        let game = self.record.game();
        let mut text = texts::board(game, self.last.as_ref(), self.view);
        if let Some(end) = self.ending() {
            text += &format!("\n{end}\n");
        } else if game.to_move() == self.person {
            let explanation = texts::explanation(game);
            text += if explanation.is_empty() { "" } else { "\n" };
            text += &explanation;
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// The end of the game, from the person's point of view; `None` while it continues.
    fn ending(&self) -> Option<String> {
        let (outcome, reason) = self.record.end()?;
        Some(match outcome {
            Outcome::Win(winner) => {
                let yours = if winner == self.person { "you win" } else { "you lose" };
                format!("{} has won by {reason}: {yours}", name::<G>(winner))
            }
            Outcome::Draw => format!("the game is a draw by {reason}"),
            Outcome::Truncated => format!("the game has ended without a result: {reason}"),
        })
    }

    /// The legal actions of a game that is not over.
    fn actions(&self) -> Result<Vec<G::Action>, Mistake> {
        if let Some(end) = self.ending() {
            return Err(Mistake(format!("{end}; `undo`, `new` or `quit`")));
        }
        let mut actions = Vec::new();
        self.record.game().legal_actions(&mut actions);
        Ok(actions)
    }

    /// The action with this text, or with this number in the list. Where actions are numbers, they take precedence.
    fn read(&self, text: &str) -> Result<G::Action, Mistake> {
        let actions = self.actions()?;
        let error = match texts::read(self.record.game(), text) {
            Ok(action) => return Ok(action),
            Err(error) => error,
        };
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Mistake(format!(
                "{error}\n`moves` lists the legal actions, `help` the commands"
            )));
        }
        let index = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let action = index.and_then(|index| actions.get(index)).copied();
        action.ok_or_else(|| Mistake(format!("expected a number from 1 to {}, found {text}", actions.len())))
    }

    /// The legal actions with their numbers, or those that begin with a text.
    fn list(&self, from: &str) -> Result<String, Mistake> {
        let game = self.record.game();
        let longest = columns::width().map_or(usize::MAX, |_| LONGEST);
        let mut lines = Vec::new();
        for (number, action) in (1..).zip(self.actions()?) {
            let (exact, text) = (game.action_text(action), game.people_text(action));
            if !begins_with(&exact, from) {
                continue;
            }
            let shown = columns::shortened(&text, longest);
            lines.push(match exact == text {
                true => format!("{number:4}  {shown}"),
                false => format!("{number:4}  {exact:6}  {shown}"),
            });
        }
        match lines.is_empty() {
            true => Err(Mistake(format!("no action begins with {from}"))),
            false => Ok(columns::listed(&lines)),
        }
    }

    fn hint(&mut self, simulations: Option<u32>) -> anyhow::Result<String> {
        self.actions()?;
        let limits = simulations.map_or(self.usual, |simulations| SearchLimits::nodes(simulations.into()));
        let options = ReportOptions {
            top: Some(HINTS),
            lines: false,
        };
        let (hints, game, stop) = (&mut *self.hints, self.record.game(), self.interruption.stop());
        let search = || analyse::report(hints, game, limits, options, stop);
        let report = self.interruption.stoppable(search)?;
        let actions = table::actions(&report.actions);
        Ok(format!(
            "{}\n\n{}\n{}",
            self.board(),
            table::verdict(&report),
            actions.trim_end()
        ))
    }

    fn person_plays(&mut self, action: G::Action) -> anyhow::Result<String> {
        let news = self.play(action)?;
        let stays = self.record.end().is_some() || self.record.game().to_move() == self.person;
        Ok(if stays {
            format!("{news}\n\n{}", self.board())
        } else {
            news
        })
    }

    /// Plays a legal action of an unfinished game, and describes it.
    fn play(&mut self, action: G::Action) -> anyhow::Result<String> {
        let before = self.record.game().clone();
        self.record.push(action)?;
        let text = format!("{} {}", name::<G>(before.to_move()), texts::done(&before, action));
        self.last = Some((before, action));
        self.keep()?;
        Ok(text)
    }

    /// Takes back the person's last decisions, and all that followed the first of them.
    fn undo(&mut self, count: usize) -> anyhow::Result<String> {
        let mut own = Vec::new();
        let mut game = self.record.start().clone();
        for (index, &action) in self.record.actions().iter().enumerate() {
            if game.to_move() == self.person {
                own.push(index);
            }
            game.apply(action);
        }
        let resigned = self.record.end().is_some() && game.outcome().is_none();
        // The last decision was to resign.
        let plies = count - usize::from(resigned);
        let kept = match own.len().checked_sub(plies) {
            _ if plies == 0 => self.record.actions().len(),
            Some(first) => own[first],
            None => {
                return Err(Mistake(format!(
                    "you can take back {} decisions at most",
                    own.len() + usize::from(resigned)
                ))
                .into());
            }
        };
        self.record.truncate(kept);
        self.changed()
    }

    fn resign(&mut self) -> anyhow::Result<String> {
        self.actions()?;
        self.record.declare(Outcome::Win(!self.person), "resignation")?;
        self.keep()?;
        Ok(self.ending().unwrap_or_default())
    }

    /// The board after the record was changed otherwise than by an action.
    fn changed(&mut self) -> anyhow::Result<String> {
        self.replay();
        self.keep()?;
        Ok(self.board())
    }

    /// Finds the last action of the record.
    fn replay(&mut self) {
        self.last = None;
        let mut game = self.record.start().clone();
        for &action in self.record.actions() {
            let before = game.clone();
            game.apply(action);
            self.last = Some((before, action));
        }
    }
}

/// The score that a player expects after its search, as the end of a sentence; empty if it does not say.
fn expectation(expects: Option<Wdl>) -> String {
    expects.map_or(String::new(), |wdl| {
        format!(", and expects to score {:.0} %", 100.0 * wdl.score())
    })
}

/// True if an action begins with a text, or its first cell does: points, or a sign, may stand before it.
fn begins_with(action: &str, text: &str) -> bool {
    let from_cell = action.trim_start_matches(|first: char| !first.is_ascii_alphabetic());
    [action, from_cell].into_iter().any(|action| {
        let begin = action.get(..text.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(text))
    })
}
