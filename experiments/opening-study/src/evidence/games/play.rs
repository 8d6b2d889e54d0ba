//! Plays games of one player against itself together, so that its network gets full batches.

use std::sync::atomic::{AtomicBool, Ordering};

use chase_engine::chase::Action;
use chase_engine::{Chase, Game, Outcome};
use rand::rngs::Xoshiro256PlusPlus;

use super::series::Series;
use chase_arena::GameResult;
use chase_arena::games::{PLY_LIMIT, PlayedGame};
use chase_arena::{Agent, AgentFailure, Choice, Contestant, Decision, Efforts};
use chase_engine::chase::Rules;
use chase_statistics::generator;

/// A game of a series to be played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Start {
    /// Its series.
    pub series: Series,
    /// Its number in the series.
    pub number: u32,
}

impl Start {
    /// The beginning of the game. It has one generator for each side, derived from the player and the number of the
    /// game and the same in every series of the player. Players share no randomness, so that the variation between them
    /// can be compared with that of their games.
    pub fn beginning(&self, seed: u64) -> Beginning {
        let Self { series, number } = self;
        Beginning {
            rules: series.rules,
            line: series.line().to_vec(),
            rngs: [0, 1].map(|side| generator(seed, &[series.player() as u64, u64::from(*number), side])),
        }
    }

    /// The game in its stored form.
    pub fn game(&self, played: Played) -> PlayedGame {
        PlayedGame {
            series: self.series.id.to_string(),
            number: self.number,
            result: played.result,
            values: played.values,
        }
    }
}

/// The beginning of a game, and its generators.
#[derive(Clone, Debug)]
pub(crate) struct Beginning {
    /// Conventions.
    pub rules: Rules,
    /// The forced plies from the initial position, all legal.
    pub line: Vec<Action>,
    /// One generator for each side.
    pub rngs: [Xoshiro256PlusPlus; 2],
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Played {
    /// The game; its opening is the forced plies.
    pub result: GameResult,
    /// Expected score of White before each ply, from 0 to 1; `None` where there was no choice, or no search.
    pub values: Vec<Option<f64>>,
}

/// Settings for playing games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conditions<'a> {
    /// Number of games played at the same time.
    pub in_flight: usize,
    /// Plies after which a game is truncated.
    pub max_plies: u32,
    /// Set to abandon the games.
    pub stop: &'a AtomicBool,
}

/// Plays games to the end, in the given order; `None` if they were abandoned.
///
/// Whenever a game ends, the next one takes its place. The games that share a batch depend on the list alone.
pub(crate) fn play(
    beginnings: Vec<Beginning>,
    agent: &mut dyn Agent<Chase>,
    conditions: &Conditions<'_>,
) -> Result<Option<Vec<Played>>, AgentFailure> {
    let mut played: Vec<Option<Played>> = vec![None; beginnings.len()];
    let mut waiting = beginnings.into_iter().enumerate();
    let mut tables: Vec<Table> = Vec::new();
    loop {
        while tables.len() < conditions.in_flight.max(1) {
            let Some((index, beginning)) = waiting.next() else {
                break;
            };
            let table = Table::new(index, beginning);
            // A forced line may end the game.
            if table.is_over(conditions) {
                played[index] = Some(table.finish());
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
        let (asked, choices) = (decisions.len(), agent.choose_batch(&mut decisions)?);
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
            played[index] = Some(table.finish());
        }
        tables = open;
    }
}

/// The agent of one player at a time, so that a thread holds one network.
#[derive(Default)]
pub(crate) struct OneAgent(Option<(usize, Box<dyn Agent<Chase>>)>);

impl OneAgent {
    /// The agent of a player, by its number.
    pub fn of(&mut self, player: usize, contestant: &Contestant<Chase>) -> &mut dyn Agent<Chase> {
        let kept = self.0.take().filter(|(of, _)| *of == player);
        let (_, agent) = self.0.insert(kept.unwrap_or_else(|| (player, contestant.agent())));
        agent.as_mut()
    }
}

/// A game in progress.
struct Table {
    /// Index of the game in the list.
    index: usize,
    start: Chase,
    game: Chase,
    rngs: [Xoshiro256PlusPlus; 2],
    opening_plies: u32,
    actions: Vec<Action>,
    texts: Vec<String>,
    values: Vec<Option<f64>>,
}

impl Table {
    fn new(index: usize, beginning: Beginning) -> Self {
        let Beginning { rules, line, rngs } = beginning;
        let mut table = Self {
            index,
            start: Chase::new(&rules),
            game: Chase::new(&rules),
            rngs,
            opening_plies: line.len() as u32,
            actions: Vec::new(),
            texts: Vec::new(),
            values: Vec::new(),
        };
        for action in line {
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
        let Choice { action, expects, .. } = choice;
        if !self.game.is_legal(action) {
            let position = self.game.position_text();
            return Err(AgentFailure(format!(
                "it chose {action}, which is not legal in {position}"
            )));
        }
        let value = expects.map(|wdl| {
            let score = self.game.to_move().score(wdl.score());
            // Four digits exceed the precision of a search.
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

    fn finish(self) -> Played {
        let (outcome, reason) = self.game.end().unwrap_or((Outcome::Truncated, PLY_LIMIT));
        Played {
            result: GameResult {
                outcome,
                reason: reason.to_owned(),
                plies: self.game.plies(),
                opening_plies: self.opening_plies,
                start: None,
                actions: self.texts,
                effort: Efforts::default(),
            },
            values: self.values,
        }
    }
}
