//! A game between a person and an opponent: its state, and the commands on it.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::Context;
use chase_arena::analysis::{AnalysisLimits, Analyst, EvaluatorSpec, ReportOptions};
use chase_engine::chase::notation::{AsciiOptions, Course, Record, Termination};
use chase_engine::chase::{Action, Position, Rules};
use chase_engine::{Chase, Game, Outcome, Player};
use chase_models::device::Device;
use chase_training::files;

use super::command::{COMMANDS, Command, HELP};
use super::conversation::{Conversation, Mistake, Reply};
use super::interruption::Interruption;
use super::opponent::Opponent;
use super::text;
use crate::commands::analyse::table;

/// The person's name in records.
const PERSON: &str = "person";
/// Number of actions in a hint.
const HINTS: usize = 5;

/// The evaluator for hints.
pub struct Hints {
    simulations: u32,
    analyst: Analyst,
}

impl Hints {
    /// `simulations` is the default for a hint.
    pub fn new(evaluator: &EvaluatorSpec, device: Device, simulations: u32) -> anyhow::Result<Self> {
        Ok(Self {
            analyst: Analyst::new(evaluator, device)?,
            simulations,
        })
    }

    fn on(&mut self, game: &Chase, simulations: Option<u32>, stop: &AtomicBool) -> anyhow::Result<String> {
        let limits = AnalysisLimits {
            simulations: Some(simulations.unwrap_or(self.simulations)),
            time: None,
        };
        let mut analysis = self.analyst.analysis(game.clone(), limits);
        self.analyst.run_until(&mut analysis, stop)?;
        let report = analysis.report(&ReportOptions {
            top: Some(HINTS),
            lines: false,
        });
        let actions = table::actions(&report.actions);
        Ok(format!("{}\n{}", table::verdict(&report), actions.trim_end()))
    }
}

/// The record of a new game between the person and an opponent.
pub fn begin(position: Position, rules: Rules, person: Player, opponent: &str) -> Record {
    let mut record = Record::new(position, rules);
    name_players(&mut record, person, opponent);
    record
}

/// The tags of the players.
const TAGS: [(Player, &str); 2] = [(Player::White, "White"), (Player::Black, "Black")];

/// Sets the players' names in a record.
fn name_players(record: &mut Record, person: Player, opponent: &str) {
    for (player, tag) in TAGS {
        let name = if player == person { PERSON } else { opponent };
        let set = record.set_tag(tag, name);
        debug_assert!(set.is_ok(), "these are names of tags that a game does not determine");
    }
}

/// The person's colour by the tags of a record; `None` if they do not say.
pub fn person_of(record: &Record) -> Option<Player> {
    match TAGS.map(|(_, tag)| record.tag(tag) == Some(PERSON)) {
        [true, false] => Some(Player::White),
        [false, true] => Some(Player::Black),
        _ => None,
    }
}

/// A game in progress.
pub struct Session {
    record: Record,
    /// The game of the record.
    game: Chase,
    /// The course of the last action.
    last: Option<Course>,
    person: Player,
    opponent: Opponent,
    hints: Hints,
    /// The file of the record.
    file: Option<PathBuf>,
    color: bool,
    flip: bool,
    interruption: Interruption,
}

impl Conversation for Session {
    fn prompt(&self) -> String {
        if self.is_over() {
            return "game over> ".to_owned();
        }
        let position = self.game.position();
        format!("{}, turn {}> ", text::name(position.to_move()), position.turn())
    }

    fn words(&self) -> Vec<String> {
        let actions = self.actions().unwrap_or_default();
        let position = self.game.position();
        let turns = actions.into_iter().map(|action| position.article_text(action));
        turns.chain(COMMANDS.map(str::to_owned)).collect()
    }

    fn opponent_acts(&mut self) -> anyhow::Result<Option<String>> {
        if self.is_over() || self.game.to_move() == self.person {
            return Ok(None);
        }
        let (opponent, game, record) = (&mut self.opponent, &self.game, &self.record);
        let choice = self.interruption.stoppable(|| opponent.choose(game, record))?;
        let news = self.play(choice.action)? + &text::expectation(choice.expects);
        let goes_on = !self.is_over() && self.game.to_move() != self.person;
        Ok(Some(if goes_on {
            news
        } else {
            format!("{news}\n\n{}", self.view())
        }))
    }

    fn obey(&mut self, line: &str) -> anyhow::Result<Reply> {
        let command = Command::read(line).map_err(Mistake)?;
        let Some(command) = command else {
            return Ok(Reply::Say(String::new()));
        };
        let say = match command {
            Command::Quit => return Ok(Reply::Quit),
            Command::Help => HELP.to_owned(),
            Command::Board => self.view(),
            Command::Record => self.record.to_string().trim_end().to_owned(),
            Command::Play(text) => {
                let action = self.read(&text)?;
                self.person_plays(action)?
            }
            Command::Number(number) => {
                let action = self.numbered(number)?;
                self.person_plays(action)?
            }
            Command::Moves(from) => text::actions(self.game.position(), &self.actions()?, from),
            Command::Hint(simulations) => {
                self.actions()?;
                let (hints, game, stop) = (&mut self.hints, &self.game, self.interruption.stop());
                let hint = self.interruption.stoppable(|| hints.on(game, simulations, stop))?;
                format!("{}\n\n{hint}", self.view())
            }
            Command::Undo(count) => self.undo(count)?,
            Command::Resign => self.resign()?,
            Command::Save(file) => {
                self.save(&file).map_err(|error| Mistake(format!("{error:#}")))?;
                format!("saved in {}", file.display())
            }
            Command::Load(file) => {
                self.record = super::read(&file).map_err(|error| Mistake(format!("{error:#}")))?;
                self.replay();
                self.keep()?;
                self.view()
            }
            Command::Flip => {
                self.flip = !self.flip;
                self.view()
            }
            Command::Swap => {
                self.person = !self.person;
                self.flip = !self.flip;
                self.name_players();
                self.keep()?;
                format!("you play {} now\n\n{}", text::name(self.person), self.view())
            }
            Command::New => {
                let (start, rules) = (*self.record.start(), *self.record.rules());
                self.record = begin(start, rules, self.person, self.opponent.name());
                self.replay();
                self.keep()?;
                self.view()
            }
        };
        Ok(Reply::Say(say))
    }
}

impl Session {
    /// Goes on with the game of a record.
    pub fn new(
        record: Record,
        person: Player,
        opponent: Opponent,
        hints: Hints,
        file: Option<PathBuf>,
        color: bool,
        interruption: Interruption,
    ) -> Self {
        let mut session = Self {
            game: Chase::from_position(*record.start(), *record.rules()),
            record,
            last: None,
            person,
            opponent,
            hints,
            file,
            color,
            flip: person == Player::Black,
            interruption,
        };
        session.replay();
        session.name_players();
        session
    }

    /// Says in the record who plays on, if it is one of a person's games; names that came from elsewhere stay.
    fn name_players(&mut self) {
        if person_of(&self.record).is_some() {
            name_players(&mut self.record, self.person, self.opponent.name());
        }
    }

    /// The text at the start of a session.
    pub fn welcome(&self) -> String {
        let (side, other) = (text::name(self.person), text::name(!self.person));
        let opponent = self.opponent.name();
        format!(
            "You play {side} against {opponent} ({other}). `help` explains the commands.\n\n{}",
            self.view()
        )
    }

    /// Writes the record to its file. One without a file is written when the person leaves in the middle of the game.
    pub fn keep(&self) -> anyhow::Result<()> {
        if let Some(file) = &self.file {
            return self.save(file);
        }
        let unfinished = !self.is_over() && !self.record.plies().is_empty();
        self.interruption
            .set_unkept(unfinished.then(|| self.record.to_string()));
        Ok(())
    }

    /// Keeps a game that would be lost.
    pub fn leave(&self) {
        self.interruption.leave();
    }

    fn is_over(&self) -> bool {
        *self.record.termination() != Termination::Unterminated
    }

    /// The board, with the end of the game or the points to absorb.
    fn view(&self) -> String {
        let mut view = self.game.position().to_ascii(&AsciiOptions {
            color: self.color,
            flip: self.flip,
            attacks: None,
            last: self.last.clone(),
        });
        if self.is_over() {
            view += &format!("\n{}\n", text::ending(self.record.termination(), self.person));
        } else if self.game.to_move() == self.person {
            view += &text::absorption(self.game.position());
        }
        view.truncate(view.trim_end().len());
        view
    }

    /// The legal actions of a game that is not over.
    fn actions(&self) -> Result<Vec<Action>, Mistake> {
        if self.is_over() {
            let how = text::ending(self.record.termination(), self.person);
            return Err(Mistake(format!("{how}; `undo`, `new` or `quit`")));
        }
        let mut actions = Vec::new();
        self.game.legal_actions(&mut actions);
        Ok(actions)
    }

    fn numbered(&self, number: usize) -> Result<Action, Mistake> {
        let actions = self.actions()?;
        let action = number.checked_sub(1).and_then(|index| actions.get(index));
        let expected = || Mistake(format!("expected a number from 1 to {}, found {number}", actions.len()));
        action.copied().ok_or_else(expected)
    }

    /// The action with this text.
    fn read(&self, text: &str) -> Result<Action, Mistake> {
        self.actions()?;
        let turn = self.game.position().parse_article(text);
        let explained = |error| Mistake(format!("{error}\n`moves` lists the legal actions, `help` the commands"));
        match turn.map_err(explained)?[..] {
            [action] => Ok(action),
            _ => Err(Mistake(
                "the dice that absorb are for your opponent to choose: leave them out".to_owned(),
            )),
        }
    }

    fn person_plays(&mut self, action: Action) -> anyhow::Result<String> {
        let news = self.play(action)?;
        let stays = self.is_over() || self.game.to_move() == self.person;
        Ok(if stays {
            format!("{news}\n\n{}", self.view())
        } else {
            news
        })
    }

    /// Plays a legal action of an unfinished game, and describes it.
    fn play(&mut self, action: Action) -> anyhow::Result<String> {
        let before = *self.game.position();
        self.record.push(action, "")?;
        self.last = Some(before.course(action)?);
        self.game.apply(action);
        self.keep()?;
        Ok(text::played(&before, action))
    }

    fn undo(&mut self, count: usize) -> anyhow::Result<String> {
        let mut position = *self.record.start();
        let mut own = Vec::new();
        for (index, ply) in self.record.plies().iter().enumerate() {
            if position.to_move() == self.person {
                own.push(index);
            }
            position.play_unchecked(ply.action);
        }
        let resigned = matches!(self.record.termination(), Termination::Declared { .. });
        let kept = match own.len().checked_sub(count) {
            // The last decision was to resign.
            _ if resigned && count == 1 => self.record.plies().len(),
            Some(first) => own[first],
            None => return Err(Mistake(format!("you can take back {} decisions at most", own.len())).into()),
        };
        let mut record = Record::new(*self.record.start(), *self.record.rules());
        for (name, value) in self.record.tags() {
            record.set_tag(name, value)?;
        }
        for ply in &self.record.plies()[..kept] {
            record.push(ply.action, &ply.comment)?;
        }
        self.record = record;
        self.replay();
        self.keep()?;
        Ok(self.view())
    }

    fn resign(&mut self) -> anyhow::Result<String> {
        self.actions()?;
        self.record.declare(Some(Outcome::Win(!self.person)), "resignation")?;
        self.keep()?;
        Ok(text::ending(self.record.termination(), self.person))
    }

    fn save(&self, file: &Path) -> anyhow::Result<()> {
        let saved = files::write_whole(file, self.record.to_string().as_bytes());
        saved.context("the game is not saved")
    }

    /// Restores the game from the record.
    fn replay(&mut self) {
        self.game = Chase::from_position(*self.record.start(), *self.record.rules());
        self.last = None;
        for ply in self.record.plies() {
            self.last = self.game.position().course(ply.action).ok();
            self.game.apply(ply.action);
        }
    }
}
