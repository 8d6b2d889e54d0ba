//! External programs as players.

mod allowance;
mod output;
mod process;
mod running;
mod text;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use chase_engine::chase::Rules;
use chase_engine::{Game, Moment, Playable, Player};

use crate::games::line_texts;
use crate::lock;
use crate::ugi::line::excerpt;
use crate::ugi::{Command, RULE_OPTIONS, Start, rule_values};
pub use process::{ProcessError, report_waiting};
pub use running::kill_all;
pub use text::EngineSpec;
pub(crate) use text::{EXAMPLE, OPTIONS};

use crate::players::agent::{Agent, AgentFailure, Choice, ChoiceOrForfeit, Contestant, Decision, Forfeit};
use crate::players::effort::Effort;
use process::Process;

/// Processes of one agent: one for each game of a pair, so that none has to switch between games.
const PROCESSES: usize = 2;

impl EngineSpec {
    /// The program as a contestant under this name. It is started once immediately, as a check.
    ///
    /// # Errors
    /// If it cannot be started, or does not support the protocol.
    pub(crate) fn contestant<G: Playable>(&self, game: &str, name: &str) -> Result<Contestant<G>, ProcessError> {
        let spec = self.clone();
        let initial = G::standard_rules(game).map(|rules| G::new(&rules).position_text());
        let first = Seat::new(Process::start(&spec.words, spec.timeout)?);
        let idle = Arc::new(Mutex::new(vec![first]));
        Ok(Contestant::new(name, move || {
            Box::new(EngineAgent {
                spec: spec.clone(),
                initial: initial.clone(),
                seats: Vec::new(),
                idle: Arc::clone(&idle),
            })
        }))
    }
}

/// A process, and its current game.
#[derive(Debug)]
struct Seat<G: Game> {
    process: Process,
    /// The conventions of its game.
    rules: Option<Rules>,
    /// The key of the game's initial state.
    start: Option<u128>,
    /// The side that the process plays.
    player: Option<Player>,
    /// The actions of the game at the last request.
    actions: Vec<G::Action>,
}

impl<G: Playable> Seat<G> {
    fn new(process: Process) -> Self {
        Self {
            process,
            rules: None,
            start: None,
            player: None,
            actions: Vec::new(),
        }
    }

    /// True if a decision belongs to the process's current game.
    ///
    /// Two games of a pair may begin alike, but the player has a different colour in each.
    fn plays(&self, decision: &Decision<'_, G>) -> bool {
        self.start == Some(decision.start.key())
            && self.player == Some(decision.game.to_move())
            && self.rules == decision.start.conventions()
            && decision.actions.starts_with(&self.actions)
    }

    /// Prepares the process for another game.
    fn change_to(&mut self, decision: &Decision<'_, G>, within: Duration) -> Result<(), ProcessError> {
        let rules = decision.start.conventions();
        if self.rules != rules {
            for (name, value) in RULE_OPTIONS.into_iter().zip(rules.iter().flat_map(rule_values)) {
                self.process.set_option(name, value);
            }
            self.rules = rules;
        }
        self.start = Some(decision.start.key());
        self.player = Some(decision.game.to_move());
        self.process.new_game(within)
    }
}

/// An agent whose choices are made by processes, one for each game.
///
/// Their choices may depend on more than the game: nothing is known about the processes.
#[derive(Debug)]
struct EngineAgent<G: Game> {
    spec: EngineSpec,
    /// The initial position by the rules, as text.
    initial: Option<String>,
    /// Sorted by last use, latest last.
    seats: Vec<Seat<G>>,
    /// Processes that no agent of the contestant is using. A match creates agents as needed, and starting a program may
    /// take long.
    idle: Arc<Mutex<Vec<Seat<G>>>>,
}

impl<G: Game> Drop for EngineAgent<G> {
    fn drop(&mut self) {
        lock(&self.idle).append(&mut self.seats);
    }
}

impl<G: Playable> EngineAgent<G> {
    /// Its choice, or why it loses the game.
    ///
    /// # Errors
    /// If it is this machine that cannot run it: that is no fault of the engine, and no game is lost by it.
    fn answer(&mut self, decision: &Decision<'_, G>) -> Result<ChoiceOrForfeit<G::Action>, AgentFailure> {
        match self.answer_of_engine(decision) {
            Ok(choice) => Ok(Ok(choice)),
            Err(error @ ProcessError::Start { .. }) => Err(AgentFailure(error.to_string())),
            Err(error) => Ok(Err(Forfeit(error.to_string()))),
        }
    }

    fn answer_of_engine(&mut self, decision: &Decision<'_, G>) -> Result<Choice<G::Action>, ProcessError> {
        let mut seat = self.seat(decision)?;
        let start = match decision.start.position_text() {
            text if self.initial.as_ref() == Some(&text) => Start::Initial,
            text => Start::Fen(text),
        };
        let moves = line_texts(decision.start, decision.actions.iter().copied(), G::action_text);
        let position = Command::Position { start, moves };
        let begin = Moment::now();
        // After a fault the process is dropped with its seat: its next answers could not be trusted.
        let answer = seat.process.best_move(position, self.spec.limit, self.spec.timeout)?;
        let effort = Effort {
            milliseconds: Some(begin.elapsed().as_millis() as u64),
            ..seat.process.effort()
        };
        let action = decision.game.parse_action(&answer);
        let complaint = seat
            .process
            .complaint()
            .map(|text| format!(" ({text})"))
            .unwrap_or_default();
        seat.actions = decision.actions.to_vec();
        self.seats.push(seat);
        let action = action.map_err(|_| {
            let (answer, position) = (excerpt(&answer), decision.game.position_text());
            ProcessError::Fault(format!("illegal move: `{answer}` in {position}{complaint}"))
        })?;
        Ok(Choice {
            effort,
            ..Choice::from(action)
        })
    }

    /// The process for a game, removed from the list.
    fn seat(&mut self, decision: &Decision<'_, G>) -> Result<Seat<G>, ProcessError> {
        let playing = self.seats.iter().position(|seat| seat.plays(decision));
        if let Some(index) = playing {
            return Ok(self.seats.remove(index));
        }
        let mut seat = if self.seats.len() < PROCESSES {
            let idle = lock(&self.idle).pop();
            idle.map_or_else(
                || Process::start(&self.spec.words, self.spec.timeout).map(Seat::new),
                Ok,
            )?
        } else {
            self.seats.remove(0)
        };
        seat.change_to(decision, self.spec.timeout)?;
        Ok(seat)
    }
}

impl<G: Playable> Agent<G> for EngineAgent<G> {
    fn choose_batch(&mut self, decisions: &mut [Decision<'_, G>]) -> Result<Vec<Choice<G::Action>>, AgentFailure> {
        let answer = |answer: ChoiceOrForfeit<_>| answer.map_err(|Forfeit(reason)| AgentFailure(reason));
        let answers = decisions.iter().map(|decision| self.answer(decision).and_then(answer));
        answers.collect()
    }

    fn choose_or_forfeit(
        &mut self,
        decisions: &mut [Decision<'_, G>],
    ) -> Result<Vec<ChoiceOrForfeit<G::Action>>, AgentFailure> {
        decisions.iter().map(|decision| self.answer(decision)).collect()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use chase_engine::Chase;
    use chase_statistics::generator;

    use super::*;

    /// An engine that repeats its requests, chooses nothing, and logs its input.
    const ENGINE: &str = r#"while read line; do
        echo "$line" >> "$0"
        case "$line" in ugi) echo ugiok;; isready) echo readyok;; go*) echo bestmove none;; quit) exit;; esac
    done"#;

    #[test]
    fn both_games_of_a_pair_have_a_process_though_they_begin_alike() {
        let home = tempfile::tempdir().expect("a folder");
        let told = home.path().join("told");
        let spec = format!("ugi:nodes=1,command=sh -c '{ENGINE}' {}", told.display());
        let options = spec.strip_prefix("ugi:").expect("a prefix");
        let program = EngineSpec::read(&spec, options).expect("a program");
        let mut agent = program.contestant::<Chase>(Chase::NAME, "x").expect("it runs").agent();
        let start = Chase::new(&Rules::default());
        let mut ask = |moves: &[&str]| {
            let (mut game, mut actions) = (start.clone(), Vec::new());
            for text in moves {
                let action = game.parse_action(text).expect(text);
                game.apply(action);
                actions.push(action);
            }
            let decision = Decision {
                game: &game,
                start: &start,
                actions: &actions,
                rng: &mut generator(1, &[]),
            };
            agent.choose_or_forfeit(&mut [decision]).expect("an answer");
        };
        let games = || {
            let told = fs::read_to_string(&told).expect("text");
            told.lines().filter(|line| *line == "uginewgame").count()
        };
        // White in one game; then Black in the other, which begins with the moves of the first.
        ask(&[]);
        ask(&["A3NW"]);
        assert_eq!(games(), 2);
        // Both games continue.
        ask(&["A3NW", "I1W"]);
        ask(&["A3NW", "I1W", "A1NW"]);
        assert_eq!(games(), 2);
    }
}
