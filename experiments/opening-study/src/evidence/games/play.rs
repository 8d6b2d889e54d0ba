//! Games of one player against itself, played together so that its network gets full batches.

use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::chase::Action;
use chase_engine::{Chase, Game, Outcome, Player};
use rand::rngs::Xoshiro256PlusPlus;

use super::series::Series;
use chase_arena::GameResult;
use chase_arena::games::PlayedGame;
use chase_arena::{Agent, AgentFailure, Choice, Decision};
use chase_statistics::generator;

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Start {
    /// Its series.
    pub series: Series,
    /// Its number in the series.
    pub number: u32,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions<'a> {
    /// All chance follows from this number, the players and the numbers of the games.
    pub seed: u64,
    /// Games that are played at the same time.
    pub in_flight: usize,
    /// Plies after which a game is truncated.
    pub max_plies: u32,
    /// Set if the games are to be given up.
    pub stop: &'a AtomicBool,
}

/// Plays games to their ends, in the order given; `None` if they were given up.
///
/// Whenever a game ends the next one takes its place. Which games share a batch follows from the list alone.
pub(super) fn play(
    starts: &[Start],
    agent: &mut dyn Agent<Chase>,
    conditions: &Conditions<'_>,
) -> Result<Option<Vec<PlayedGame>>, AgentFailure> {
    let mut played: Vec<Option<PlayedGame>> = vec![None; starts.len()];
    let mut waiting = starts.iter().enumerate();
    let mut tables: Vec<Table> = Vec::new();
    loop {
        while tables.len() < conditions.in_flight.max(1) {
            let Some((index, start)) = waiting.next() else { break };
            let table = Table::new(index, start, conditions.seed);
            // A line may end the game.
            if table.is_over(conditions) {
                played[index] = Some(table.finish(&starts[index]));
            } else {
                tables.push(table);
            }
        }
        if tables.is_empty() {
            return Ok(Some(played.into_iter().flatten().collect()));
        }
        if conditions.stop.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut decisions: Vec<_> = tables.iter_mut().map(Table::decision).collect();
        let (asked, choices) = (decisions.len(), agent.judge_batch(&mut decisions)?);
        if choices.len() != asked {
            return Err(AgentFailure(format!(
                "it made {} choices for {asked} decisions",
                choices.len()
            )));
        }
        for (table, choice) in tables.iter_mut().zip(choices) {
            table.play(choice)?;
        }
        let (over, open): (Vec<_>, Vec<_>) = tables.into_iter().partition(|table| table.is_over(conditions));
        for table in over {
            let index = table.index;
            played[index] = Some(table.finish(&starts[index]));
        }
        tables = open;
    }
}

/// A game in progress.
struct Table {
    /// Place of the game in the list.
    index: usize,
    start: Chase,
    game: Chase,
    /// One generator for each side. They follow from the player and the number of the game, and are the same in every series
    /// of the player. Players share no chance, so that how much they differ can be told from how much their games do.
    rngs: [Xoshiro256PlusPlus; 2],
    actions: Vec<Action>,
    texts: Vec<String>,
    values: Vec<Option<f64>>,
}

impl Table {
    fn new(index: usize, start: &Start, seed: u64) -> Self {
        let series = &start.series;
        let mut table = Self {
            index,
            start: Chase::new(&series.rules),
            game: Chase::new(&series.rules),
            rngs: [0, 1].map(|side| generator(seed, &[series.player() as u64, u64::from(start.number), side])),
            actions: Vec::new(),
            texts: Vec::new(),
            values: Vec::new(),
        };
        for &action in series.line() {
            table.apply(action, None);
        }
        table
    }

    fn is_over(&self, conditions: &Conditions<'_>) -> bool {
        self.game.outcome().is_some() || self.game.plies() >= conditions.max_plies
    }

    fn decision(&mut self) -> Decision<'_, Chase> {
        let side = self.game.to_move() as usize;
        Decision {
            game: &self.game,
            start: &self.start,
            actions: &self.actions,
            rng: &mut self.rngs[side],
        }
    }

    fn play(&mut self, choice: Choice<Action>) -> Result<(), AgentFailure> {
        let Choice { action, expects } = choice;
        if !self.game.is_legal(action) {
            let position = self.game.position_text();
            return Err(AgentFailure(format!(
                "it chose {action}, which is not legal in {position}"
            )));
        }
        let value = expects.map(|wdl| {
            let score = f64::from(wdl.win) + 0.5 * f64::from(wdl.draw);
            let score = match self.game.to_move() {
                Player::White => score,
                Player::Black => 1.0 - score,
            };
            // Four digits are more than a search knows.
            (score * 1e4).round() / 1e4
        });
        self.apply(action, value);
        Ok(())
    }

    fn apply(&mut self, action: Action, value: Option<f64>) {
        self.actions.push(action);
        self.texts.push(self.game.action_text(action));
        self.values.push(value);
        self.game.apply(action);
    }

    fn finish(self, start: &Start) -> PlayedGame {
        let (outcome, reason) = match (self.game.outcome(), self.game.end_reason()) {
            (Some(outcome), reason) => (outcome, reason.unwrap_or_default()),
            (None, _) => (Outcome::Truncated, "ply limit"),
        };
        PlayedGame {
            series: start.series.id.to_string(),
            number: start.number,
            result: GameResult {
                outcome,
                reason: reason.to_owned(),
                plies: self.game.plies(),
                opening_plies: start.series.line().len() as u32,
                actions: self.texts,
            },
            values: self.values,
        }
    }
}
