//! The rows of a shard: conversion of games to rows and back.

use std::borrow::Cow;
use std::collections::HashSet;

use chase_engine::{Game, Outcome, Player, Wdl};
use serde::{Deserialize, Serialize};

use crate::game_record::{GameRecord, GroupOrigin, PlyRecord, PolicyRecord};
use crate::store::tables::{self, RecordBatch};

/// A ply of a game: the columns that [`shard`](super::shard) describes.
#[derive(Serialize, Deserialize)]
pub(super) struct Row<'a> {
    pub(super) game: u32,
    pub(super) ply: u32,
    player: &'a str,
    #[serde(borrow)]
    position: Cow<'a, str>,
    #[serde(borrow)]
    action: Cow<'a, str>,
    simulations: u32,
    root_win: Option<f32>,
    root_draw: Option<f32>,
    root_loss: Option<f32>,
    full_search: bool,
    policy_index: Cow<'a, [u16]>,
    policy_target: Cow<'a, [f32]>,
    visits: Cow<'a, [u32]>,
    priors: Cow<'a, [f32]>,
    weight: Option<f32>,
    outcome: &'a str,
    end_reason: &'a str,
    random_plies: u32,
    plies_left: u32,
    generation: u64,
    purpose: &'a str,
    model: &'a str,
}

/// One row per ply of each game.
pub(super) fn to_batch<G: Game>(origin: &GroupOrigin, records: &[GameRecord<G>]) -> RecordBatch {
    tables::batch_of(tables::columns(records.iter().flat_map(|record| rows(origin, record))))
}

fn rows<'a, G: Game>(origin: &'a GroupOrigin, record: &'a GameRecord<G>) -> impl Iterator<Item = Row<'a>> {
    let mut game = record.start.clone();
    (0..).zip(&record.plies).map(move |(number, ply)| {
        let policy = ply.policy.as_ref();
        let row = Row {
            game: record.index,
            ply: number,
            player: ply.player.name(),
            position: game.position_text().into(),
            action: game.action_text(ply.action).into(),
            simulations: ply.simulations,
            root_win: ply.value.map(|value| value.win),
            root_draw: ply.value.map(|value| value.draw),
            root_loss: ply.value.map(|value| value.loss),
            full_search: policy.is_some(),
            policy_index: list(policy, |policy| &policy.indices),
            policy_target: list(policy, |policy| &policy.target),
            visits: list(policy, |policy| &policy.visits),
            priors: list(policy, |policy| &policy.priors),
            weight: policy.map(|policy| policy.weight),
            outcome: record.outcome.name(),
            end_reason: &record.end_reason,
            random_plies: record.random_plies,
            plies_left: record.plies.len() as u32 - number,
            generation: origin.generation,
            purpose: origin.purpose.name(),
            model: &origin.model,
        };
        game.apply(ply.action);
        row
    })
}

/// A list of a full search; empty after another one.
fn list<'a, T: Clone>(policy: Option<&'a PolicyRecord>, of: fn(&PolicyRecord) -> &Vec<T>) -> Cow<'a, [T]> {
    policy.map_or(&[][..], |policy| of(policy)).into()
}

impl Row<'_> {
    /// The result that the search expects; `None` without a search.
    fn value(&self) -> Option<Wdl> {
        Some([self.root_win?, self.root_draw?, self.root_loss?].into())
    }

    /// The results of a full search; `None` after another one.
    fn policy(self) -> Result<Option<PolicyRecord>, String> {
        if !self.full_search {
            return Ok(None);
        }
        Ok(Some(PolicyRecord {
            indices: self.policy_index.into_owned(),
            target: self.policy_target.into_owned(),
            visits: self.visits.into_owned(),
            priors: self.priors.into_owned(),
            weight: self.weight.ok_or("a policy target has no weight")?,
        }))
    }
}

/// Games being reconstructed.
pub(super) struct Games<'a, G: Game> {
    rules: &'a G::Rules,
    finished: Vec<GameRecord<G>>,
    /// Their numbers, and the number of the current game.
    known: HashSet<u32>,
    /// The game that rows are being added to, and its current position.
    current: Option<(GameRecord<G>, G)>,
    /// True if the games have not ended.
    unfinished: bool,
    legal: Vec<G::Action>,
}

impl<'a, G: Game> Games<'a, G> {
    pub(super) fn new(rules: &'a G::Rules, unfinished: bool) -> Self {
        Self {
            rules,
            unfinished,
            finished: Vec::new(),
            known: HashSet::new(),
            current: None,
            legal: Vec::new(),
        }
    }

    /// Adds a row after checking it against the rules.
    pub(super) fn add(&mut self, row: Row<'_>) -> Result<(), String> {
        if row.ply == 0 {
            self.close()?;
            if !self.known.insert(row.game) {
                return Err("the game is there twice".into());
            }
            // Read from the text only if the game does not begin in the initial position, since a text does not hold
            // everything.
            let initial = G::new(self.rules);
            let start = if initial.position_text() == row.position {
                initial
            } else {
                G::from_position_text(&row.position, self.rules).map_err(|error| error.to_string())?
            };
            let record = GameRecord {
                index: row.game,
                start: start.clone(),
                random_plies: row.random_plies,
                plies: Vec::new(),
                outcome: outcome(row.outcome)?,
                end_reason: row.end_reason.to_owned(),
            };
            self.current = Some((record, start));
        }
        let (record, game) = self.current.as_mut().ok_or("the game does not begin with ply 0")?;
        if row.game != record.index || row.ply as usize != record.plies.len() {
            return Err(format!("expected ply {} of game {}", record.plies.len(), record.index));
        }
        if game.position_text() != row.position {
            return Err(format!(
                "the position is `{}`, but the game leads to `{}`",
                row.position,
                game.position_text()
            ));
        }
        let action = game.parse_action(&row.action).map_err(|error| error.to_string())?;
        let (ply, simulations, value) = (row.ply, row.simulations, row.value());
        let policy = row.policy()?;
        if policy.is_some() && ply < record.random_plies {
            return Err("a random ply has a policy target".into());
        }
        if let Some(policy) = &policy {
            game.legal_actions(&mut self.legal);
            let indices = self.legal.iter().map(|&action| game.policy_index(action));
            if !indices.eq(policy.indices.iter().map(|&index| usize::from(index))) {
                return Err("the policy indices are not those of the legal actions".into());
            }
            if policy.target.len() != policy.indices.len() {
                return Err(format!(
                    "{} targets for {} actions",
                    policy.target.len(),
                    policy.indices.len()
                ));
            }
        }
        record.plies.push(PlyRecord {
            action,
            player: game.to_move(),
            simulations,
            value,
            policy,
        });
        game.apply(action);
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        if let Some((record, game)) = self.current.take() {
            if self.unfinished {
                if let Some(outcome) = game.outcome() {
                    return Err(format!("game {} has ended as `{}`", record.index, outcome.name()));
                }
            } else if game.outcome() != Some(record.outcome) {
                let found = game.outcome().map_or("unfinished", Outcome::name);
                let (index, expected) = (record.index, record.outcome.name());
                return Err(format!(
                    "game {index} is recorded as `{expected}`, but it ends as `{found}`"
                ));
            }
            self.finished.push(record);
        }
        Ok(())
    }

    /// The games, if the last one is complete.
    pub(super) fn finish(mut self) -> Result<Vec<GameRecord<G>>, String> {
        self.close()?;
        Ok(self.finished)
    }
}

fn outcome(name: &str) -> Result<Outcome, String> {
    let all = [
        Outcome::Win(Player::White),
        Outcome::Win(Player::Black),
        Outcome::Draw,
        Outcome::Truncated,
    ];
    let found = all.into_iter().find(|outcome| outcome.name() == name);
    found.ok_or_else(|| format!("`{name}` is no outcome"))
}
