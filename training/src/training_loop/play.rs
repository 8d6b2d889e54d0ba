//! The games of a generation: played, or found where an interrupted attempt left them.

use std::sync::atomic::{AtomicBool, Ordering};

use super::clock::Clock;
use super::report::emit;
use super::{Training, TrainingError, checkpoint_name};
use crate::events::{Event, Observer};
use crate::files;
use crate::game_record::{GameRecord, Purpose};
use crate::replay::shard::{self, Shard, ShardError, ShardId};
use crate::run_dir::RunDir;
use crate::run_state::RunState;
use crate::selfplay::{self, Counters, Group};
use crate::trainable::Trainable;
use crate::venue::Offer;

/// The games of a generation and purpose.
pub(super) struct Played<G: Trainable> {
    /// In the order of their groups.
    pub(super) shards: Vec<(ShardId, Vec<GameRecord<G>>)>,
    /// Milliseconds of the attempts before, as far as something of them is left.
    pub(super) earlier_milliseconds: u64,
    /// Games that were played now, not found.
    pub(super) games: u64,
    /// Plies of these.
    pub(super) plies: u64,
}

impl<G: Trainable> Training<G> {
    /// Plays the games of a generation, or takes those that an interrupted attempt has left, and writes the others.
    /// `None` if stopped.
    pub(super) fn play(
        &mut self,
        purpose: Purpose,
        generation: u64,
        games: u32,
        counters: &Counters,
        observer: &mut dyn Observer<G>,
        stop: &AtomicBool,
    ) -> Result<Option<Played<G>>, TrainingError> {
        let folder = self.run.games();
        let mut done: Vec<(u32, ShardId, Vec<GameRecord<G>>)> = Vec::new();
        let mut missing = Vec::new();
        let mut found = 0;
        let group_games = match (purpose, self.config.measurement.group_games) {
            (Purpose::Selfplay, _) | (_, 0) => self.config.selfplay.group_games,
            (Purpose::Measurement, group_games) => group_games,
        };
        let groups = selfplay::groups(games, group_games);
        let all = groups.len();
        for group in groups {
            match self.read_group(purpose, generation, &group, observer)? {
                Some((id, records)) => {
                    found += id.games;
                    done.push((group.number, id, records));
                }
                None => missing.push(group),
            }
        }
        let clock = match found {
            0 => Clock::new(&self.run.clock(), generation, purpose),
            _ => Clock::resume(&self.run.clock(), generation, purpose),
        };
        let (mut games_played, mut plies_played) = (0, 0);
        let model = checkpoint_name(self.state.generation);
        let run = &self.run;
        let offer = Offer {
            run: run.path(),
            config: &self.config,
            purpose,
            generation,
            groups: &missing,
            checkpoint: &run.checkpoints().join(&model),
            network: self.learner.average(),
            encoding: &self.encoding,
            device: self.device,
            precision: self.precision,
            counters,
            stop,
        };
        let mut finished = |group: &Group, records: Vec<GameRecord<G>>| -> Result<(), ShardError> {
            let origin = offer.origin(group, &model);
            let id = shard::write(&folder, &origin, &records)?;
            clock.save()?;
            games_played += id.games;
            plies_played += records.iter().map(|record| record.plies.len() as u64).sum::<u64>();
            done.push((group.number, id, records));
            Ok(())
        };
        let mut tick = |warning: Option<String>| {
            if let Some(text) = warning {
                emit(run, observer, &Event::Warning(text));
            }
            observer.event(&Event::Playing {
                generation,
                purpose,
                games: found + counters.games.load(Ordering::Relaxed),
                of: games.into(),
                plies: counters.plies.load(Ordering::Relaxed),
                evaluations: counters.evaluations.load(Ordering::Relaxed),
            });
        };
        self.venue.play(&offer, &mut finished, &mut tick)?;
        if done.len() < all {
            return Ok(None);
        }
        done.sort_by_key(|&(number, ..)| number);
        Ok(Some(Played {
            shards: done.into_iter().map(|(_, id, records)| (id, records)).collect(),
            earlier_milliseconds: clock.earlier(),
            games: games_played,
            plies: plies_played,
        }))
    }

    /// The shard of a group, if it was written before. Others of the group are removed, since a list of shards would
    /// count them too.
    #[allow(clippy::type_complexity, reason = "a shard and what is in it")]
    fn read_group(
        &self,
        purpose: Purpose,
        generation: u64,
        group: &Group,
        observer: &mut dyn Observer<G>,
    ) -> Result<Option<(ShardId, Vec<GameRecord<G>>)>, TrainingError> {
        let folder = self.run.games();
        let mut found = None;
        for name in shard::find(&folder, generation, purpose, group.number)? {
            match shard::read::<G>(&folder, &name, &self.rules) {
                Ok(Shard { records, .. }) => {
                    let indices = records.iter().map(|record| record.index);
                    if found.is_none() && indices.eq(group.games.clone()) {
                        found = Some((ShardId::new(name, &records), records));
                        continue;
                    }
                }
                Err(error) => self.emit(
                    observer,
                    &Event::Warning(format!("{error}; its games are played again")),
                ),
            }
            files::remove(&folder.join(&name))?;
        }
        Ok(found)
    }
}

/// Removes the games of a measurement that was interrupted: under other settings it must begin anew.
pub(super) fn forget_measurement(run: &RunDir) -> Result<(), TrainingError> {
    let games = run.games();
    let Some(state) = RunState::of(run)?.filter(|state| !state.measured()) else {
        return Ok(());
    };
    for name in shard::of_generation(&games, state.generation, Purpose::Measurement)? {
        files::remove(&games.join(name))?;
    }
    Ok(())
}
