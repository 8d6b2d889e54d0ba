//! The rows of a shard: conversion of games to columns and back.

use std::collections::HashSet;
use std::sync::Arc;

use arrow_array::builder::{Float32Builder, ListBuilder, StringBuilder, UInt16Builder, UInt32Builder};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, UInt16Type, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float32Array, ListArray, RecordBatch, StringArray, StringViewArray, UInt32Array,
    UInt64Array,
};
use arrow_schema::ArrowError;
use chase_engine::{Game, Outcome, Player, Wdl};

use super::untrusted::LONGEST_TEXT;
use crate::game_record::{GameRecord, GroupOrigin, PlyRecord, PolicyRecord};

/// One row per ply of each game.
pub(super) fn to_batch<G: Game>(origin: &GroupOrigin, records: &[GameRecord<G>]) -> Result<RecordBatch, ArrowError> {
    let plies = || {
        records
            .iter()
            .flat_map(|record| (0..record.plies.len()).map(move |ply| (record, ply)))
    };
    let rows = plies().count();
    let mut position = StringBuilder::new();
    let mut action = StringBuilder::new();
    let mut index = ListBuilder::new(UInt16Builder::new());
    let mut target = ListBuilder::new(Float32Builder::new());
    let mut visits = ListBuilder::new(UInt32Builder::new());
    let mut priors = ListBuilder::new(Float32Builder::new());
    let none = PolicyRecord::default();
    for record in records {
        let mut game = record.start.clone();
        for ply in &record.plies {
            position.append_value(game.position_text());
            action.append_value(game.action_text(ply.action));
            game.apply(ply.action);
            let policy = ply.policy.as_ref().unwrap_or(&none);
            index.values().append_slice(&policy.indices);
            index.append(true);
            target.values().append_slice(&policy.target);
            target.append(true);
            visits.values().append_slice(&policy.visits);
            visits.append(true);
            priors.values().append_slice(&policy.priors);
            priors.append(true);
        }
    }
    let numbers = |of: &dyn Fn(&GameRecord<G>, usize) -> u32| -> ArrayRef {
        Arc::new(UInt32Array::from_iter_values(
            plies().map(|(record, ply)| of(record, ply)),
        ))
    };
    let floats = |of: &dyn Fn(&PlyRecord<G::Action>) -> Option<f32>| -> ArrayRef {
        Arc::new(
            plies()
                .map(|(record, ply)| of(&record.plies[ply]))
                .collect::<Float32Array>(),
        )
    };
    let texts = |of: &dyn Fn(&GameRecord<G>, usize) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(
            plies().map(|(record, ply)| of(record, ply)),
        ))
    };
    let constant = |text: &str| -> ArrayRef { Arc::new(StringArray::from_iter_values(vec![text; rows])) };
    let full: BooleanArray = plies()
        .map(|(record, ply)| Some(record.plies[ply].policy.is_some()))
        .collect();
    RecordBatch::try_from_iter([
        ("game", numbers(&|record, _| record.index)),
        ("ply", numbers(&|_, ply| ply as u32)),
        ("player", texts(&|record, ply| record.plies[ply].player.name().into())),
        ("position", Arc::new(position.finish()) as ArrayRef),
        ("action", Arc::new(action.finish())),
        ("simulations", numbers(&|record, ply| record.plies[ply].simulations)),
        ("root_win", floats(&|ply| ply.value.map(|value| value.win))),
        ("root_draw", floats(&|ply| ply.value.map(|value| value.draw))),
        ("root_loss", floats(&|ply| ply.value.map(|value| value.loss))),
        ("full_search", Arc::new(full)),
        ("policy_index", Arc::new(index.finish())),
        ("policy_target", Arc::new(target.finish())),
        ("visits", Arc::new(visits.finish())),
        ("priors", Arc::new(priors.finish())),
        ("weight", floats(&|ply| ply.policy.as_ref().map(|policy| policy.weight))),
        ("outcome", texts(&|record, _| record.outcome.name().into())),
        ("end_reason", texts(&|record, _| record.end_reason.clone())),
        ("random_plies", numbers(&|record, _| record.random_plies)),
        ("plies_left", numbers(&|record, ply| (record.plies.len() - ply) as u32)),
        ("generation", Arc::new(UInt64Array::from_value(origin.generation, rows))),
        ("purpose", constant(origin.purpose.name())),
        ("model", constant(&origin.model)),
    ])
}

/// The columns that are read back.
pub(super) struct Rows<'a> {
    pub(super) game: &'a UInt32Array,
    pub(super) ply: &'a UInt32Array,
    position: &'a StringViewArray,
    action: &'a StringViewArray,
    simulations: &'a UInt32Array,
    value: [&'a Float32Array; 3],
    full: &'a BooleanArray,
    index: &'a ListArray,
    target: &'a ListArray,
    visits: &'a ListArray,
    priors: &'a ListArray,
    weight: &'a Float32Array,
    outcome: &'a StringViewArray,
    end_reason: &'a StringViewArray,
    /// Missing from shards of versions without random openings.
    random_plies: Option<&'a UInt32Array>,
}

impl<'a> Rows<'a> {
    pub(super) fn new(batch: &'a RecordBatch) -> Result<Self, String> {
        let column = |name: &str| {
            batch
                .column_by_name(name)
                .ok_or_else(|| format!("there is no column `{name}`"))
        };
        let of_type = |name: &str| format!("column `{name}` has another type than expected");
        let numbers = |name: &str| {
            column(name)?
                .as_primitive_opt::<UInt32Type>()
                .ok_or_else(|| of_type(name))
        };
        let floats = |name: &str| {
            column(name)?
                .as_primitive_opt::<Float32Type>()
                .ok_or_else(|| of_type(name))
        };
        let texts = |name: &str| {
            let texts = column(name)?.as_string_view_opt().ok_or_else(|| of_type(name))?;
            match texts.lengths().find(|&length| length as usize > LONGEST_TEXT) {
                Some(length) => Err(format!(
                    "column `{name}` has a text of {length} bytes, expected at most {LONGEST_TEXT}"
                )),
                None => Ok(texts),
            }
        };
        let lists = |name: &str| column(name)?.as_list_opt::<i32>().ok_or_else(|| of_type(name));
        Ok(Self {
            game: numbers("game")?,
            ply: numbers("ply")?,
            position: texts("position")?,
            action: texts("action")?,
            simulations: numbers("simulations")?,
            value: [floats("root_win")?, floats("root_draw")?, floats("root_loss")?],
            full: column("full_search")?
                .as_boolean_opt()
                .ok_or_else(|| of_type("full_search"))?,
            index: lists("policy_index")?,
            target: lists("policy_target")?,
            visits: lists("visits")?,
            priors: lists("priors")?,
            weight: floats("weight")?,
            outcome: texts("outcome")?,
            end_reason: texts("end_reason")?,
            random_plies: match batch.column_by_name("random_plies") {
                Some(_) => Some(numbers("random_plies")?),
                None => None,
            },
        })
    }

    fn value(&self, row: usize) -> Option<Wdl> {
        let known = self.value.iter().all(|column| column.is_valid(row));
        known.then(|| self.value.map(|column| column.value(row)).into())
    }

    fn policy(&self, row: usize) -> Result<PolicyRecord, String> {
        fn list<T: ArrowPrimitiveType>(column: &ListArray, row: usize) -> Result<Vec<T::Native>, String> {
            let values = column.value(row);
            let values = values
                .as_primitive_opt::<T>()
                .ok_or("a list has another type than expected")?;
            Ok(values.values().to_vec())
        }
        Ok(PolicyRecord {
            indices: list::<UInt16Type>(self.index, row)?,
            target: list::<Float32Type>(self.target, row)?,
            visits: list::<UInt32Type>(self.visits, row)?,
            priors: list::<Float32Type>(self.priors, row)?,
            weight: self.weight.value(row),
        })
    }
}

/// Games being reconstructed.
pub(super) struct Games<'a, G: Game> {
    rules: &'a G::Rules,
    finished: Vec<GameRecord<G>>,
    /// Their numbers, and that of the current game.
    known: HashSet<u32>,
    /// The game that rows are being added to, and its current position.
    current: Option<(GameRecord<G>, G)>,
    /// Whether the games have not ended.
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
    pub(super) fn add(&mut self, rows: &Rows<'_>, row: usize) -> Result<(), String> {
        let text = rows.position.value(row);
        if rows.ply.value(row) == 0 {
            self.close()?;
            if !self.known.insert(rows.game.value(row)) {
                return Err("the game is there twice".into());
            }
            // Read from the text only if the game does not begin in the initial position, since a text does not hold
            // everything.
            let initial = G::new(self.rules);
            let start = if initial.position_text() == text {
                initial
            } else {
                G::from_position_text(text, self.rules).map_err(|error| error.to_string())?
            };
            let record = GameRecord {
                index: rows.game.value(row),
                start: start.clone(),
                random_plies: rows.random_plies.map_or(0, |column| column.value(row)),
                plies: Vec::new(),
                outcome: outcome(rows.outcome.value(row))?,
                end_reason: rows.end_reason.value(row).to_owned(),
            };
            self.current = Some((record, start));
        }
        let (record, game) = self.current.as_mut().ok_or("the game does not begin with ply 0")?;
        if rows.game.value(row) != record.index || rows.ply.value(row) as usize != record.plies.len() {
            return Err(format!("expected ply {} of game {}", record.plies.len(), record.index));
        }
        if game.position_text() != text {
            return Err(format!(
                "the position is `{text}`, but the game leads to `{}`",
                game.position_text()
            ));
        }
        let action = game
            .parse_action(rows.action.value(row))
            .map_err(|error| error.to_string())?;
        let policy = rows.full.value(row).then(|| rows.policy(row)).transpose()?;
        if policy.is_some() && rows.ply.value(row) < record.random_plies {
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
            simulations: rows.simulations.value(row),
            value: rows.value(row),
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
